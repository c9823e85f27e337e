//! The picture in a prompt: what the fairy looks at, drawn as people see it.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use glade_agent::{LONGEST_SIDE, Prompt};
use glade_canvas::render::{Options, to_jpeg};
use glade_store::{Blob, Change, Store};
use sha2::{Digest, Sha256};

use crate::files;
use crate::rooms::SharedScene;

/// Draws the picture that a prompt asks for, off the async threads; a page that cannot be drawn is
/// shown without one.
pub async fn draw(prompt: &mut Prompt, scene: &SharedScene, store: &Store) {
    let Some(picture) = &mut prompt.picture else {
        return;
    };
    let area = picture.area;
    // A copy: drawing takes longer than the room may wait for its scene.
    let scene = scene
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .seen_in(&area);
    let long_side = area.w.max(area.h).max(1.0);
    let store = store.clone();
    let drawn = tokio::task::spawn_blocking(move || {
        let files = files::images(&scene, &store).unwrap_or_else(|error| {
            tracing::warn!(%error, "a prompt's picture goes without the page's images");
            BTreeMap::new()
        });
        let options = Options {
            bounds: Some(area),
            padding: 0.0,
            scale: (LONGEST_SIDE / long_side).min(1.0),
            files,
            ..Options::default()
        };
        to_jpeg(&scene, &options)
    })
    .await;
    match drawn {
        Ok(Ok(bytes)) => {
            picture.media_type = "image/jpeg".to_owned();
            picture.sha256 = hex(&Sha256::digest(&bytes));
            picture.bytes = bytes;
        }
        Ok(Err(error)) => tracing::warn!(%error, "a prompt goes without its picture"),
        Err(error) => tracing::error!(%error, "drawing a prompt's picture failed"),
    }
}

/// The picture as the store keeps it, under the hash that the prompt's row tells: whoever looks
/// into a fairy sees what it saw.
pub fn kept(prompt: &Prompt, subject: &str, at_ms: i64) -> Option<Change> {
    let drawn = prompt.picture.as_ref().filter(|it| !it.bytes.is_empty())?;
    let blob = Blob::new(drawn.bytes.clone()).ok()?;
    Some(Change::PutBlob {
        blob,
        subject: subject.to_owned(),
        at_ms,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
