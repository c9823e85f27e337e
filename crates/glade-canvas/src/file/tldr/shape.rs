//! One tldraw shape as elements: the shape itself, and its words as a label.

use glade_doc::Props;
use serde_json::{Value, json};

use super::place::{Layout, Placed};
use super::words::words;
use super::{Note, Store, look, name, number, path, text};
use crate::element::Element;
use crate::factory;
use crate::geometry::{Point, Rect};
use crate::text as measure;

pub(super) struct Maker<'a> {
    pub store: &'a Store,
    pub placed: &'a Layout,
    files: Props,
    notes: Vec<Note>,
}

impl<'a> Maker<'a> {
    pub fn new(store: &'a Store, placed: &'a Layout) -> Self {
        Self {
            store,
            placed,
            files: Props::new(),
            notes: Vec::new(),
        }
    }

    /// Image data by file id, and what was mapped or left out.
    pub fn finish(self) -> (Props, Vec<Note>) {
        (self.files, self.notes)
    }

    pub fn skip(&mut self, one: &Placed, reason: &str) {
        self.notes.push(Note::Skipped {
            what: format!("the {} {:?}", one.kind, one.id),
            reason: reason.to_owned(),
        });
    }

    pub fn map(&mut self, one: &Placed, to: &str) {
        self.notes.push(Note::Mapped {
            what: format!("the {} {:?}", one.kind, one.id),
            to: to.to_owned(),
        });
    }

    /// Strokes differ between shapes and not between readings.
    pub fn seed(&self, id: &str) -> u32 {
        super::super::nonce(&glade_doc::ElementId::from(id))
    }

    /// The elements of one shape, bottom first, each with its id.
    pub fn elements(&mut self, one: &Placed) -> Vec<Props> {
        let Some(mut props) = self.shape(one) else {
            return Vec::new();
        };
        self.finish_look(one, &mut props);
        let shape = Element::new(one.id.as_str(), props);
        let label = self.label(one, &shape);
        let mut props = shape.props;
        props.insert("id".to_owned(), json!(one.id));
        std::iter::once(props).chain(label).collect()
    }

    /// What a shape will be, for arrows that are tied to it; none for what cannot be tied to.
    pub fn preview(&self, one: &Placed) -> Option<Props> {
        match one.kind.as_str() {
            "geo" => Some(self.geo(one).0),
            "text" => Some(self.text(one)),
            "note" => Some(self.note(one)),
            "frame" | "image" | "embed" | "bookmark" => Some(self.boxed(
                one,
                if one.kind == "frame" {
                    "frame"
                } else {
                    "image"
                },
            )),
            _ => None,
        }
    }

    fn shape(&mut self, one: &Placed) -> Option<Props> {
        match one.kind.as_str() {
            "geo" => {
                let (props, same) = self.geo(one);
                if !same {
                    self.map(one, "a rectangle");
                }
                Some(props)
            }
            "text" => Some(self.text(one)),
            "note" => Some(self.note(one)),
            "draw" => path::draw(self, one),
            "highlight" => {
                let mut props = path::draw(self, one)?;
                self.map(one, "a wide, pale stroke");
                props.insert("strokeWidth".to_owned(), json!(16));
                Some(props)
            }
            "line" => path::line(self, one),
            "arrow" => path::arrow(self, one),
            "frame" => {
                if one.angle != 0.0 {
                    self.map(one, "an upright frame");
                }
                let mut props = self.boxed(one, "frame");
                props.insert("name".to_owned(), json!(text(&one.props, "name")));
                props.insert("angle".to_owned(), json!(0));
                Some(props)
            }
            "image" => Some(self.image(one)),
            "embed" | "bookmark" => {
                self.map(one, "an embedded page");
                Some(self.boxed(one, "embeddable"))
            }
            _ => {
                self.skip(one, "there is nothing like it");
                None
            }
        }
    }

    fn geo(&self, one: &Placed) -> (Props, bool) {
        let (kind, same) = look::geo(text(&one.props, "geo"));
        let style = look::style(&one.props);
        (
            factory::geo(kind, one.rect(), style, self.seed(&one.id), ""),
            same,
        )
    }

