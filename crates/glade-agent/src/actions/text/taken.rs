//! What a model writes in the place of a block, read as the Markdown that it was shown.

use glade_doc::Props;
use glade_text::markdown::from_lines;
use glade_text::{Block, NewBlock, Styled};
use serde_json::json;

use crate::action::Refusal;

/// What becomes of a block, and the blocks that come after it.
pub struct Taken {
    pub words: Option<Styled>,
    pub props: Props,
    pub more: Vec<NewBlock>,
}

/// Kinds whose words wear marks, and that may become each other.
const WORDY: [&str; 5] = ["paragraph", "heading", "listItem", "blockquote", "callout"];

/// New words of a block: Markdown, but where words are as they are.
pub fn inner(block: &Block, source: String) -> Styled {
    if is_verbatim(&block.kind) {
        return Styled {
            text: source,
            marks: Vec::new(),
        };
    }
    inline(&source)
}

/// Whether the words of such blocks wear no marks.
pub fn is_verbatim(kind: &str) -> bool {
    ["codeBlock", "formula"].contains(&kind)
}

/// Words with marks, whatever block their first signs would begin.
pub fn inline(source: &str) -> Styled {
    let trimmed = source.trim();
    let (head, tail) = match trimmed {
        "" => (source, ""),
        _ => {
            let at = source.len() - source.trim_start().len();
            (&source[..at], &source[at + trimmed.len()..])
        }
    };
    let inner = one(trimmed)
        .or_else(|| one(&literal(trimmed)))
        .unwrap_or_else(|| Styled {
            text: trimmed.to_owned(),
            marks: Vec::new(),
        });
    let outer = Styled {
        text: format!("{head}{tail}"),
        marks: Vec::new(),
    };
    let at = head.chars().count();
    outer.replaced(at, at, &inner)
}

/// The words of a source that is one paragraph.
fn one(source: &str) -> Option<Styled> {
    match from_lines(source).as_mut_slice() {
        [] => Some(Styled::default()),
        [block] if block.kind == "paragraph" => Some(words(block)),
        _ => None,
    }
}

fn words(block: &NewBlock) -> Styled {
    Styled {
        text: block.text.clone(),
        marks: block.marks.clone(),
    }
}

/// A source whose first sign begins no block.
fn literal(source: &str) -> String {
    let digits = source.len()
        - source
            .trim_start_matches(|ch: char| ch.is_ascii_digit())
            .len();
    let (number, rest) = source.split_at(digits);
    if rest.starts_with(|ch: char| ch.is_ascii_punctuation()) {
        format!("{number}\\{rest}")
    } else {
        source.to_owned()
    }
}

/// What stands in the place of `block`, whose words the model knows as `known`.
pub fn taken(block: &Block, known: &Styled, source: &str) -> Result<Taken, Refusal> {
    let written = || from_lines(source.trim_start());
    let kind = block.kind.as_str();
    if WORDY.contains(&kind) {
        return wordy(block, known, source);
    }
    let refuse = |how: &str| Err(Refusal::new(format!("the block is a {kind}: {how}")));
    let single = |wanted: &str| match written().as_slice() {
        [only] if only.kind == wanted => Some(only.clone()),
        _ => None,
    };
    match kind {
        "codeBlock" if block.is("raw") => Ok(plain(source, Props::new())),
        "codeBlock" => Ok(match single(kind).filter(|_| fenced(source)) {
            Some(code) => plain(&code.text, code.props),
            None => plain(source.trim_matches('\n'), Props::new()),
        }),
        "formula" => Ok(match single(kind) {
            Some(formula) => plain(&formula.text, Props::new()),
            None => plain(source.trim().trim_matches('$').trim(), Props::new()),
        }),
        "image" => match single(kind) {
            Some(picture) => {
                let mut props = picture.props;
                for name in ["title", "href"] {
                    if !block.word(name).is_empty() {
                        props.entry(name).or_insert_with(|| json!(""));
                    }
                }
                if !block.word("fileId").is_empty()
                    && props.get("src") == Some(&json!(address(block)))
                {
                    props.remove("src");
                }
                Ok(Taken {
                    words: None,
                    props,
                    more: Vec::new(),
                })
            }
            None => refuse("write it as ![what it shows](its address)"),
        },
        _ => refuse("delete it, or put another block beside it"),
    }
}

/// Where a picture of this server is, as it is shown.
fn address(block: &Block) -> String {
    format!("/api/blobs/{}", block.word("fileId"))
}

fn fenced(source: &str) -> bool {
    let source = source.trim_start();
    source.starts_with("```") || source.starts_with("~~~")
}

fn plain(text: &str, props: Props) -> Taken {
    Taken {
        words: Some(Styled {
            text: text.to_owned(),
            marks: Vec::new(),
        }),
        props,
        more: Vec::new(),
    }
}

fn wordy(block: &Block, known: &Styled, source: &str) -> Result<Taken, Refusal> {
    let source = source.trim();
    let mut written = from_lines(source).into_iter();
    let Some(first) = written.next() else {
        return Ok(plain("", Props::new()));
    };
    let other = first.kind != block.kind && first.kind != "paragraph";
    // Its own words begin so: signs that it was shown with a backslash.
    let like_words = || {
        let own = from_lines(&known.text).into_iter().next();
        own.is_some_and(|own| own.kind == first.kind)
    };
    if other && like_words() {
        return Ok(Taken {
            words: Some(inline(source)),
            props: Props::new(),
            more: Vec::new(),
        });
    }
    if other && !WORDY.contains(&first.kind.as_str()) && first.kind != "codeBlock" {
        return Err(Refusal::new(format!(
            "a {} does not become a {}: put that after it with block-insert, and delete it",
            block.kind, first.kind
        )));
    }
    let props = if first.kind == block.kind || other {
        said_by_signs(block, &first)
    } else {
        Props::new()
    };
    Ok(Taken {
        words: Some(words(&first)),
        props,
        more: written.collect(),
    })
}

/// What the signs of a block say of it.
fn said_by_signs(block: &Block, written: &NewBlock) -> Props {
    let mut props = Props::new();
    let names: &[&str] = match written.kind.as_str() {
        "heading" => &["level"],
        "callout" => &["tone"],
        "codeBlock" => &["lang"],
        // Nobody leaves a box out to say that it is no task any more.
        "listItem"
            if block.word("list") == "task"
                && written.props.get("list") == Some(&json!("bullet")) =>
        {
            &[]
        }
        "listItem" => &["list"],
        _ => &[],
    };
    for name in names {
        props.extend(
            written
                .props
                .get(*name)
                .map(|value| ((*name).to_owned(), value.clone())),
        );
    }
    if props.get("list") == Some(&json!("task")) {
        let checked = written.props.contains_key("checked");
        props.insert("checked".to_owned(), json!(checked));
    }
    if written.kind != block.kind {
        props.insert("nodeName".to_owned(), json!(written.kind));
    }
    props
}
