//! How a new shape looks: what the model says of it, what a shape has that it should be like, what is usual around.

use glade_canvas::element::{TextAlign, VerticalAlign};
use glade_canvas::factory;
use glade_canvas::palette::{Color, Fill};
use glade_canvas::{Element, ElementKind, FontFamily};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::action::Refusal;
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::shapes::{fill, known_color};
use crate::usual_style::UsualStyle;

/// The dashes that there are.
pub const DASHES: [&str; 3] = ["solid", "dashed", "dotted"];
/// How wide a stroke may be.
const WIDTHS: (f64, f64) = (0.5, 20.0);
/// The longest address.
const LONGEST_LINK: usize = 2_000;

/// What of a look goes from one shape to another that is like it.
const SHARED: [&str; 4] = ["strokeWidth", "strokeStyle", "roughness", "opacity"];
const PAINT: [&str; 3] = ["strokeColor", "backgroundColor", "fillStyle"];

/// What is said of how a shape looks, here and in updates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wishes {
    pub color: Option<Color>,
    pub fill: Option<Fill>,
    pub dash: Option<&'static str>,
    pub stroke_width: Option<f64>,
    pub opacity: Option<f64>,
    pub link: Option<String>,
    pub font_size: Option<f64>,
    pub align: Option<TextAlign>,
    pub vertical: Option<VerticalAlign>,
    pub like: Option<ElementId>,
    /// What was taken for something else.
    pub adjusted: Vec<String>,
}

impl Wishes {
    pub fn read(given: PartialObject<'_>, ctx: &ActionContext<'_, '_>) -> Result<Self, Refusal> {
        let mut adjusted = Vec::new();
        let color = given.word("color").map(|name| {
            let color = Color::from_name(name);
            if !known_color(name) {
                let taken = color.name();
                adjusted.push(format!("there is no color \"{name}\": {taken} was taken"));
            }
            color
        });
        let wanted = given.word("fill");
        let filled = wanted.and_then(fill);
        if let (Some(name), None) = (wanted, filled) {
            adjusted.push(format!("there is no fill \"{name}\": it was left out"));
        }
        let wanted = given.word("dash");
        let dash = wanted.and_then(|name| DASHES.into_iter().find(|dash| *dash == name));
        if let (Some(name), None) = (wanted, dash) {
            adjusted.push(format!("there is no dash \"{name}\": it was left out"));
        }
        let like = match given.id("like") {
            None => None,
            Some(name) => match ctx.resolve(name) {
                Some(id) => Some(id),
                None if given.is_complete() => {
                    adjusted.push(format!("there is no shape \"{name}\" for it to be like"));
                    None
                }
                None => None,
            },
        };
        Ok(Self {
            color,
            fill: filled,
            dash,
            stroke_width: given
                .number("strokeWidth")
                .map(|n| n.clamp(WIDTHS.0, WIDTHS.1)),
            opacity: given.number("opacity").map(|n| n.clamp(0.0, 100.0)),
            link: given
                .word("link")
                .filter(|link| link.len() <= LONGEST_LINK)
                .map(str::to_owned),
            font_size: given.number("fontSize").map(|n| n.clamp(8.0, 200.0)),
            align: given.word("textAlign").and_then(|name| match name {
                "left" => Some(TextAlign::Left),
                "center" => Some(TextAlign::Center),
                "right" => Some(TextAlign::Right),
                _ => None,
            }),
            vertical: given.word("verticalAlign").and_then(|name| match name {
                "top" => Some(VerticalAlign::Top),
                "middle" => Some(VerticalAlign::Middle),
                "bottom" => Some(VerticalAlign::Bottom),
                _ => None,
            }),
            like,
            adjusted,
        })
    }

