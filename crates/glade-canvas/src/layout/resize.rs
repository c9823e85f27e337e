//! Scaling shapes about any point.

use glade_doc::{Edit, ElementId, Props};
use serde_json::{Value, json};

use super::shift::Changes;
use super::unit::units;
use crate::bounds::local_rect;
use crate::change;
use crate::element::{Element, ElementKind, read_pair};
use crate::geo::path_props;
use crate::geometry::{COORDINATE_LIMIT, Point, Size};
use crate::note;
use crate::scene::Scene;

/// Scales these shapes about `origin`, in page space. A negative factor mirrors. A rotated shape keeps its angle
/// and is scaled along its own sides by as much as they lie along the axes. Text that sets its own width changes
/// its font size by the smaller factor. A factor of nothing, or no number, gives no edits.
pub fn resize(
    scene: &Scene,
    ids: &[ElementId],
    scale_x: f64,
    scale_y: f64,
    origin: Point,
) -> Vec<Edit> {
    let usable = |scale: f64| scale.is_finite() && scale != 0.0 && scale.abs() < COORDINATE_LIMIT;
    if !usable(scale_x) || !usable(scale_y) {
        return Vec::new();
    }
    let scale = Scale {
        x: scale_x,
        y: scale_y,
        origin: origin.sane(),
    };
    let mut changes = Changes::new(scene);
    for unit in units(scene, ids) {
        for element in unit.members.iter().filter_map(|id| scene.get(id)) {
            changes.put(&element.id, scale.apply(element));
        }
    }
    changes.finish()
}

struct Scale {
    x: f64,
    y: f64,
    origin: Point,
}

impl Scale {
    fn apply(&self, element: &Element) -> Props {
        let rect = local_rect(element);
        let angle = element.angle();
        let center = self.point(rect.center());
        // How much each side of the box grows, turned as it is.
        let (sin, cos) = angle.sin_cos();
        let along = (self.x * cos).hypot(self.y * sin);
        let across = (self.x * sin).hypot(self.y * cos);
        let size = Size::new(rect.w * along, rect.h * across);
        let mut props = Props::new();
        if self.x * self.y < 0.0 && angle != 0.0 {
            change::number(&mut props, element, "angle", -angle, 0.0);
        }
        match element.kind() {
            kind if kind.is_linear() => {
                let mirror = (self.x.signum(), self.y.signum());
                self.path(&mut props, element, (along, across), mirror);
            }
            ElementKind::Text => text(&mut props, element, center, (along, across)),
            ElementKind::Image => {
                place(&mut props, element, center, size);
                self.mirror_image(&mut props, element);
            }
            ElementKind::StickyNote => {
                let size = Size::new(size.w.max(note::MIN_SIZE), size.h.max(note::MIN_SIZE));
                place(&mut props, element, center, size);
                change::number(&mut props, element, "baseHeight", size.h, 0.0);
            }
            _ => place(&mut props, element, center, size),
        }
        props
    }

    /// An image has a front: mirrored, it says so.
    fn mirror_image(&self, props: &mut Props, element: &Element) {
        if self.x > 0.0 && self.y > 0.0 {
            return;
        }
        let own = element.props.get("scale").and_then(Value::as_array);
        let axis = |at: usize| {
            let stored = own.and_then(|own| own.get(at)?.as_f64());
            stored.filter(|stored| *stored < 0.0).map_or(1, |_| -1)
        };
        let turned = |axis: i32, by: f64| if by < 0.0 { -axis } else { axis };
        let scale = json!([turned(axis(0), self.x), turned(axis(1), self.y)]);
        props.insert("scale".to_owned(), scale);
    }

    fn point(&self, point: Point) -> Point {
        Point::new(
            self.origin.x + (point.x - self.origin.x) * self.x,
            self.origin.y + (point.y - self.origin.y) * self.y,
        )
        .sane()
    }

    /// Points are scaled along the path's own sides about its middle, and mirrored there.
    fn path(
        &self,
        props: &mut Props,
        element: &Element,
        (along, across): (f64, f64),
        mirror: (f64, f64),
    ) {
        let middle = local_rect(element).center();
        let center = self.point(middle);
        let (x, y) = (element.x(), element.y());
        let scaled = |point: Point| {
            let (dx, dy) = (point.x + x - middle.x, point.y + y - middle.y);
            center.translate(dx * along * mirror.0, dy * across * mirror.1)
        };
        let points: Vec<Point> = element.points().into_iter().map(scaled).collect();
        props.extend(path_props(&points));
        if let (Some(Value::Array(held)), Some(first)) =
            (element.props.get("fixedSegments"), points.first())
        {
            let place = |at: Point| scaled(at).translate(-first.x, -first.y);
            let held = held.iter().map(|part| held_part(part, place)).collect();
            props.insert("fixedSegments".to_owned(), Value::Array(held));
        }
    }
}

/// A part of an elbow arrow that a person put in place, where its corners are now.
fn held_part(part: &Value, place: impl Fn(Point) -> Point) -> Value {
    let mut part = part.clone();
    for key in ["start", "end"] {
        if let Some(end) = part.get_mut(key)
            && let Some((x, y)) = read_pair(end)
        {
            let at = place(Point::new(x, y));
            *end = json!([at.x, at.y]);
        }
    }
    part
}

fn text(props: &mut Props, element: &Element, center: Point, (along, across): (f64, f64)) {
    let factor = along.min(across);
    let font = (element.font_size() * factor).clamp(1.0, 2000.0);
    let real = font / element.font_size();
    change::number(props, element, "fontSize", font, 0.0);
    let width = if element.auto_resize() {
        element.width() * real
    } else {
        element.width() * along
    };
    let size = Size::new(width, element.height() * real);
    place(props, element, center, size);
}

fn place(props: &mut Props, element: &Element, center: Point, size: Size) {
    change::number(props, element, "x", center.x - size.w / 2.0, 0.0);
    change::number(props, element, "y", center.y - size.h / 2.0, 0.0);
    change::number(props, element, "width", size.w, 0.0);
    change::number(props, element, "height", size.h, 0.0);
}
