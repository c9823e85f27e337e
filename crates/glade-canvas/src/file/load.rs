//! Reading a scene, and making every element fit for the document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use glade_doc::schema::{MAX_NAME_BYTES, NOT_STORED};
use glade_doc::{Edit, ElementId, Props, rules};
use serde_json::{Value, json};

use super::{FileError, elbow, eras, old_binding, png, svg, tldr, weigh};
use crate::element::{Element, ElementKind};
use crate::render::ImageFile;
use crate::repair::repair_order;
use crate::scene::Scene;

/// No file is larger, packed or unpacked.
pub(super) const MAX_BYTES: usize = 64 << 20;
pub(super) const MAX_ELEMENTS: usize = 200_000;
/// A path with more points is left out: nobody drew it.
const MAX_POINTS: usize = 200_000;

/// A scene from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loaded {
    /// Bottom first, each with a valid order key; what the document does not store is left out.
    pub elements: Vec<Element>,
    pub app_state: Props,
    /// Image data by file id, as it came.
    pub files: Props,
    /// The lines of each text as the editor broke them, which the document does not store.
    pub lines: BTreeMap<ElementId, String>,
    /// What was repaired or left out, in the file's order.
    pub notes: Vec<Note>,
}

impl Loaded {
    pub fn scene(&self) -> Scene {
        self.elements.iter().cloned().collect()
    }

    /// Leaves out elements of a kind that no page takes. A picture of the file has them.
    pub fn leave_out_barred(&mut self) {
        let notes = &mut self.notes;
        self.elements.retain(|element| {
            let kind = element.props.get("type");
            let fits = kind.is_some_and(|kind| rules::check("type", kind).is_ok());
            if !fits {
                notes.push(Note::Skipped {
                    what: format!("the element {:?}", element.id.as_str()),
                    reason: "it is of a kind that no page has".to_owned(),
                });
            }
            fits
        });
    }

    /// The scene with the lines of texts where the file has them: what a picture of the file shows.
    pub fn as_drawn(&self) -> Scene {
        let with_lines = |element: &Element| match self.lines.get(&element.id) {
            Some(lines) => element.with(&Props::from_iter([("text".to_owned(), json!(lines))])),
            None => element.clone(),
        };
        self.elements.iter().map(with_lines).collect()
    }

    /// The image data that can be understood, by file id.
    pub fn images(&self) -> BTreeMap<String, ImageFile> {
        let image = |(id, file): (&String, &Value)| {
            let url = file.get("dataURL")?.as_str()?;
            Some((id.clone(), ImageFile::from_data_url(url)?))
        };
        self.files.iter().filter_map(image).collect()
    }

    /// The page's colour, where the file says one.
    pub fn background(&self) -> Option<&str> {
        self.app_state.get("viewBackgroundColor")?.as_str()
    }

    /// The edits that put everything on an empty page.
    pub fn edits(&self) -> Vec<Edit> {
        let put = |element: &Element| Edit::Put {
            id: element.id.clone(),
            props: element.props.clone(),
        };
        self.elements.iter().map(put).collect()
    }
}

/// One thing that was not taken as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Left out: what it was, and why.
    Skipped { what: String, reason: String },
    /// Brought as something else that comes near.
    Mapped { what: String, to: String },
    /// The id was missing, not fit or taken.
    Renamed { from: String, to: ElementId },
    /// A property that the document cannot hold.
    Dropped {
        element: ElementId,
        property: String,
    },
    /// A binding of an older file, now aimed as the newer ones are.
    Rebound { arrow: ElementId },
    /// An elbow arrow whose way was not square.
    Rerouted { arrow: ElementId },
    /// A text that only its container knew as its label.
    Labelled {
        text: ElementId,
        container: ElementId,
    },
    /// A tie to the element itself or to what is not in the file.
    Untied {
        element: ElementId,
        property: String,
    },
}

impl Note {
    /// Whether something that a person may look for is not there, or not as it was.
    pub fn is_loss(&self) -> bool {
        match self {
            Self::Skipped { .. } | Self::Mapped { .. } | Self::Dropped { .. } => true,
            Self::Renamed { .. }
            | Self::Rebound { .. }
            | Self::Rerouted { .. }
            | Self::Labelled { .. }
            | Self::Untied { .. } => false,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped { what, reason } => write!(f, "left out {what}: {reason}"),
            Self::Mapped { what, to } => write!(f, "brought {what} as {to}"),
            Self::Renamed { from, to } => {
                write!(f, "gave the element {from:?} the id {:?}", to.as_str())
            }
            Self::Dropped { element, property } => write!(
                f,
                "dropped {property:?} of {:?}: the document cannot hold it",
                element.as_str()
            ),
            Self::Rebound { arrow } => {
                write!(f, "converted a binding of the arrow {:?}", arrow.as_str())
            }
            Self::Rerouted { arrow } => {
                write!(f, "found a square way for the arrow {:?}", arrow.as_str())
            }
            Self::Labelled { text, container } => write!(
                f,
                "tied the text {:?} to {:?}, which says that it is its label",
                text.as_str(),
                container.as_str()
            ),
            Self::Untied { element, property } => {
                write!(
                    f,
                    "cut {property} of {:?}: it leads nowhere",
                    element.as_str()
                )
            }
        }
    }
}

