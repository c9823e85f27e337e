//! Large answers, sent piece by piece: what a slow reader has not taken yet is not in the line's memory,
//! and a person has only so many of them.

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::guard::Caller;
use crate::app::App;
use crate::edge::problem::Problem;
use crate::work::Place;

const PIECE: usize = 64 * 1024;

/// A place among the large answers; asked for before there is one.
pub async fn place(app: &App, caller: &Caller) -> Result<Place, Problem> {
    let turn = app.sending.turn(&caller.capability.subject).await?;
    Ok(turn.among_all().await?)
}

/// The bytes as an answer. The place and the bytes are let go of when the last piece is on its way.
pub fn answer(mut headers: HeaderMap, bytes: Bytes, place: Place) -> Response {
    headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let pieces = stream::unfold((bytes, place), |(mut rest, place)| async move {
        if rest.is_empty() {
            return None;
        }
        // A copy: a part of the whole would keep the whole.
        let piece = Bytes::copy_from_slice(&rest.split_to(PIECE.min(rest.len())));
        Some((Ok::<_, std::convert::Infallible>(piece), (rest, place)))
    });
    (headers, Body::from_stream(pieces)).into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use axum::body::to_bytes;
    use futures_util::StreamExt;

    use super::*;
    use crate::work::{SENDING, Work};

    async fn held(work: &Arc<Work>) -> Option<Place> {
        let place = async {
            work.turn("person:eve")
                .await
                .unwrap()
                .among_all()
                .await
                .unwrap()
        };
        tokio::time::timeout(Duration::from_millis(50), place)
            .await
            .ok()
    }

    #[tokio::test]
    async fn whoever_reads_slowly_waits_for_what_they_have_not_read() {
        let work = Arc::new(Work::new(SENDING));
        let bytes = Bytes::from(vec![7; 3 * PIECE + 1]);
        let mut unread = Vec::new();
        while let Some(place) = held(&work).await {
            let mut body = answer(HeaderMap::new(), bytes.clone(), place)
                .into_body()
                .into_data_stream();
            assert_eq!(body.next().await.unwrap().unwrap().len(), PIECE);
            unread.push(body);
        }
        assert_eq!(unread.len(), 6);
        let mut read = unread.pop().unwrap();
        while read.next().await.is_some() {}
        assert!(held(&work).await.is_some());
    }

    #[tokio::test]
    async fn all_of_it_arrives() {
        let work = Arc::new(Work::new(SENDING));
        let sent: Bytes = (0..200_000_u32).map(|at| at as u8).collect();
        let response = answer(HeaderMap::new(), sent.clone(), held(&work).await.unwrap());
        assert_eq!(response.headers()[CONTENT_LENGTH], "200000");
        let read = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(read, sent);
    }
}
