//! How a shape looks, in a model's words: only what differs from what a new shape has.

use glade_canvas::geo::polygon_kind;
use glade_canvas::palette::{Color, Fill, read_paint};
use glade_canvas::{Element, ElementKind, FontFamily, Scene, TextAlign, VerticalAlign, view};
use serde::{Deserialize, Serialize};

use crate::ids::IdMap;

/// What the picture of a shape would show, and what binds it to others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Looks {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stroke_width: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// In degrees, clockwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font_size: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_align: Option<TextAlign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertical_align: Option<VerticalAlign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
}

impl Looks {
    pub fn of(scene: &Scene, element: &Element, ids: &mut IdMap) -> Self {
        let frame = element.frame_id().filter(|id| scene.get(id).is_some());
        let mut looks = Self {
            frame: frame.map(|id| ids.model_id(&id)),
            group: group(scene, element).map(str::to_owned),
            ..Self::alone(element)
        };
        if let Some(label) = scene.label_of(&element.id) {
            looks.letter(label, TextAlign::Center, VerticalAlign::Middle);
        }
        looks
    }

    /// How an element looks without a look at others.
    pub fn alone(element: &Element) -> Self {
        let kind = element.kind();
        let differs = |value: f64, usual: f64| (value != usual).then_some(value);
        let (color, fill) = match kind {
            ElementKind::StickyNote => {
                let color = Color::from_paper(element.background_color());
                (Some(color).filter(|own| *own != Color::Yellow), None)
            }
            ElementKind::Image | ElementKind::Frame | ElementKind::MagicFrame => (None, None),
            _ => {
                let (color, fill) = read_paint(
                    element.stroke_color(),
                    element.background_color(),
                    element.fill_style(),
                );
                let color = Some(color).filter(|own| *own != Color::default());
                (color, Some(fill).filter(|own| *own != Fill::default()))
            }
        };
        let word = |key: &str| element.props.get(key).and_then(serde_json::Value::as_str);
        let stroked = !matches!(
            kind,
            ElementKind::Text | ElementKind::Image | ElementKind::StickyNote
        ) && !kind.is_frame();
        let mut looks = Self {
            color,
            fill: fill.filter(|_| kind != ElementKind::Text),
            dash: word("strokeStyle")
                .filter(|dash| *dash != "solid" && stroked)
                .map(str::to_owned),
            stroke_width: differs(element.stroke_width(), 2.0).filter(|_| stroked),
            opacity: element
                .number("opacity")
                .and_then(|own| differs(own, 100.0)),
            angle: differs(element.angle().to_degrees().round(), 0.0),
            link: word("link")
                .filter(|link| !link.is_empty())
                .map(str::to_owned),
            locked: element.is_locked(),
            ..Self::default()
        };
        if kind == ElementKind::Text {
            looks.letter(element, TextAlign::Left, VerticalAlign::Top);
        }
        looks
    }

    fn letter(&mut self, words: &Element, align: TextAlign, vertical: VerticalAlign) {
        self.font = font_name(words.font_family()).map(str::to_owned);
        let size = words.font_size().round();
        self.font_size = (size != glade_canvas::factory::FONT_SIZE).then_some(size);
        self.text_align = Some(words.text_align()).filter(|own| *own != align);
        self.vertical_align = Some(words.vertical_align()).filter(|own| *own != vertical);
    }
}

/// The group that a person would take hold of. A polygon of ours has one of its own, with its label.
fn group<'e>(scene: &Scene, element: &'e Element) -> Option<&'e str> {
    let outermost = *element.group_ids().last()?;
    let alone = || {
        let mut members = scene.group_members(outermost);
        members.all(|other| {
            other.id == element.id
                || scene
                    .container_of(&other.id)
                    .is_some_and(|own| own.id == element.id)
        })
    };
    (polygon_kind(element).is_none() || !alone()).then_some(outermost)
}

/// What a font looks like, if it is not the usual hand.
fn font_name(family: FontFamily) -> Option<&'static str> {
    match family {
        FontFamily::Excalifont | FontFamily::Virgil | FontFamily::Other(_) => None,
        FontFamily::Cascadia => Some("code"),
        FontFamily::ComicShanns => Some("comic code"),
        FontFamily::LilitaOne => Some("bold headline"),
        FontFamily::Helvetica
        | FontFamily::Nunito
        | FontFamily::LiberationSans
        | FontFamily::Assistant => Some("plain"),
    }
}

/// An arrow's heads, if they are not one at its end.
pub fn heads(element: &Element) -> Option<&'static str> {
    let has = |key| element.has_arrowhead(key);
    match (has("startArrowhead"), has("endArrowhead")) {
        (false, true) => None,
        (true, true) => Some("both"),
        (true, false) => Some("start"),
        (false, false) => Some("none"),
    }
}

/// Whether it is a way from one point to another, told by its ends rather than by its box.
pub fn is_way(element: &Element) -> bool {
    matches!(view::shape_type(element).as_str(), "arrow" | "line")
}
