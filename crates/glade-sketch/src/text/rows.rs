//! Tables of lines of values.

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use glade_text::markdown::escaped;
use glade_text::values::{cells, longest_run};
use serde_json::{Value, json};

use super::super::answer::say;
use super::{chosen, counted, insert, table_block};

/// The longest run of lines of values becomes a table; nothing else is touched.
pub fn table_of(page: &TextBlocks) -> Vec<Value> {
    let lines = lines(page);
    let words: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
    let found = longest_run(&words).and_then(|(run, sign)| {
        let mut blocks: Vec<&SeenBlock> = lines[run.clone()]
            .iter()
            .filter_map(|line| line.0)
            .collect();
        blocks.dedup_by_key(|block| &block.block_id);
        let last = *blocks.last()?;
        Some((run, sign, blocks, last))
    });
    let Some((run, sign, blocks, last)) = found else {
        return vec![say(
            "There are no lines of values to make a table of: two or more, with commas, semicolons or tabs between the values."
                .to_owned(),
        )];
    };
    let rows: Vec<Vec<String>> = words[run.clone()]
        .iter()
        .map(|line| cells(line, sign))
        .collect();
    let mut actions = vec![
        say(format!("A table of {}.", counted(rows.len(), "row"))),
        insert(&[table_block(rows)], &last.block_id),
    ];
    actions.extend(blocks.into_iter().map(|block| {
        let stays = lines.iter().enumerate().filter(|(at, (own, _))| {
            !run.contains(at) && own.is_some_and(|own| own.block_id == block.block_id)
        });
        let stays: Vec<&str> = stays.map(|(_, (_, line))| *line).collect();
        if stays.is_empty() { json!({"_type": "block-delete", "intent": "in the table now", "blockId": block.block_id}) } else { json!({"_type": "text-rewrite", "intent": "the rest is in the table now", "blockId": block.block_id, "text": escaped(&stays.join("\n"))}) }
    }));
    actions
}

/// The lines that could be values, with their blocks; where other blocks stand between them, an empty one.
fn lines(page: &TextBlocks) -> Vec<(Option<&SeenBlock>, &str)> {
    let mut lines = Vec::new();
    for block in chosen(page) {
        match block.kind.as_str() {
            "paragraph" | "list-item" => {
                lines.extend(block.text.lines().map(|line| (Some(block), line)));
            }
            _ => lines.push((None, "")),
        }
    }
    lines
}