    /// Properties that are said outright, of any shape.
    pub fn plain_props(&self) -> Props {
        let mut props = Props::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                props.insert(key.to_owned(), value);
            }
        };
        put("strokeStyle", self.dash.map(|dash| json!(dash)));
        put("strokeWidth", self.stroke_width.map(|width| json!(width)));
        put("opacity", self.opacity.map(|opacity| json!(opacity)));
        let link = |link: &String| {
            if link.is_empty() {
                Value::Null
            } else {
                json!(link)
            }
        };
        put("link", self.link.as_ref().map(link));
        props
    }

    /// What is said of how the words of a shape are set.
    pub fn label_props(&self) -> Props {
        let mut props = Props::new();
        if let Some(size) = self.font_size {
            props.insert("fontSize".to_owned(), json!(size));
        }
        if let Some(align) = self.align {
            props.insert("textAlign".to_owned(), json!(align));
        }
        if let Some(vertical) = self.vertical {
            props.insert("verticalAlign".to_owned(), json!(vertical));
        }
        props
    }

    /// Dresses a new shape. What is said comes before what it should be like, and that before what is usual.
    pub fn dress(&self, props: &mut Props, like: Option<&Element>, usual: &UsualStyle) {
        let own = Element::new("", props.clone());
        let kind = own.kind();
        if matches!(kind, ElementKind::Text) || kind.is_frame() {
            props.extend(self.plain_props());
            return;
        }
        match like {
            Some(like) => {
                let mut keys = SHARED.to_vec();
                if class(&kind) == class(&like.kind()) {
                    keys.extend(PAINT);
                }
                if kind == like.kind() {
                    keys.push("roundness");
                }
                for key in keys {
                    if let Some(value) = like.props.get(key) {
                        props.insert(key.to_owned(), value.clone());
                    }
                }
                self.paint_over(props, like);
            }
            None if kind != ElementKind::StickyNote => {
                if let Some(roughness) = usual.roughness {
                    props.insert("roughness".to_owned(), json!(roughness));
                }
                if let Some(width) = usual.stroke_width {
                    props.insert("strokeWidth".to_owned(), json!(width));
                }
                if usual.sharp && matches!(kind, ElementKind::Rectangle | ElementKind::Diamond) {
                    props.insert("roundness".to_owned(), Value::Null);
                }
            }
            None => {}
        }
        props.extend(self.plain_props());
    }

    /// A colour or a fill that is said stands over what the other shape has.
    fn paint_over(&self, props: &mut Props, like: &Element) {
        if self.color.is_none() && self.fill.is_none() {
            return;
        }
        if like.kind() == ElementKind::StickyNote {
            if let Some(color) = self.color {
                props.insert("backgroundColor".to_owned(), json!(color.paper()));
                props.insert("strokeColor".to_owned(), json!(color.ink_on_paper()));
            }
            return;
        }
        let (color, fill) = glade_canvas::palette::read_paint(
            like.stroke_color(),
            like.background_color(),
            like.fill_style(),
        );
        let paint = self.color.unwrap_or(color).paint(self.fill.unwrap_or(fill));
        props.insert("strokeColor".to_owned(), json!(paint.stroke_color));
        props.insert("backgroundColor".to_owned(), json!(paint.background_color));
        props.insert("fillStyle".to_owned(), json!(paint.fill_style));
    }

    /// Sets the words of a new shape as those of the shape that it is like, or as is usual around.
    pub fn set_label(&self, label: &mut Props, like: Option<&Element>, usual: &UsualStyle) {
        if let Some(family) = family(like, usual) {
            label.extend(factory::family_props(family));
        }
        if let Some(like) = like {
            label.insert("fontSize".to_owned(), json!(like.font_size()));
        }
        let own = self.label_props();
        if let (Some(size), true) = (own.get("fontSize"), label.contains_key("baseFontSize")) {
            label.insert("baseFontSize".to_owned(), size.clone());
        }
        label.extend(own);
    }
}

/// The family of new words.
pub fn family(like: Option<&Element>, usual: &UsualStyle) -> Option<FontFamily> {
    like.map(Element::font_family).or(usual.family)
}

/// Shapes whose paint means the same.
fn class(kind: &ElementKind) -> u8 {
    match kind {
        ElementKind::StickyNote => 1,
        ElementKind::Arrow => 2,
        ElementKind::Text => 3,
        _ => 0,
    }
}
