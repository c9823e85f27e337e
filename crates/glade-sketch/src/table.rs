//! Simple tables: rows with bars or commas, or columns as indented text.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_canvas::text::{FontFamily, measure, wrap};
use glade_text::values::cells;
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::slug;
use super::outline;
use super::sight::Sight;

const FONT_SIZE: f64 = 20.0;
const WIDEST: f64 = 220.0;
const MAX_ROWS: usize = 60;
const MAX_COLUMNS: usize = 12;

/// The rows of the table that a message asks for, the first being its head.
pub fn parse(message: &str) -> Option<Vec<Vec<String>>> {
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    // A Mermaid arrow has its label between bars.
    if message.contains("->") {
        return None;
    }
    let asks = |line: &str| line.to_ascii_lowercase().contains("table");
    let rows: Vec<Vec<String>> = if lines.iter().filter(|line| line.contains('|')).count() > 1 {
        let rows = lines.iter().filter(|line| line.contains('|'));
        rows.map(|line| cells(line.trim().trim_matches('|'), '|'))
            .filter(|row| {
                !row.iter()
                    .all(|cell| cell.chars().all(|c| ":- ".contains(c)))
            })
            .collect()
    } else {
        if !asks(lines.first()?) {
            return None;
        }
        let (_, inline) = lines[0].split_once(':').unwrap_or(("", ""));
        let body = &lines[1..];
        if body.is_empty() {
            // "table: Name, Age; Ann, 31; Ben, 29"
            let rows: Vec<&str> = inline.split(';').collect();
            rows.iter().map(|row| cells(row, ',')).collect()
        } else if body
            .iter()
            .any(|line| line.contains('\t') && !line.starts_with('\t'))
        {
            body.iter().map(|line| cells(line, '\t')).collect()
        } else if body.iter().filter(|line| line.contains(',')).count() > 1 {
            let head = (!inline.trim().is_empty()).then_some(inline);
            let rows = head.into_iter().chain(body.iter().copied());
            rows.map(|line| cells(&outline::tidy(line), ',')).collect()
        } else {
            columns(&outline::read(body.iter().copied()))?
        }
    };
    let wide = rows.iter().map(Vec::len).max()?;
    let fits = (1..=MAX_COLUMNS).contains(&wide) && (2..=MAX_ROWS).contains(&rows.len());
    (fits && wide > 1).then(|| {
        let fill = |mut row: Vec<String>| {
            row.resize(wide, String::new());
            row
        };
        rows.into_iter().map(fill).collect()
    })
}

/// What stands under a line is its column.
fn columns(items: &[outline::Item]) -> Option<Vec<Vec<String>>> {
    let tall = items.iter().map(|item| item.under.len()).max()?;
    if items.len() < 2 || tall == 0 {
        return None;
    }
    let mut rows = vec![items.iter().map(|item| item.text.clone()).collect()];
    for at in 0..tall {
        let cell = |item: &outline::Item| {
            item.under
                .get(at)
                .map_or(String::new(), |it| it.text.clone())
        };
        rows.push(items.iter().map(cell).collect());
    }
    Some(rows)
}

pub fn draw(rows: &[Vec<String>], sight: &Sight) -> Vec<Value> {
    let wide = rows.first().map_or(0, Vec::len);
    let fit = |text: &str| {
        let wrapped = wrap(text, FontFamily::Excalifont, FONT_SIZE, WIDEST);
        measure(&wrapped, FontFamily::Excalifont, FONT_SIZE)
    };
    let widths: Vec<f64> = (0..wide)
        .map(|column| {
            let texts = rows.iter().filter_map(|row| row.get(column));
            texts
                .map(|text| fit(text).w.ceil() + 36.0)
                .fold(90.0, f64::max)
        })
        .collect();
    let heights: Vec<f64> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|text| fit(text).h.ceil() + 24.0)
                .fold(50.0, f64::max)
        })
        .collect();
    let all = Rect::new(0.0, 0.0, widths.iter().sum(), heights.iter().sum());
    let (dx, dy) = put_down(all, sight);
    let mut taken = BTreeSet::new();
    let mut actions = vec![say(format!(
        "Here is a table of {} rows and {wide} columns.",
        rows.len() - 1
    ))];
    let mut y = dy;
    for (at, row) in rows.iter().enumerate() {
        let mut x = dx;
        for (column, text) in row.iter().enumerate() {
            let (color, fill) = if at == 0 {
                ("blue", "tint")
            } else {
                ("black", "none")
            };
            let id = slug(
                &format!("cell {} {}", at, column + 1),
                "cell",
                &mut taken,
                sight,
            );
            actions.push(json!({"_type": "create", "intent": "cell", "shape": {
                "_type": "rectangle", "shapeId": id, "x": x.round(), "y": y.round(), "w": widths[column], "h": heights[at],
                "color": color, "fill": fill, "text": text,
            }}));
            x += widths[column];
        }
        y += heights[at];
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_in_the_ways_that_people_write_them() {
        let expected: Vec<Vec<String>> = [["Name", "Age"], ["Ann", "31"], ["Ben", "29"]]
            .iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect();
        for message in [
            "| Name | Age |\n|---|---|\n| Ann | 31 |\n| Ben | 29 |",
            "Make a table:\nName, Age\nAnn, 31\nBen, 29",
            "table: Name, Age; Ann, 31; Ben, 29",
            "a table\nName\n  Ann\n  Ben\nAge\n  31\n  29",
        ] {
            assert_eq!(parse(message).as_ref(), Some(&expected), "{message}");
        }
    }

    #[test]
    fn what_is_no_table_is_none() {
        for message in [
            "table",
            "put it on the table",
            "a, b\nc, d",
            "x | y",
            "A -->|yes| B\nA -->|no| C",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
