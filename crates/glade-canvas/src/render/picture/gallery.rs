//! The images of one picture: each look of one is made once, as far as memory goes.
//!
//! **Bounded**: elements without number can show one image, each in another size. When so much work was done that
//! somebody waits for the picture, the rest are not understood.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Made, darken, decode};
use crate::geometry::Rect;
use crate::render::ImageFile;

/// In nanoseconds, as they are estimated: some twenty seconds.
const MAX_WORK: f64 = 2e10;
/// What is kept to be shown again.
const MAX_BYTES: usize = 128 * 1024 * 1024;

pub(in crate::render) struct Gallery {
    looks: HashMap<Look, Option<Arc<Made>>>,
    bytes: usize,
    left: f64,
}

/// How an element shows an image; numbers by their bits.
#[derive(PartialEq, Eq, Hash)]
struct Look {
    id: String,
    crop: Option<[u64; 4]>,
    shown: [u64; 2],
    dark: bool,
}

impl Default for Gallery {
    fn default() -> Self {
        Self {
            looks: HashMap::new(),
            bytes: 0,
            left: MAX_WORK,
        }
    }
}

impl Gallery {
    /// The image as it is shown, with its colours turned if it is `dark`; none if it is not understood.
    pub fn image(
        &mut self,
        (id, file): (&str, &ImageFile),
        crop: Option<Rect>,
        (w, h): (f64, f64),
        dark: bool,
    ) -> Option<Arc<Made>> {
        let look = Look {
            id: id.to_owned(),
            crop: crop.map(|it| [it.x, it.y, it.w, it.h].map(f64::to_bits)),
            shown: [w, h].map(f64::to_bits),
            dark,
        };
        if let Some(made) = self.looks.get(&look) {
            return made.clone();
        }
        if self.left <= 0.0 {
            return None;
        }
        let made = decode(file, crop, (w, h)).map(|mut made| {
            if dark {
                darken(&mut made.image);
            }
            Arc::new(made)
        });
        let bytes = made.as_ref().map_or(0, |made| made.image.data().len());
        self.left -= made.as_ref().map_or(0.0, |made| made.work);
        if self.bytes + bytes <= MAX_BYTES {
            self.bytes += bytes;
            self.looks.insert(look, made.clone());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg() -> ImageFile {
        ImageFile {
            mime: "image/svg+xml".to_owned(),
            data: b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='5' height='5'/></svg>"
                .to_vec(),
        }
    }

    #[test]
    fn each_look_is_made_once() {
        let (mut gallery, file) = (Gallery::default(), svg());
        let mut look = |w: f64, dark: bool| gallery.image(("a", &file), None, (w, 9.0), dark);
        let first = look(9.0, false).unwrap();
        assert!(Arc::ptr_eq(&first, &look(9.0, false).unwrap()));
        for (w, dark) in [(8.0, false), (9.0, true)] {
            assert!(!Arc::ptr_eq(&first, &look(w, dark).unwrap()));
        }
    }

    #[test]
    fn when_the_work_is_used_up_only_what_is_made_is_shown() {
        let (mut gallery, file) = (Gallery::default(), svg());
        assert!(
            gallery
                .image(("a", &file), None, (9.0, 9.0), false)
                .is_some()
        );
        gallery.left = 0.0;
        assert!(
            gallery
                .image(("a", &file), None, (9.0, 9.0), false)
                .is_some()
        );
        assert!(
            gallery
                .image(("a", &file), None, (8.0, 9.0), false)
                .is_none()
        );
    }
}
