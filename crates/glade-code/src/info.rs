//! What there is to know about a project at a glance: told to a model before its first word.

mod rules;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::files::text;
use crate::path::ProjectPath;
use crate::project::Project;
use crate::walk::{met, walker};
use rules::MANIFESTS;

/// Files that are looked at to count languages, and lines of the tree.
const MOST_FILES: usize = 20_000;
const TREE_LINES: usize = 120;
const TREE_DEPTH: usize = 3;
const PACKAGES: usize = 60;
/// Manifests that are read for scripts and strictness, of the folders nearest to the root.
const MOST_MANIFESTS: usize = 12;
/// Lines of them that are told.
const MOST_RULES: usize = 40;
/// Manifests are small; one that is not is not read.
const MANIFEST: u64 = 512 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectInfo {
    pub name: String,
    /// By number of files, the most first.
    pub languages: Vec<(&'static str, usize)>,
    pub frameworks: Vec<&'static str>,
    /// `name version`, as the manifests have them.
    pub packages: Vec<String>,
    /// How it is built, tested and run; of a folder inside with its name before it.
    pub scripts: Vec<String>,
    /// What its compilers and linters insist on, in the same way.
    pub strictness: Vec<String>,
    pub version_control: Option<String>,
    pub tree: Vec<String>,
    /// There is more than the tree shows.
    pub more: bool,
}

impl ProjectInfo {
    /// Looks at names and manifests; never at more than a bounded number of files.
    pub fn look(project: &Project) -> Self {
        Self::look_within(project, None)
    }

    /// The same for somebody who reaches only these files and folders.
    pub fn look_within(project: &Project, within: Option<&BTreeSet<String>>) -> Self {
        let reached = |path: &ProjectPath| within.is_none_or(|within| path.is_under(within));
        let mut info = Self {
            name: project
                .root()
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            version_control: version_control(project),
            ..Self::default()
        };
        info.walk(project, &reached);
        info.manifests(project, &reached);
        info
    }

    fn walk(&mut self, project: &Project, reached: &dyn Fn(&ProjectPath) -> bool) {
        let Ok(root) = ProjectPath::parse("", project.root()) else {
            return;
        };
        let Ok(mut builder) = walker(project, &root) else {
            return;
        };
        builder.sort_by_file_name(Ord::cmp);
        let mut languages: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut lines: Vec<(usize, String)> = Vec::new();
        let mut manifests: Vec<(usize, ProjectPath)> = Vec::new();
        for entry in builder.build().flatten().skip(1).take(MOST_FILES) {
            let Some(path) = met(project, &entry).filter(reached) else {
                continue;
            };
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if !folder && let Some(language) = language(path.as_str()) {
                *languages.entry(language).or_default() += 1;
            }
            if entry.depth() > TREE_DEPTH {
                self.more = true;
                continue;
            }
            let slash = if folder { "/" } else { "" };
            lines.push((entry.depth(), format!("{path}{slash}")));
            if !folder && is_manifest(&path) {
                manifests.push((entry.depth(), path));
            }
        }
        self.show_tree(lines);
        manifests.sort_by_key(|(depth, _)| *depth);
        manifests.truncate(MOST_MANIFESTS);
        for (_, path) in manifests {
            self.rules(project, &path);
        }
        self.languages = languages.into_iter().collect();
        self.languages
            .sort_by_key(|(name, files)| (usize::MAX - files, *name));
    }

    /// As many levels as there is room for: what lies near the root says most.
    fn show_tree(&mut self, mut lines: Vec<(usize, String)>) {
        let upto = |depth: usize| lines.iter().filter(|(own, _)| *own <= depth).count();
        let mut levels = 1..=TREE_DEPTH;
        let deepest = levels
            .rfind(|depth| upto(*depth) <= TREE_LINES)
            .unwrap_or(1);
        let all = lines.len();
        lines.retain(|(depth, _)| *depth <= deepest);
        lines.truncate(TREE_LINES);
        self.more |= lines.len() < all;
        self.tree = lines.into_iter().map(|(_, line)| line).collect();
    }

    /// Scripts and strictness of one manifest.
    fn rules(&mut self, project: &Project, path: &ProjectPath) {
        let (folder, name) = match path.as_str().rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}: "), name),
            None => (String::new(), path.as_str()),
        };
        let read = MANIFESTS.iter().find(|(manifest, _)| *manifest == name);
        let bytes = project.read(path, MANIFEST).ok().flatten();
        let text = bytes.and_then(|bytes| text(path, bytes).ok());
        let rules = read.zip(text).and_then(|((_, read), text)| read(&text));
        let rules = rules.unwrap_or_default();
        let told = |line: String| format!("{folder}{line}");
        self.scripts.extend(rules.scripts.into_iter().map(told));
        self.scripts.truncate(MOST_RULES);
        if !rules.strictness.is_empty() && self.strictness.len() < MOST_RULES {
            self.strictness
                .push(format!("{folder}{name}: {}", rules.strictness.join(", ")));
        }
    }

    fn manifests(&mut self, project: &Project, reached: &dyn Fn(&ProjectPath) -> bool) {
        let read = |name: &str| {
            let path = ProjectPath::parse_file(name, project.root()).ok();
            let path = path.filter(reached)?;
            let bytes = project.read(&path, MANIFEST).ok()??;
            text(&path, bytes).ok()
        };
        let mut packages = BTreeSet::new();
        if let Some(manifest) = read("package.json")
            && let Ok(manifest) = serde_json::from_str::<Value>(&manifest)
        {
            for field in ["dependencies", "devDependencies", "peerDependencies"] {
                for (name, version) in manifest[field].as_object().into_iter().flatten() {
                    packages.insert(format!("{name} {}", version.as_str().unwrap_or("*")));
                }
            }
        }
        for line in read("requirements.txt")
            .iter()
            .flat_map(|text| text.lines())
        {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() && !line.starts_with('-') {
                packages.insert(line.replace("==", " "));
            }
        }
        if let Some(manifest) = read("Cargo.toml") {
            packages.extend(section(
                &manifest,
                &["dependencies", "dev-dependencies", "workspace.dependencies"],
            ));
        }
        if let Some(manifest) = read("go.mod") {
            let required = manifest.lines().filter_map(|line| {
                let line = line.trim().trim_start_matches("require ").trim();
                let (name, version) = line.split_once(' ')?;
                (name.contains('.') && version.starts_with('v'))
                    .then(|| format!("{name} {version}"))
            });
            packages.extend(required);
        }
        let has = |name: &str| {
            packages
                .iter()
                .any(|package| package.split(' ').next() == Some(name))
        };
        self.frameworks = FRAMEWORKS
            .iter()
            .filter(|(package, _)| has(package))
            .map(|(_, framework)| *framework)
            .collect();
        self.packages = packages.into_iter().take(PACKAGES).collect();
    }

    /// As the prompt has it.
    pub fn print(&self) -> String {
        let listed = |items: Vec<String>| {
            if items.is_empty() {
                "none found".to_owned()
            } else {
                items.join(", ")
            }
        };
        let languages = self
            .languages
            .iter()
            .take(8)
            .map(|(name, files)| format!("{name} ({files})"));
        let frameworks = self.frameworks.iter().map(|name| (*name).to_owned());
        let mut lines = vec![
            format!("name: {}", self.name),
            format!("languages: {}", listed(languages.collect())),
            format!("frameworks: {}", listed(frameworks.collect())),
            format!("packages: {}", listed(self.packages.clone())),
            format!(
                "version control: {}",
                self.version_control.as_deref().unwrap_or("none")
            ),
        ];
        for (what, told) in [("scripts", &self.scripts), ("strictness", &self.strictness)] {
            if !told.is_empty() {
                lines.push(format!("{what}:"));
                lines.extend(told.iter().map(|line| format!("  {line}")));
            }
        }
        lines.push("tree:".to_owned());
        lines.extend(self.tree.iter().map(|line| format!("  {line}")));
        if self.more {
            lines.push("  … (more below: use list-files or glob)".to_owned());
        }
        lines.join("\n")
    }
}

