//! What was found, as a model reads it.

use serde_json::Value;

use crate::results::{counted, fenced, list, name, number, numbered, text};

/// Each file with the number of its matches; a matching line has a colon behind its number, one
/// around it a dash.
pub fn print(output: &Value) -> Option<String> {
    let (total, searched) = (
        number(output, "totalMatches")?,
        number(output, "filesSearched")?,
    );
    let files = number(output, "totalFiles")?;
    if total == 0 {
        return Some(format!("No line matches in {}.", counted(searched, "file")));
    }
    let mut lines = String::new();
    for file in list(output, "files")? {
        let count = number(file, "matches")?;
        let shown = list(file, "lines")?;
        let matching = shown
            .iter()
            .filter(|line| line.get("column").is_some())
            .count() as u64;
        let part = if matching < count {
            format!(", the first {matching}")
        } else {
            String::new()
        };
        lines.push_str(&format!("{} ({count}{part})\n", name(text(file, "path")?)));
        let mut last = None;
        for line in shown {
            let at = number(line, "line")?;
            let around = shown.len() as u64 > matching;
            if around && last.is_some_and(|last| last + 1 < at) {
                lines.push_str("…\n");
            }
            last = Some(at);
            let sign = if line.get("column").is_some() {
                ':'
            } else {
                '-'
            };
            numbered(&mut lines, at, sign, text(line, "text")?);
        }
    }
    let mut printed = format!(
        "{} in {} of {searched} searched:\n{}",
        counted(total, "match").replace("matchs", "matches"),
        counted(files, "file"),
        fenced(&lines)
    );
    let others = list(output, "otherFiles")?;
    if !others.is_empty() {
        let mut names = String::new();
        for file in others {
            names.push_str(&format!(
                "{} ({})\n",
                name(text(file, "path")?),
                number(file, "matches")?
            ));
        }
        let listed = list(output, "files")?.len() + others.len();
        let more = match files.saturating_sub(listed as u64) {
            0 => String::new(),
            more => format!("\nand {more} more files"),
        };
        printed.push_str(&format!(
            "\nAlso, without their lines:\n{}{more}",
            fenced(&names)
        ));
    }
    if output["truncated"] == true {
        printed.push_str(
            "\n(Not all are shown: narrow it down by include_file_pattern, or ask for one file.)",
        );
    }
    Some(printed)
}
