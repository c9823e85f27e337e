//! What a person may ask of `sketch` in a code project, read from their words.

/// A request that it understands, or `Unknown`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Find {
        text: String,
    },
    List {
        folder: String,
    },
    Show {
        file: String,
    },
    Replace {
        old: String,
        new: String,
        file: Option<String>,
    },
    RenameWord {
        old: String,
        new: String,
    },
    MoveFile {
        from: String,
        to: String,
    },
    Add {
        path: String,
        text: String,
    },
    Delete {
        path: String,
    },
    Unknown,
}

impl Request {
    pub fn of(message: &str) -> Request {
        let message = message.trim();
        let message = after(message, &["please ", "can you ", "could you "]).unwrap_or(message);
        list(message)
            .or_else(|| add(message))
            .or_else(|| replace(message))
            .or_else(|| rename(message))
            .or_else(|| delete(message))
            .or_else(|| find(message))
            .or_else(|| show(message))
            .unwrap_or(Request::Unknown)
    }
}

fn list(message: &str) -> Option<Request> {
    let rest = after(message, &["list ", "show ", "what "])?;
    let rest = after(rest, &["all the ", "all ", "the ", "me the "]).unwrap_or(rest);
    let rest = after(rest, &["files"])?;
    let folder = after(rest, &["are in ", "in ", "under ", "below "])
        .map_or("", |folder| unquoted(folder.trim_end_matches('?')));
    Some(Request::List {
        folder: folder.to_owned(),
    })
}

fn add(message: &str) -> Option<Request> {
    let rest = after(message, &["add ", "create ", "write ", "make "])?;
    let rest = after(rest, &["a new ", "a ", "new ", "the "]).unwrap_or(rest);
    let rest = after(rest, &["file "])?;
    let (path, text) = parted(
        rest,
        &[
            " with the text ",
            " with the content ",
            " containing ",
            " with ",
            ":\n",
            ": ",
        ],
    )?;
    let text = unquoted(text);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    Some(Request::Add {
        path: unquoted(path).to_owned(),
        text: format!("{text}{end}"),
    })
}

fn replace(message: &str) -> Option<Request> {
    let rest = after(message, &["replace ", "change "])?;
    let (old, rest) = parted(rest, &[" with ", " by ", " to "])?;
    let rest = rest.trim_end_matches('.');
    let rest = rest.strip_suffix(" everywhere").unwrap_or(rest);
    let (new, file) = match parted(rest, &[" in "]) {
        Some((new, file)) if looks_like_file(unquoted(file)) => {
            (new, Some(unquoted(file).to_owned()))
        }
        _ => (rest, None),
    };
    of_two_words(old, new, |old, new| Request::Replace { old, new, file })
}

fn rename(message: &str) -> Option<Request> {
    let rest = after(message, &["rename ", "move "])?;
    let rest = after(
        rest,
        &["the file ", "file ", "the function ", "the variable "],
    )
    .unwrap_or(rest);
    let (old, new) = parted(rest, &[" to ", " into ", " as "])?;
    let new = new.strip_suffix(" everywhere").unwrap_or(new);
    of_two_words(old, new, |old, new| {
        if looks_like_file(&old) {
            Request::MoveFile { from: old, to: new }
        } else {
            Request::RenameWord { old, new }
        }
    })
}

fn delete(message: &str) -> Option<Request> {
    let rest = after(message, &["delete ", "remove "])?;
    let rest = after(rest, &["the file ", "file "]).unwrap_or(rest);
    let path = unquoted(rest.trim_end_matches('.'));
    looks_like_file(path).then(|| Request::Delete {
        path: path.to_owned(),
    })
}

fn find(message: &str) -> Option<Request> {
    let rest = after(
        message,
        &[
            "find all ",
            "find ",
            "search for ",
            "search ",
            "look for ",
            "where is ",
            "grep ",
        ],
    )?;
    let text = unquoted(rest.trim_end_matches('?'));
    (!text.is_empty()).then(|| Request::Find {
        text: text.to_owned(),
    })
}

fn show(message: &str) -> Option<Request> {
    let rest = after(message, &["show me ", "show ", "read ", "open ", "print "])?;
    let rest = after(rest, &["the file ", "file "]).unwrap_or(rest);
    let file = unquoted(rest);
    looks_like_file(file).then(|| Request::Show {
        file: file.to_owned(),
    })
}

fn of_two_words(
    old: &str,
    new: &str,
    request: impl FnOnce(String, String) -> Request,
) -> Option<Request> {
    let (old, new) = (unquoted(old), unquoted(new));
    (!old.is_empty() && old != new).then(|| request(old.to_owned(), new.to_owned()))
}

/// What follows one of these beginnings, however they are capitalised.
fn after<'a>(text: &'a str, heads: &[&str]) -> Option<&'a str> {
    heads.iter().find_map(|head| {
        let start = text.get(..head.len())?;
        start
            .eq_ignore_ascii_case(head)
            .then(|| text[head.len()..].trim_start_matches(' '))
    })
}

/// The text before and after the first of these separators that stands outside quotes.
fn parted<'a>(text: &'a str, separators: &[&str]) -> Option<(&'a str, &'a str)> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '`') => quote = Some(c),
            None => {
                let found = separators.iter().find(|s| {
                    text.get(at..at + s.len())
                        .is_some_and(|here| here.eq_ignore_ascii_case(s))
                });
                if let Some(separator) = found {
                    return Some((&text[..at], &text[at + separator.len()..]));
                }
            }
        }
    }
    None
}

fn unquoted(text: &str) -> &str {
    let trimmed = text.trim_matches([' ', '\t']);
    ['"', '`', '\'']
        .iter()
        .find_map(|quote| trimmed.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(trimmed)
}

fn looks_like_file(text: &str) -> bool {
    !text.contains(' ') && (text.contains('/') || text.trim_start_matches('.').contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_in_many_words() {
        let s = str::to_owned;
        let cases = [
            ("find \"TODO\"", Request::Find { text: s("TODO") }),
            (
                "Where is parse_config?",
                Request::Find {
                    text: s("parse_config"),
                },
            ),
            ("list files", Request::List { folder: s("") }),
            (
                "Show me the files in src?",
                Request::List { folder: s("src") },
            ),
            (
                "show src/main.rs",
                Request::Show {
                    file: s("src/main.rs"),
                },
            ),
            (
                "replace \"a with b\" with c everywhere",
                Request::Replace {
                    old: s("a with b"),
                    new: s("c"),
                    file: None,
                },
            ),
            (
                "please replace foo by bar in src/lib.rs",
                Request::Replace {
                    old: s("foo"),
                    new: s("bar"),
                    file: Some(s("src/lib.rs")),
                },
            ),
            (
                "rename total to sum",
                Request::RenameWord {
                    old: s("total"),
                    new: s("sum"),
                },
            ),
            (
                "rename file a.txt to docs/b.txt",
                Request::MoveFile {
                    from: s("a.txt"),
                    to: s("docs/b.txt"),
                },
            ),
            (
                "add a file notes/todo.txt with buy milk",
                Request::Add {
                    path: s("notes/todo.txt"),
                    text: s("buy milk\n"),
                },
            ),
            (
                "delete notes.txt",
                Request::Delete {
                    path: s("notes.txt"),
                },
            ),
            ("make it faster", Request::Unknown),
            ("delete everything", Request::Unknown),
            ("replace a with a", Request::Unknown),
            ("", Request::Unknown),
        ];
        for (message, request) in cases {
            assert_eq!(Request::of(message), request, "{message:?}");
        }
    }
}
