//! Ignore files, read as git and ripgrep read them: for a walk and for a single name alike, so that
//! what no listing shows nobody reaches by guessing its name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The files that say what is ignored.
pub(crate) const IGNORE_FILES: [&str; 2] = [".ignore", ".gitignore"];

/// The rules that hold in a folder, the nearest first.
#[derive(Debug, Clone, Default)]
struct Rules {
    ignore: Vec<Arc<Gitignore>>,
    git: Vec<Arc<Gitignore>>,
    exclude: Option<Arc<Gitignore>>,
    in_git: bool,
}

impl Rules {
    /// Those of a folder inside the one that these hold in.
    fn inside(&self, folder: &Path) -> Rules {
        let mut rules = self.clone();
        let git = folder.join(".git");
        if git.exists() {
            // Another repository: what is around it does not count.
            rules.git.clear();
            rules.exclude = read(folder, &git.join("info/exclude"));
            rules.in_git = true;
        }
        if let Some(own) = read(folder, &folder.join(".ignore")) {
            rules.ignore.insert(0, own);
        }
        if let Some(own) = read(folder, &folder.join(".gitignore")) {
            rules.git.insert(0, own);
        }
        rules
    }

    fn ignore(&self, path: &Path, is_folder: bool) -> bool {
        let all = self.ignore.iter().chain(&self.git).chain(&self.exclude);
        for rules in all {
            match rules.matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

/// `None`: there is no such file. A line that is no rule is passed over, as git does.
fn read(folder: &Path, file: &Path) -> Option<Arc<Gitignore>> {
    if !file.is_file() {
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    builder.add(file);
    builder.build().ok().map(Arc::new)
}

/// The ignore files of a project, as they are now.
#[derive(Debug)]
pub struct Ignored {
    root: PathBuf,
    /// By folder.
    known: RwLock<HashMap<PathBuf, Arc<Rules>>>,
}

impl Ignored {
    pub fn of(root: &Path) -> Ignored {
        let mut above = Rules::default();
        let folders: Vec<&Path> = root.ancestors().skip(1).collect();
        for folder in folders.into_iter().rev() {
            above = above.inside(folder);
        }
        if !above.in_git {
            // Somebody's `.gitignore` further up is about something else.
            above.git.clear();
        }
        let here = above.inside(root);
        Ignored {
            root: root.to_owned(),
            known: RwLock::new(HashMap::from([(root.to_owned(), Arc::new(here))])),
        }
    }

    /// Whether a rule names this very file or folder, given by its whole path.
    pub fn names(&self, path: &Path, is_folder: bool) -> bool {
        path.parent()
            .filter(|_| path != self.root && path.starts_with(&self.root))
            .is_some_and(|folder| self.rules(folder).ignore(path, is_folder))
    }

    fn rules(&self, folder: &Path) -> Arc<Rules> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(folder) {
            return Arc::clone(rules);
        }
        drop(known);
        // The root's are known from the beginning, so this ends there.
        let above = folder.parent().map(|above| self.rules(above));
        let rules = Arc::new(above.unwrap_or_default().inside(folder));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), Arc::clone(&rules));
        rules
    }
}
