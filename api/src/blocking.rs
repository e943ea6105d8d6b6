//! Blocking work (the database, Argon2) off the async threads, behind bounded queues.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::problem::ApiError;

/// How long a caller is asked to wait when a queue is full.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A bounded place for blocking work of one kind: so many at once, so many waiting, and a refusal
/// at once beyond that.
#[derive(Debug, Clone)]
pub struct Blocking {
    /// One permit for each piece of work that runs or waits.
    places: Arc<Semaphore>,
    /// One permit for each piece of work that runs.
    running: Arc<Semaphore>,
}

/// A place for one piece of work, which runs, waits, or is made ready.
#[derive(Debug)]
pub struct Place(#[expect(dead_code, reason = "held until it is dropped")] OwnedSemaphorePermit);

/// Work was lost: it panicked, or the server went down before it began.
#[derive(Debug, Error)]
#[error("blocking work ended without a result")]
struct LostWork(#[source] tokio::task::JoinError);

impl Blocking {
    /// At most `concurrency` pieces of work at once and `queue` waiting.
    pub fn new(concurrency: usize, queue: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(
                concurrency
                    .saturating_add(queue)
                    .min(Semaphore::MAX_PERMITS),
            )),
            running: Arc::new(Semaphore::new(concurrency.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// Takes a place for work that comes later.
    ///
    /// # Errors
    /// `unavailable` when the queue is full.
    pub fn place(&self) -> Result<Place, ApiError> {
        let full = |_| ApiError::unavailable("too much is waiting; try again", RETRY_AFTER);
        let place = Arc::clone(&self.places).try_acquire_owned();
        Ok(Place(place.map_err(full)?))
    }

    /// Runs `work` on a thread for blocking work. Once begun it runs to its end, even when the caller
    /// goes away and this future is dropped.
    ///
    /// # Errors
    /// `unavailable` at once when the queue is full or the server goes down; `internal` when the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.run_at(self.place()?, work).await
    }

    /// As [`run`](Self::run), at a place that was taken before.
    ///
    /// # Errors
    /// `unavailable` when the server goes down; `internal` when the work panicked.
    pub async fn run_at<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let running = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| ApiError::unavailable("the server is shutting down", RETRY_AFTER))?;
        let span = tracing::Span::current();
        let task = spawn_blocking(move || {
            // Held here, not by the future: the work goes on without it.
            let _permits = (place, running);
            span.in_scope(work)
        });
        task.await.map_err(|fault| {
            if fault.is_cancelled() {
                ApiError::unavailable("the server is shutting down", RETRY_AFTER)
            } else {
                ApiError::internal(&LostWork(fault))
            }
        })
    }

    /// Runs work that can itself be refused, and gives one result.
    ///
    /// # Errors
    /// As [`run`](Self::run), or those of the work.
    pub async fn try_run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.run(work).await?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::problem::Code;

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_frees_itself() {
        let blocking = Blocking::new(1, 1);
        let (release, gate) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let blocking = blocking.clone();
            async move { blocking.run(move || gate.recv().is_ok()).await }
        });
        while blocking.running.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let second = tokio::spawn({
            let blocking = blocking.clone();
            async move { blocking.run(|| 2).await }
        });
        while blocking.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let third = blocking.run(|| 3).await.unwrap_err();
        assert_eq!(third.code(), Code::Unavailable);
        release.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        assert_eq!(second.await.unwrap().unwrap(), 2);
        assert_eq!(blocking.run(|| 4).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn begun_work_ends_though_its_caller_is_gone() {
        let blocking = Blocking::new(1, 0);
        let (release, gate) = mpsc::channel::<()>();
        let (done, finished) = tokio::sync::oneshot::channel();
        let caller = tokio::spawn({
            let blocking = blocking.clone();
            async move {
                blocking
                    .run(move || (gate.recv().is_ok(), done.send(()).is_ok()))
                    .await
            }
        });
        while blocking.running.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        release.send(()).unwrap();
        finished.await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_gives_its_place_back() {
        let blocking = Blocking::new(1, 0);
        for _ in 0..2 {
            let fault = blocking
                .run(|| -> () { panic!("on purpose") })
                .await
                .unwrap_err();
            assert_eq!(fault.code(), Code::Internal);
        }
        assert_eq!(blocking.run(|| 1).await.unwrap(), 1);
    }
}