/// Reads a scene from any file that can hold one: `.excalidraw`, `.tldr`, a PNG or an SVG with the scene embedded.
pub fn from_any(bytes: &[u8]) -> Result<Loaded, FileError> {
    if bytes.starts_with(png::SIGNATURE) {
        return from_excalidraw(&png::read_png(bytes)?);
    }
    let start = bytes
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
    match start.and_then(|at| bytes.get(at)) {
        Some(b'<') => from_excalidraw(&svg::read_svg(bytes)?),
        _ => {
            let file = parse(bytes)?;
            if tldr::is_tldr(&file) {
                tldr::read(file)
            } else {
                read(file)
            }
        }
    }
}

/// Reads the JSON of a scene, of any version from 0.17 on.
pub fn from_excalidraw(bytes: &[u8]) -> Result<Loaded, FileError> {
    read(parse(bytes)?)
}

fn read(mut file: Props) -> Result<Loaded, FileError> {
    if file.get("type").and_then(Value::as_str) == Some("excalidrawlib") {
        return Err(FileError::Library);
    }
    let Some(Value::Array(elements)) = file.remove("elements") else {
        return Err(FileError::NotAScene {
            what: "JSON without a list of elements".to_owned(),
        });
    };
    let mut object = |key: &str| match file.remove(key) {
        Some(Value::Object(object)) => object,
        _ => Props::new(),
    };
    let (app_state, files) = (object("appState"), object("files"));
    let Read {
        elements,
        lines,
        mut notes,
    } = read_elements(elements)?;
    note_images(&elements, &files, &mut notes);
    Ok(Loaded {
        elements,
        app_state,
        files,
        lines,
        notes,
    })
}

/// Says which images show nothing but the sign for a broken one.
fn note_images(elements: &[Element], files: &Props, notes: &mut Vec<Note>) {
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    for element in elements {
        let id = element.props.get("fileId").and_then(Value::as_str);
        let Some(id) = id.filter(|_| element.kind() == ElementKind::Image) else {
            continue;
        };
        let why = match files.get(id) {
            None => "an empty one, since its data is not in the file",
            Some(file) => {
                let url = || file.get("dataURL")?.as_str();
                let is_known = || {
                    let image = url().and_then(ImageFile::from_data_url);
                    image.is_some_and(|image| image.is_known())
                };
                if *known.entry(id).or_insert_with(is_known) {
                    continue;
                }
                "an empty one, since its data is broken or too large"
            }
        };
        notes.push(Note::Mapped {
            what: format!("the image {:?}", element.id.as_str()),
            to: why.to_owned(),
        });
    }
}

/// The object that a JSON file is.
pub(super) fn parse(bytes: &[u8]) -> Result<Props, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError::TooLarge {
            what: "bytes",
            count: bytes.len(),
            limit: MAX_BYTES,
        });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    weigh::check(bytes)?;
    // Nesting is bounded by the parser.
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(file)) => Ok(file),
        Ok(_) => Err(FileError::NotAScene {
            what: "JSON that is not an object".to_owned(),
        }),
        Err(error) => Err(FileError::Json(error.to_string())),
    }
}

/// Elements of a file, and what was kept of it beside them.
#[derive(Default)]
pub(super) struct Read {
    pub elements: Vec<Element>,
    pub lines: BTreeMap<ElementId, String>,
    pub notes: Vec<Note>,
}

