//! A stream of Server-Sent Events.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Bytes;
use async_graphql::futures_util::stream::unfold;

use super::follower::{Closing, Follower};
use crate::problem::ApiError;

/// The media type.
pub const EVENT_STREAM: &str = "text/event-stream";

/// What shows the proxies on the way that the stream lives.
const ALIVE: &str = ":\n\n";
/// How long a reader that lost the stream waits before it asks again, in milliseconds.
const RETRY: &str = "retry: 3000\n\n";

/// How far a stream is.
enum Stage {
    Opened,
    Following,
    Over,
}

/// The answer that gives out what a follower hears.
pub fn answer(follower: Follower) -> HttpResponse {
    let parts = unfold(
        (follower, Stage::Opened),
        |(mut follower, stage)| async move {
            let (part, stage) = match stage {
                Stage::Opened => (greeting(follower.resync), Stage::Following),
                Stage::Following => match next(&mut follower).await {
                    Ok(part) => (part, Stage::Following),
                    Err(closing) => (farewell(closing), Stage::Over),
                },
                Stage::Over => return None,
            };
            Some((Ok::<_, ApiError>(part), (follower, stage)))
        },
    );
    HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .insert_header((header::CACHE_CONTROL, "no-cache, no-transform"))
        // Else a proxy would keep events back until it had enough of them.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(parts)
}

fn greeting(resync: Option<u64>) -> Bytes {
    match resync {
        None => RETRY.into(),
        Some(number) => format!("{RETRY}id: {number}\nevent: resync\ndata: {{}}\n\n").into(),
    }
}

async fn next(follower: &mut Follower) -> Result<Bytes, Closing> {
    loop {
        let Some(frames) = follower.next().await? else {
            return Ok(ALIVE.into());
        };
        let channel = follower.channel;
        let seen = frames.iter().filter_map(|frame| frame.seen_by(channel));
        let text: Vec<u8> = seen.flat_map(|written| written.text.to_vec()).collect();
        if !text.is_empty() {
            return Ok(text.into());
        }
    }
}

/// It has no `id`: it is no event of the channel.
fn farewell(closing: Closing) -> Bytes {
    let name = closing.name();
    format!("event: closing\ndata: {{\"reason\":\"{name}\"}}\n\n").into()
}
