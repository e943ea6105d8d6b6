use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use domain::Game;

use super::Simulation;

/// How many games a thread may be ahead of the one that is waited for.
const AHEAD: usize = 16;

/// A game to play, and where to bring what is made of it.
type Order<T> = (u32, SyncSender<T>);

impl Simulation {
    /// Plays all of it on so many threads, has each game made into something where it was played, and hands
    /// that over in order, on the thread that calls. Some games a thread are in memory, however slow the
    /// sink is.
    ///
    /// # Errors
    /// The first of the sink, after which nothing more is played.
    ///
    /// # Panics
    /// When a thread does.
    pub fn run<T: Send, E>(
        &self,
        threads: NonZeroUsize,
        make: impl Fn(u32, Game) -> T + Sync,
        mut sink: impl FnMut(u32, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let (orders, taken) = channel::<Order<T>>();
        let taken = Mutex::new(taken);
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                scope.spawn(|| self.work(&taken, &make));
            }
            // Dropped when this ends, whereupon the threads end.
            let orders = orders;
            let mut numbers = 0..self.games;
            let mut ordered: VecDeque<(u32, Receiver<T>)> = VecDeque::new();
            loop {
                let room = (AHEAD * threads.get()).saturating_sub(ordered.len());
                for nth in numbers.by_ref().take(room) {
                    let (bring, brought) = sync_channel(1);
                    if orders.send((nth, bring)).is_ok() {
                        ordered.push_back((nth, brought));
                    }
                }
                let next = ordered.pop_front();
                // A thread that panics brings nothing; the scope panics after it.
                let Some((nth, Ok(result))) = next.map(|(nth, brought)| (nth, brought.recv()))
                else {
                    return Ok(());
                };
                sink(nth, result)?;
            }
        })
    }

    /// Plays what is ordered until nothing is any more.
    fn work<T>(&self, taken: &Mutex<Receiver<Order<T>>>, make: &impl Fn(u32, Game) -> T) {
        loop {
            let order = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((nth, bring)) = order else {
                return;
            };
            if bring.send(make(nth, self.play(nth))).is_err() {
                return;
            }
        }
    }
}