/// Elements fit for the document, in the order given, which is their z order.
pub(super) fn read_elements(values: Vec<Value>) -> Result<Read, FileError> {
    if values.len() > MAX_ELEMENTS {
        return Err(FileError::TooLarge {
            what: "elements",
            count: values.len(),
            limit: MAX_ELEMENTS,
        });
    }
    let mut read = Read::default();
    let mut taken = BTreeSet::new();
    let mut containers = BTreeMap::new();
    for (at, value) in values.into_iter().enumerate() {
        let labels = value.as_object().map(eras::bound_texts).unwrap_or_default();
        let lines = value.get("text").and_then(Value::as_str).map(str::to_owned);
        let Some(element) = read_element(at, value, &mut taken, &mut read.notes) else {
            continue;
        };
        if let Some(lines) = lines.filter(|_| element.kind() == ElementKind::Text) {
            read.lines.insert(element.id.clone(), lines);
        }
        for label in labels {
            containers
                .entry(label)
                .or_insert_with(|| element.id.clone());
        }
        read.elements.push(element);
    }
    eras::tie_labels(&mut read.elements, &containers, &mut read.notes);
    untie(&mut read.elements, &mut read.notes);
    old_binding::convert(&mut read.elements, &mut read.notes);
    elbow::straighten(&mut read.elements, &mut read.notes);
    repair_order(&mut read.elements);
    Ok(read)
}

fn read_element(
    at: usize,
    value: Value,
    taken: &mut BTreeSet<ElementId>,
    notes: &mut Vec<Note>,
) -> Option<Element> {
    let mut skip = |reason: &str| {
        notes.push(Note::Skipped {
            what: format!("element {at}"),
            reason: reason.to_owned(),
        });
        None
    };
    let Value::Object(mut props) = value else {
        return skip("it is not an object");
    };
    let kind = props.get("type").and_then(Value::as_str).unwrap_or("");
    if kind.is_empty() {
        return skip("it has no type");
    }
    if kind == "selection" || props.get("isDeleted") == Some(&Value::Bool(true)) {
        return None; // what an editor leaves behind, not content
    }
    let points = props.get("points").and_then(Value::as_array);
    if points.is_some_and(|points| points.len() > MAX_POINTS) {
        return skip("it has too many points");
    }
    eras::update(&mut props);
    let kind = props.get("type").and_then(Value::as_str).unwrap_or("");
    let typed = props.get("originalText").and_then(Value::as_str);
    if kind == "text" && typed.is_none_or(str::is_empty) {
        let drawn = props.get("text").and_then(Value::as_str).unwrap_or("");
        let words = json!(drawn);
        props.insert("originalText".to_owned(), words);
    } else if kind != "text"
        && props
            .get("originalText")
            .is_some_and(|text| !text.is_string())
    {
        props.remove("originalText");
    }
    let given = props
        .get("id")
        .and_then(Value::as_str)
        .unwrap_or("")
        .to_owned();
    let id = fresh_id(&given, at, taken);
    if id.as_str() != given {
        notes.push(Note::Renamed {
            from: given,
            to: id.clone(),
        });
    }
    for name in NOT_STORED {
        props.shift_remove(name);
    }
    props.retain(|name, value| {
        let fits = is_sane(name) && (name == "type" || rules::check(name, value).is_ok());
        if !fits {
            notes.push(Note::Dropped {
                element: id.clone(),
                property: name.chars().take(40).collect(),
            });
        }
        fits
    });
    // Without its fill or its points it can be drawn.
    while let Some(fault) = rules::too_many_strokes(&props) {
        props.shift_remove(&fault.property)?;
        notes.push(Note::Dropped {
            element: id.clone(),
            property: fault.property,
        });
    }
    Some(Element { id, props })
}

fn fresh_id(given: &str, at: usize, taken: &mut BTreeSet<ElementId>) -> ElementId {
    let base = if is_sane(given) {
        given.to_owned()
    } else {
        format!("element-{at}")
    };
    let mut id = ElementId::from(base.as_str());
    let mut copy = 2;
    while !taken.insert(id.clone()) {
        let short: String = base.chars().take(24).collect();
        id = ElementId::from(format!("{short}-{at}-{copy}").as_str());
        copy += 1;
    }
    id
}

fn is_sane(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control)
}

/// Cuts ties to the element itself and to what is not there.
fn untie(elements: &mut [Element], notes: &mut Vec<Note>) {
    let kinds: BTreeMap<ElementId, bool> = elements
        .iter()
        .map(|element| (element.id.clone(), element.kind().is_frame()))
        .collect();
    for element in elements {
        for key in ["containerId", "frameId", "startBinding", "endBinding"] {
            let target = match element.props.get(key) {
                Some(Value::String(id)) => Some(id.as_str()),
                Some(value) => value.get("elementId").and_then(Value::as_str),
                None => None,
            };
            let Some(target) = target.map(ElementId::from) else {
                continue;
            };
            let known = kinds.get(&target);
            // A frame in a frame could lie in a circle of them; the editor has none.
            let frame_in_frame = key == "frameId" && element.kind().is_frame();
            if known.is_none() || target == element.id || frame_in_frame {
                element.props.insert(key.to_owned(), Value::Null);
                notes.push(Note::Untied {
                    element: element.id.clone(),
                    property: key.to_owned(),
                });
            }
        }
    }
}