    fn note(&self, one: &Placed) -> Props {
        factory::sticky_note(one.rect(), look::color(&one.props), self.seed(&one.id), "")
    }

    fn text(&self, one: &Placed) -> Props {
        let words = words(&one.props).text;
        let (family, _) = look::font(&one.props);
        let size = look::font_size(&one.props, look::On::Page);
        let fixed = one.props.get("autoSize") == Some(&Value::Bool(false));
        let color = look::color(&one.props);
        let seed = self.seed(&one.id);
        let mut props = if fixed {
            factory::wrapped_text(
                &words,
                Point::default(),
                one.size.w.max(1.0),
                color,
                size,
                seed,
                "",
            )
        } else {
            factory::text(
                &words,
                Point::default(),
                crate::TextAlign::Left,
                color,
                size,
                seed,
                "",
            )
        };
        let align = match one
            .props
            .get("textAlign")
            .or_else(|| one.props.get("align"))
        {
            Some(Value::String(word)) => look::text_align(word),
            _ => "left",
        };
        let drawn = if fixed {
            measure::wrap(&words, family, size, one.size.w.max(1.0))
        } else {
            words
        };
        let mut measured = measure::measure(&drawn, family, size);
        if fixed {
            measured.w = one.size.w.max(1.0);
        }
        let rect = Rect::centered(one.at(measured.w / 2.0, measured.h / 2.0), measured);
        for (key, value) in [
            ("x", json!(rect.x)),
            ("y", json!(rect.y)),
            ("width", json!(rect.w)),
            ("height", json!(rect.h)),
            ("textAlign", json!(align)),
            ("fontFamily", json!(family.number())),
            ("lineHeight", json!(family.line_height())),
        ] {
            props.insert(key.to_owned(), value);
        }
        props
    }

    /// A plain box of this type.
    fn boxed(&self, one: &Placed, kind: &str) -> Props {
        let style = factory::Style::default();
        let mut props = factory::shape(
            crate::ShapeKind::Rectangle,
            one.rect(),
            style,
            self.seed(&one.id),
            "",
        );
        props.insert("type".to_owned(), json!(kind));
        props.insert("roundness".to_owned(), Value::Null);
        props
    }

    fn image(&mut self, one: &Placed) -> Props {
        let mut props = self.boxed(one, "image");
        let id = name(one.props.get("assetId"));
        let asset = self
            .store
            .assets
            .get(&id)
            .and_then(|asset| asset.get("props")?.as_object());
        let data = asset.map_or("", |asset| text(asset, "src"));
        if data.starts_with("data:") {
            let kind = asset.map_or("", |asset| text(asset, "mimeType"));
            let file = json!({"id": id, "mimeType": kind, "dataURL": data, "created": 1});
            self.files.insert(id.clone(), file);
        } else {
            self.map(one, "an empty image, since its data is not in the file");
        }
        let flipped = |key: &str| match one.props.get(key) {
            Some(Value::Bool(true)) => -1,
            _ => 1,
        };
        props.insert("fileId".to_owned(), json!(id));
        props.insert("status".to_owned(), json!("saved"));
        props.insert(
            "scale".to_owned(),
            json!([flipped("flipX"), flipped("flipY")]),
        );
        let natural = |key: &str| asset.and_then(|asset| number(asset, key)).unwrap_or(0.0);
        props.insert(
            "crop".to_owned(),
            crop(&one.props, natural("w"), natural("h")),
        );
        let alt = text(&one.props, "altText");
        if !alt.is_empty() {
            props.insert("customData".to_owned(), json!({ "altText": alt }));
        }
        props
    }

