//! The hottest paths of the product, as work whose instructions can be counted.
//!
//! Times scatter by a fifth on a busy machine; instructions do not. `cargo xtask instructions` runs
//! each path under callgrind and holds the counts against `bench/instructions.toml`.

mod drawing;
mod editing;
mod prompting;
mod writing;

use anyhow::Result;

/// What is counted, once everything that it needs is there.
pub type Work = Box<dyn FnMut() -> Result<()>>;

/// One path.
pub struct HotPath {
    pub name: &'static str,
    /// Makes what the work needs. This is not counted.
    pub prepare: fn() -> Result<Work>,
}

/// All of them, in the order in which an edit and a prompt meet them.
pub const PATHS: [HotPath; 12] = [
    path("token-verified", editing::token_verified),
    path("update-walked", editing::update_walked),
    path("persons-move-admitted", editing::move_admitted),
    path("fairys-shape-merged", editing::shape_merged),
    path("run-undone", editing::run_undone),
    path("page-opened", editing::page_opened),
    path("paragraph-rewritten", writing::paragraph_rewritten),
    path("markdown-both-ways", writing::markdown_both_ways),
    path("arrows-follow", drawing::arrows_follow),
    path("svg-drawn", drawing::svg_drawn),
    path("prompt-made", prompting::prompt_made),
    path("answer-parsed", prompting::answer_parsed),
];

const fn path(name: &'static str, prepare: fn() -> Result<Work>) -> HotPath {
    HotPath { name, prepare }
}

/// Does the work. Never inlined: callgrind counts while this function runs, which it finds by its name.
#[inline(never)]
pub fn counted(work: &mut Work) -> Result<()> {
    work()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_path_can_be_walked() {
        for path in &PATHS {
            let mut work = (path.prepare)().unwrap();
            counted(&mut work).unwrap();
        }
    }

    #[test]
    fn every_path_has_a_recorded_count() {
        let recorded: toml::Table = include_str!("../instructions.toml").parse().unwrap();
        let recorded: BTreeSet<&str> = recorded.keys().map(String::as_str).collect();
        assert_eq!(recorded, PATHS.iter().map(|path| path.name).collect());
    }
}
