//! A part of a run, as people name it.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{ElementId, RollbackRequest, RunId};
use serde::Deserialize;
use utoipa::ToSchema;

use super::RunError;
use crate::code::FilesPart;

/// A part of a run. What it does not know is refused: misread, it would be the whole run.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunPart {
    /// Only these elements; all when absent.
    elements: Option<BTreeSet<String>>,
    /// Only these blocks of text pages, beside the elements.
    blocks: Option<BTreeSet<String>>,
    /// Only what this action did, by its number inside the run.
    action: Option<u32>,
    /// Only these files of a run of code.
    files: Option<BTreeSet<String>>,
    /// Only these places of files, by the numbers that `changes` gives them.
    hunks: Option<BTreeMap<String, BTreeSet<usize>>>,
}

impl RunPart {
    /// The part of a run on pages, which has no files, as rooms are asked for it.
    pub(super) fn on_pages(&self, run: &str) -> Result<RollbackRequest, RunError> {
        if self.files.is_some() || self.hunks.is_some() {
            return Err(RunError::NoSuchPart(
                "This run was on pages: name the part by `elements`, `blocks` or `action`. `files` and `hunks` are \
                 for runs of code.",
            ));
        }
        let named = [&self.elements, &self.blocks].into_iter().flatten();
        let ids = named.flatten().map(|id| ElementId::from(id.as_str()));
        Ok(RollbackRequest::part(
            RunId::from(run),
            self.action,
            self.names_some().then(|| ids.collect()),
        ))
    }

    /// The part of a run of code, which has nothing but files.
    pub(super) fn of_files(self) -> Result<FilesPart, RunError> {
        if !self.is_all_of_pages() {
            return Err(RunError::NoSuchPart(
                "This is a run of code: name the part by `files` or `hunks`. `elements`, `blocks` and `action` are \
                 for runs on pages.",
            ));
        }
        Ok(FilesPart {
            files: self.files,
            hunks: self.hunks,
        })
    }

    pub(super) fn is_all_of_pages(&self) -> bool {
        !self.names_some() && self.action.is_none()
    }

    fn names_some(&self) -> bool {
        self.elements.is_some() || self.blocks.is_some()
    }
}
