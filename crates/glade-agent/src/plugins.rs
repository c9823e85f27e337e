//! Plugins of text pages: each is one registration of the blocks, marks, tools and parts of the editor
//! that go together, and a workspace has it or has it not.
//!
//! What a fairy is offered is what is registered, less what its workspace does not have, less what its
//! capability leaves out, on the pages that its asker may read. The room asks again for every edit:
//! [`Enabled::bars_tool`] and [`Enabled::bars_block`] are its words, not the menu's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// One plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Plugin {
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Kinds of blocks, as documents call them.
    pub blocks: &'static [&'static str],
    pub marks: &'static [&'static str],
    /// Actions of fairies.
    pub tools: &'static [&'static str],
    /// Parts of the editor, as the studio calls them.
    pub editor: &'static [&'static str],
    /// What it is until somebody says otherwise.
    #[serde(skip)]
    pub at_first: AtFirst,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtFirst {
    /// No page is without it.
    Always,
    On,
    Off,
}

/// All plugins.
pub static PLUGINS: &[Plugin] = &[
    Plugin {
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
        tools: &[
            "text-insert",
            "text-rewrite",
            "mark-toggle",
            "block-insert",
            "block-move",
            "block-delete",
            "block-set-kind",
        ],
        editor: &["toolbar", "slash-menu", "handles", "outline", "find"],
        at_first: AtFirst::Always,
    },
    Plugin {
        name: "lists",
        about: "bullets, numbers and things to tick off",
        blocks: &["listItem"],
        marks: &[],
        tools: &["bullet-list-toggle"],
        editor: &["lists"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "callouts",
        about: "notes and warnings that stand out",
        blocks: &["callout"],
        marks: &[],
        tools: &[],
        editor: &["callouts"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "code",
        about: "code, in blocks and among words",
        blocks: &["codeBlock"],
        marks: &["code"],
        tools: &[],
        editor: &["code"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "tables",
        about: "rows and columns",
        blocks: &["table", "tableColumn", "tableRow", "tableCell"],
        marks: &[],
        tools: &["table-add-row", "table-add-column", "table-set-cell"],
        editor: &["tables"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "math",
        about: "formulas",
        blocks: &["formula"],
        marks: &["tex"],
        tools: &["math-insert-formula"],
        editor: &["formulas"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "images",
        about: "pictures",
        blocks: &["image"],
        marks: &[],
        tools: &[],
        editor: &["images"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "mentions",
        about: "people and pages, by name",
        blocks: &[],
        marks: &["mention"],
        tools: &["mention-insert"],
        editor: &["mentions"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "comments",
        about: "what is said about words, in threads",
        blocks: &[],
        marks: &["comment-anchor"],
        tools: &["comment-add", "comment-reply", "comment-resolve"],
        editor: &["comments"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "search",
        about: "finding words on all pages",
        blocks: &[],
        marks: &[],
        tools: &["search"],
        editor: &["search"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "cards",
        about: "cards that lead to pages elsewhere",
        blocks: &["embed"],
        marks: &[],
        tools: &[],
        editor: &["embeds"],
        at_first: AtFirst::On,
    },
    Plugin {
        name: "embeds",
        about: "what a card says, fetched from hosts that the owner has named",
        blocks: &[],
        marks: &[],
        tools: &["embed-fetch-and-insert"],
        editor: &[],
        at_first: AtFirst::Off,
    },
];

pub fn find(name: &str) -> Option<&'static Plugin> {
    PLUGINS.iter().find(|plugin| plugin.name == name)
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
            let names: Vec<&str> = PLUGINS.iter().map(|plugin| plugin.name).collect();
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
        PLUGINS.iter().filter(|plugin| !self.has(plugin))
    }

    /// The tools of plugins that are not to be had.
    pub fn tools_off(&self) -> BTreeSet<&'static str> {
        self.off()
            .flat_map(|plugin| plugin.tools)
            .copied()
            .collect()
    }

    /// Why nobody uses this tool here.
    pub fn bars_tool(&self, tool: &str) -> Option<String> {
        self.bars(|plugin| plugin.tools.contains(&tool), tool)
    }

    /// Why nobody makes blocks of this kind here.
    pub fn bars_block(&self, kind: &str) -> Option<String> {
        self.bars(|plugin| plugin.blocks.contains(&kind), kind)
    }

    /// Why no fairy marks words like this here.
    pub fn bars_mark(&self, mark: &str) -> Option<String> {
        self.bars(|plugin| plugin.marks.contains(&mark), mark)
    }

    fn bars(&self, of: impl Fn(&Plugin) -> bool, what: &str) -> Option<String> {
        let plugin = PLUGINS.iter().find(|plugin| of(plugin))?;
        let off = !self.has(plugin);
        off.then(|| {
            format!(
                "{what} belongs to the plugin {}, which is switched off in this workspace",
                plugin.name
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{REGISTRY, TEXT_EDIT};
    use glade_doc::text::{KINDS, MARK_NAMES};

    fn all(of: impl Fn(&Plugin) -> &'static [&'static str]) -> Vec<&'static str> {
        let mut all: Vec<&str> = PLUGINS.iter().flat_map(of).copied().collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn every_block_mark_and_tool_of_a_text_page_is_one_plugins() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        assert_eq!(all(|plugin| plugin.blocks), sorted(KINDS.to_vec()));
        assert_eq!(all(|plugin| plugin.marks), sorted(MARK_NAMES.to_vec()));
        let mut tools = TEXT_EDIT.to_vec();
        tools.push("search");
        assert_eq!(all(|plugin| plugin.tools), sorted(tools));
        for tool in all(|plugin| plugin.tools) {
            assert!(
                REGISTRY.iter().any(|action| action.name() == tool),
                "{tool}"
            );
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
