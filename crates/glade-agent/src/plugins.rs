//! Plugins of text pages: each is one registration of the blocks, marks, tools and parts of the editor
//! that go together, and a workspace has it or has it not.
//!
//! What a fairy is offered is what is registered, less what its workspace does not have, less what its
//! capability leaves out, on the pages that its asker may read. The room asks again for every edit:
//! [`Enabled::bars_tool`] and [`Enabled::bars_block`] are its words, not the menu's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::action;
use crate::extensions;
use crate::facts::Facts;

/// One plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plugin {
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Kinds of blocks, as documents call them.
    pub blocks: &'static [&'static str],
    pub marks: &'static [&'static str],
    /// Parts of the editor, as the studio calls them.
    pub editor: &'static [&'static str],
    /// What it is until somebody says otherwise.
    pub at_first: AtFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtFirst {
    /// No page is without it.
    Always,
    On,
    Off,
}

/// All plugins but those that a binary of one's own adds.
pub static PLUGINS: &[&Plugin] = &[
    &WORDS, &LISTS, &CALLOUTS, &CODE, &TABLES, &MATH, &IMAGES, &MENTIONS, &COMMENTS, &SEARCH,
    &CARDS, &EMBEDS,
];

pub static WORDS: Plugin = Plugin {
    name: "words",
    about: "paragraphs, headings, quotes, dividers and how words look",
    blocks: &["paragraph", "heading", "blockquote", "divider"],
    marks: &[
        "bold",
        "italic",
        "underline",
        "strike",
        "highlight",
        "link",
        "html",
        "agent-pending",
    ],
    editor: &["toolbar", "slash-menu", "handles", "outline", "find"],
    at_first: AtFirst::Always,
};

pub static LISTS: Plugin = Plugin {
    name: "lists",
    about: "bullets, numbers and things to tick off",
    blocks: &["listItem"],
    marks: &[],
    editor: &["lists"],
    at_first: AtFirst::On,
};

pub static CALLOUTS: Plugin = Plugin {
    name: "callouts",
    about: "notes and warnings that stand out",
    blocks: &["callout"],
    marks: &[],
    editor: &["callouts"],
    at_first: AtFirst::On,
};

pub static CODE: Plugin = Plugin {
    name: "code",
    about: "code, in blocks and among words",
    blocks: &["codeBlock"],
    marks: &["code"],
    editor: &["code"],
    at_first: AtFirst::On,
};

pub static TABLES: Plugin = Plugin {
    name: "tables",
    about: "rows and columns",
    blocks: &["table", "tableColumn", "tableRow", "tableCell"],
    marks: &[],
    editor: &["tables"],
    at_first: AtFirst::On,
};

pub static MATH: Plugin = Plugin {
    name: "math",
    about: "formulas",
    blocks: &["formula"],
    marks: &["tex"],
    editor: &["formulas"],
    at_first: AtFirst::On,
};

pub static IMAGES: Plugin = Plugin {
    name: "images",
    about: "pictures",
    blocks: &["image"],
    marks: &[],
    editor: &["images"],
    at_first: AtFirst::On,
};

pub static MENTIONS: Plugin = Plugin {
    name: "mentions",
    about: "people and pages, by name",
    blocks: &[],
    marks: &["mention"],
    editor: &["mentions"],
    at_first: AtFirst::On,
};

pub static COMMENTS: Plugin = Plugin {
    name: "comments",
    about: "what is said about words, in threads",
    blocks: &[],
    marks: &["comment-anchor"],
    editor: &["comments"],
    at_first: AtFirst::On,
};

pub static SEARCH: Plugin = Plugin {
    name: "search",
    about: "finding words on all pages",
    blocks: &[],
    marks: &[],
    editor: &["search"],
    at_first: AtFirst::On,
};

pub static CARDS: Plugin = Plugin {
    name: "cards",
    about: "cards that lead to pages elsewhere",
    blocks: &["embed"],
    marks: &[],
    editor: &["embeds"],
    at_first: AtFirst::On,
};

pub static EMBEDS: Plugin = Plugin {
    name: "embeds",
    about: "what a card says, fetched from hosts that the owner has named",
    blocks: &[],
    marks: &[],
    editor: &[],
    at_first: AtFirst::Off,
};

/// All plugins there are.
pub fn all() -> impl Iterator<Item = &'static Plugin> {
    PLUGINS.iter().chain(extensions::added().plugins).copied()
}

pub fn find(name: &str) -> Option<&'static Plugin> {
    all().find(|plugin| plugin.name == name)
}

/// The plugins that a workspace has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Enabled {
    /// What somebody has said; of the others, what they are at first.
    said: BTreeMap<String, bool>,
}