    /// What every shape has: strokes, turn, groups, frame, opacity, lock, link.
    fn finish_look(&self, one: &Placed, props: &mut Props) {
        let is_path = matches!(one.kind.as_str(), "draw" | "highlight" | "line" | "arrow");
        if !matches!(one.kind.as_str(), "highlight" | "note" | "frame" | "image") {
            for (key, value) in look::stroke(&one.props) {
                props.insert(key.to_owned(), value);
            }
        }
        // Paths carry their turn in their points, and frames do not turn.
        if !is_path && one.kind != "frame" {
            let angle = one.angle.rem_euclid(std::f64::consts::TAU);
            props.insert("angle".to_owned(), json!(angle));
        }
        let opacity = number(&one.record, "opacity")
            .unwrap_or(1.0)
            .clamp(0.0, 1.0);
        let pale = if one.kind == "highlight" { 0.4 } else { 1.0 };
        props.insert(
            "opacity".to_owned(),
            json!((opacity * pale * 100.0).round()),
        );
        let locked = one.record.get("isLocked") == Some(&Value::Bool(true));
        props.insert("locked".to_owned(), json!(locked));
        let link = text(&one.props, "url");
        if !link.is_empty() {
            props.insert("link".to_owned(), json!(link));
        }
        let frame = one.frame.as_ref().filter(|_| one.kind != "frame");
        props.insert("frameId".to_owned(), json!(frame));
        // A polygon is in a group of its own, inside of the others.
        let own = props
            .get("groupIds")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let groups: Vec<Value> = own
            .into_iter()
            .chain(one.groups.iter().map(|group| json!(group)))
            .collect();
        props.insert("groupIds".to_owned(), json!(groups));
        props.shift_remove("index");
    }

    fn label(&mut self, one: &Placed, shape: &Element) -> Option<Props> {
        let on = match one.kind.as_str() {
            "geo" | "note" => look::On::Shape,
            "arrow" => look::On::Arrow,
            "text" => {
                self.note_words(one);
                return None;
            }
            _ => return None,
        };
        let words = words(&one.props).text;
        if words.is_empty() {
            return None;
        }
        self.note_words(one);
        let id = format!("{}-label", one.id);
        let mut props = factory::label(shape, &words, self.seed(&id), "");
        let (family, _) = look::font(&one.props);
        let size = look::font_size(&one.props, on);
        let base = shape.kind().as_str() == "stickynote";
        for (key, value) in [
            ("id", json!(id)),
            ("fontSize", json!(size)),
            ("fontFamily", json!(family.number())),
            ("lineHeight", json!(family.line_height())),
        ] {
            props.insert(key.to_owned(), value);
        }
        if base {
            props.insert("baseFontSize".to_owned(), json!(size));
        }
        if one.kind != "arrow" {
            let align = look::text_align(text(&one.props, "align"));
            let vertical = look::vertical_align(text(&one.props, "verticalAlign"));
            props.insert("textAlign".to_owned(), json!(align));
            props.insert("verticalAlign".to_owned(), json!(vertical));
        } else if let Some(share) = number(&one.props, "labelPosition") {
            props.insert("labelPosition".to_owned(), json!(share.clamp(0.0, 1.0)));
        }
        props.shift_remove("index");
        Some(props)
    }

    fn note_words(&mut self, one: &Placed) {
        if words(&one.props).marked {
            self.map(one, "plain text: bold, links and the like are left out");
        }
        if !look::font(&one.props).1 {
            self.map(one, "words in a font without serifs");
        }
    }
}

/// The part of an image that shows.
fn crop(props: &Props, w: f64, h: f64) -> Value {
    let corner = |key: &str| {
        let corner = props.get("crop")?.get(key)?;
        let axis = |key: &str| Some(corner.get(key)?.as_f64()?.clamp(0.0, 1.0));
        Some((axis("x")?, axis("y")?))
    };
    match (corner("topLeft"), corner("bottomRight")) {
        (Some((left, top)), Some((right, bottom)))
            if w > 0.0 && h > 0.0 && right > left && bottom > top =>
        {
            json!({"x": left * w, "y": top * h, "width": (right - left) * w, "height": (bottom - top) * h,
                "naturalWidth": w, "naturalHeight": h})
        }
        _ => Value::Null,
    }
}
