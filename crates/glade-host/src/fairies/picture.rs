//! The picture in a prompt: what the fairy looks at, drawn as people see it.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use glade_agent::{LONGEST_SIDE, Prompt, Tag};
use glade_canvas::factory::{self, Lettering};
use glade_canvas::render::{Options, to_jpeg};
use glade_canvas::{Color, Element, FontFamily, Point, Scene, TextAlign};
use glade_store::{Blob, Change, Store};
use sha2::{Digest, Sha256};

use crate::files;
use crate::rooms::SharedScene;

/// The letters of a tag, in pixels.
const TAG_SIZE: f64 = 11.0;
const TAG_INK: &str = "#d6336c";

/// Draws the picture that a prompt asks for, off the async threads; a page that cannot be drawn is
/// shown without one.
pub async fn draw(prompt: &mut Prompt, scene: &SharedScene, store: &Store) {
    let Some(picture) = &mut prompt.picture else {
        return;
    };
    let (area, tags) = (picture.area, std::mem::take(&mut picture.tags));
    // A copy: drawing takes longer than the room may wait for its scene.
    let mut scene = scene
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .seen_in(&area);
    let long_side = area.w.max(area.h).max(1.0);
    let scale = (LONGEST_SIDE / long_side).min(1.0);
    tag(&mut scene, &tags, scale);
    picture.tags = tags;
    let store = store.clone();
    let drawn = tokio::task::spawn_blocking(move || {
        let files = files::images(&scene, &store).unwrap_or_else(|error| {
            tracing::warn!(%error, "a prompt's picture goes without the page's images");
            BTreeMap::new()
        });
        let options = Options {
            bounds: Some(area),
            padding: 0.0,
            scale,
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

/// Writes the ids of shapes without words below them, as large in every picture.
fn tag(scene: &mut Scene, tags: &[Tag], scale: f64) {
    for (at, tag) in tags.iter().enumerate() {
        let lettering = Lettering {
            family: FontFamily::Nunito,
            size: TAG_SIZE / scale,
            ink: TAG_INK.to_owned(),
            ..Lettering::new(TextAlign::Left, Color::Black, TAG_SIZE)
        };
        // Above anything that people draw.
        let index = format!("zzz{at:04}");
        let place = Point::new(tag.at.x, tag.at.y - lettering.size * 1.3);
        let words = factory::lettered(&tag.id, place, None, &lettering, 1, &index);
        scene.put(Element::new(format!("tag:{at}"), words));
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