fn is_manifest(path: &ProjectPath) -> bool {
    let name = path.as_str().rsplit('/').next();
    MANIFESTS
        .iter()
        .any(|(manifest, _)| Some(*manifest) == name)
}

/// `.git` is closed to the tools; the branch is all that is told of it.
fn version_control(project: &Project) -> Option<String> {
    let head = project.dir().read_to_string(".git/HEAD").ok()?;
    let branch = head.trim().strip_prefix("ref: refs/heads/");
    Some(match branch.filter(|name| name.len() < 200) {
        Some(branch) => format!("git, on branch {branch}"),
        None => "git".to_owned(),
    })
}

/// The names and versions of some tables of a TOML file, read line by line: a manifest that a parser
/// would refuse still says something.
fn section(manifest: &str, wanted: &[&str]) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            inside = wanted.contains(&name.trim_end_matches(']'));
        } else if inside && let Some((name, value)) = line.split_once('=') {
            let name = name.trim().trim_end_matches(".workspace");
            let version = value.split('"').nth(1).filter(|version| {
                version.starts_with(|c: char| c.is_ascii_digit() || "=^~*>".contains(c))
            });
            found.push(format!("{name} {}", version.unwrap_or("*")));
        }
    }
    found
}

const FRAMEWORKS: &[(&str, &str)] = &[
    ("react", "React"),
    ("next", "Next.js"),
    ("vue", "Vue"),
    ("nuxt", "Nuxt"),
    ("svelte", "Svelte"),
    ("@angular/core", "Angular"),
    ("solid-js", "Solid"),
    ("astro", "Astro"),
    ("vite", "Vite"),
    ("express", "Express"),
    ("fastify", "Fastify"),
    ("tailwindcss", "Tailwind CSS"),
    ("electron", "Electron"),
    ("axum", "axum"),
    ("actix-web", "Actix"),
    ("rocket", "Rocket"),
    ("tokio", "Tokio"),
    ("bevy", "Bevy"),
    ("tauri", "Tauri"),
    ("django", "Django"),
    ("Django", "Django"),
    ("flask", "Flask"),
    ("Flask", "Flask"),
    ("fastapi", "FastAPI"),
    ("github.com/gin-gonic/gin", "Gin"),
];

fn language(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "rs" => "Rust",
        "ts" | "tsx" | "mts" | "cts" => "TypeScript",
        "js" | "jsx" | "mjs" | "cjs" => "JavaScript",
        "py" => "Python",
        "go" => "Go",
        "java" => "Java",
        "kt" | "kts" => "Kotlin",
        "swift" => "Swift",
        "c" | "h" => "C",
        "cc" | "cpp" | "cxx" | "hpp" => "C++",
        "cs" => "C#",
        "rb" => "Ruby",
        "php" => "PHP",
        "ex" | "exs" => "Elixir",
        "hs" => "Haskell",
        "scala" => "Scala",
        "dart" => "Dart",
        "lua" => "Lua",
        "zig" => "Zig",
        "sh" | "bash" => "Shell",
        "sql" => "SQL",
        "html" | "htm" => "HTML",
        "css" | "scss" | "less" => "CSS",
        "vue" => "Vue",
        "svelte" => "Svelte",
        _ => return None,
    })
}
