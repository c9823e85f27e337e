//! Blocks as a model is shown them: the Markdown of each, with no more backslashes than it needs.

use super::inline::Hand;
use super::read::from_lines;
use super::writer::{Lists, block_in};
use crate::page::Block;
use crate::write::NewBlock;

/// Shows blocks in their order: the numbers of a list go on from one to the next.
#[derive(Default)]
pub struct Shower {
    lists: Lists,
}

/// Signs that get a backslash only where they would be read as marks, by kinds.
const SIGNS: [&str; 9] = ["*", "_", "~", "`", "[]!", "<", "$", "&", "|"];

impl Shower {
    /// A block that is not shown.
    pub fn pass(&mut self, block: &Block) {
        let wordless = Block {
            text: String::new(),
            marks: Vec::new(),
            table: None,
            ..block.clone()
        };
        self.lists.write(&wordless, Hand::FILE);
    }

    pub fn show(&mut self, block: &Block) -> String {
        let signs = signs(block);
        let hand = Hand {
            plain_breaks: true,
            escaped: &signs,
        };
        self.lists.write(block, hand)
    }
}

/// Words without marks, as they are written where Markdown is read.
pub fn escaped(text: &str) -> String {
    Shower::default().show(&NewBlock::new("paragraph", text).as_block())
}

/// The signs that a block's words cannot do without a backslash before.
fn signs(block: &Block) -> String {
    let mut needed = Hand::FILE.escaped.to_owned();
    let read = |escaped: &str| {
        let hand = Hand {
            plain_breaks: true,
            escaped,
        };
        from_lines(&block_in(block, hand))
    };
    let holds = |signs: &str| {
        let said = block.all_text() + block.word("alt");
        said.contains(|ch| signs.contains(ch))
    };
    let some: Vec<&str> = SIGNS.into_iter().filter(|signs| holds(signs)).collect();
    if some.is_empty() {
        return needed;
    }
    let all = read(&needed);
    for signs in some {
        let fewer: String = needed.chars().filter(|ch| !signs.contains(*ch)).collect();
        if read(&fewer) == all {
            needed = fewer;
        }
    }
    needed
}