impl Enabled {
    pub fn has(&self, plugin: &Plugin) -> bool {
        match (plugin.at_first, self.said.get(plugin.name)) {
            (AtFirst::Always, _) | (AtFirst::On, None) => true,
            (AtFirst::Off, None) => false,
            (_, Some(said)) => *said,
        }
    }

    /// Says of a plugin whether it is to be had; why not, if that cannot be said of it.
    pub fn set(&mut self, name: &str, on: bool) -> Result<(), String> {
        let Some(plugin) = find(name) else {
            let names: Vec<&str> = all().map(|plugin| plugin.name).collect();
            return Err(format!(
                "there is no plugin {name}; there are {}",
                names.join(", ")
            ));
        };
        if plugin.at_first == AtFirst::Always && !on {
            return Err(format!("no text page is without {name}"));
        }
        self.said.insert(name.to_owned(), on);
        Ok(())
    }

    /// The plugins that are not to be had.
    pub fn off(&self) -> impl Iterator<Item = &'static Plugin> {
        all().filter(|plugin| !self.has(plugin))
    }

    /// The tools of plugins that are not to be had.
    pub fn tools_off(&self) -> BTreeSet<&'static str> {
        self.off().flat_map(Plugin::tools).collect()
    }

    /// Why nobody uses this action here.
    pub fn bars(&self, action: &Facts) -> Option<String> {
        let plugin = action.plugin?;
        (!self.has(plugin)).then(|| off(action.name, plugin))
    }

    /// Why nobody uses the tool of that name here.
    pub fn bars_tool(&self, tool: &str) -> Option<String> {
        self.bars(action::find(tool)?.facts())
    }

    /// Why nobody makes blocks of this kind here.
    pub fn bars_block(&self, kind: &str) -> Option<String> {
        self.bars_one(|plugin| plugin.blocks.contains(&kind), kind)
    }

    /// Why no fairy marks words like this here.
    pub fn bars_mark(&self, mark: &str) -> Option<String> {
        self.bars_one(|plugin| plugin.marks.contains(&mark), mark)
    }

    fn bars_one(&self, of: impl Fn(&Plugin) -> bool, what: &str) -> Option<String> {
        let plugin = all().find(|plugin| of(plugin))?;
        (!self.has(plugin)).then(|| off(what, plugin))
    }
}

fn off(what: &str, plugin: &Plugin) -> String {
    format!(
        "{what} belongs to the plugin {}, which is switched off in this workspace",
        plugin.name
    )
}

impl Plugin {
    /// The actions of fairies that belong to it.
    pub fn tools(&self) -> impl Iterator<Item = &'static str> {
        let of_it = |facts: &&Facts| facts.plugin.is_some_and(|it| it.name == self.name);
        let facts = action::all().map(|action| action.facts());
        facts.filter(of_it).map(|facts| facts.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{On, Work};
    use glade_doc::text::{KINDS, MARK_NAMES};

    fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_block_mark_and_tool_of_a_text_page_is_one_plugins() {
        let plugins = || PLUGINS.iter().copied();
        let blocks = plugins().flat_map(|plugin| plugin.blocks.iter().copied());
        assert_eq!(sorted(blocks), sorted(KINDS.iter().copied()));
        let marks = plugins().flat_map(|plugin| plugin.marks.iter().copied());
        assert_eq!(sorted(marks), sorted(MARK_NAMES.iter().copied()));
        for facts in action::REGISTRY.iter().map(|action| action.facts()) {
            let writes = facts.on == On::Text && facts.work == Work::Edit;
            let known = facts.plugin.is_some_and(|plugin| PLUGINS.contains(&plugin));
            assert!(known || !writes, "{} belongs to no plugin", facts.name);
        }
    }

    #[test]
    fn what_is_switched_off_bars_its_tools_and_blocks() {
        let mut enabled = Enabled::default();
        assert_eq!(enabled.bars_tool("table-add-row"), None);
        assert!(enabled.bars_tool("embed-fetch-and-insert").is_some());
        enabled.set("tables", false).unwrap();
        enabled.set("embeds", true).unwrap();
        enabled.set("cards", false).unwrap();
        let reason = enabled.bars_tool("table-add-row").unwrap();
        assert!(reason.contains("plugin tables"), "{reason}");
        assert!(enabled.bars_block("tableRow").is_some());
        enabled.set("code", false).unwrap();
        assert!(enabled.bars_mark("code").is_some());
        assert_eq!(enabled.bars_mark("bold"), None);
        assert!(enabled.bars_block("embed").is_some());
        assert_eq!(enabled.bars_tool("create"), None, "a canvas has no plugins");
        assert!(enabled.set("words", false).is_err());
        assert!(enabled.set("nonsense", true).is_err());
        assert_eq!(
            enabled.tools_off(),
            ["table-add-row", "table-add-column", "table-set-cell"].into()
        );
    }
}
