//! How a project is run and how strict it is, as its manifests say: nobody has to guess which command
//! tests it, or whether `any` is allowed.

use serde_json::Value;
use toml::Table;

/// Scripts that are told of one manifest, and how long each may be.
const SCRIPTS: usize = 20;
const LONGEST: usize = 100;
/// Settings that are told of one table.
const SETTINGS: usize = 16;

/// What one manifest says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// `npm run test: vitest run`
    pub scripts: Vec<String>,
    /// `strict`, `noUncheckedIndexedAccess`, `clippy unwrap_used deny`
    pub strictness: Vec<String>,
}

/// Reads manifests by their names.
type Read = fn(&str) -> Option<Rules>;

/// The names of manifests, and what reads them.
pub const MANIFESTS: [(&str, Read); 8] = [
    ("package.json", package),
    ("deno.json", deno),
    ("tsconfig.json", tsconfig),
    ("Cargo.toml", cargo),
    ("pyproject.toml", pyproject),
    ("Makefile", makefile),
    ("justfile", justfile),
    ("go.mod", go),
];

fn package(text: &str) -> Option<Rules> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    let manager = manifest["packageManager"].as_str().unwrap_or("npm");
    let manager = manager.split('@').next().unwrap_or("npm");
    let mut strictness = Vec::new();
    if manifest["type"] == "module" {
        strictness.push("ES modules".to_owned());
    }
    if let Some(node) = manifest["engines"]["node"].as_str() {
        strictness.push(format!("node {node}"));
    }
    Some(Rules {
        scripts: tasks(&manifest["scripts"], &format!("{manager} run ")),
        strictness,
    })
}

fn deno(text: &str) -> Option<Rules> {
    let manifest = with_comments(text)?;
    Some(Rules {
        scripts: tasks(&manifest["tasks"], "deno task "),
        strictness: settings(&manifest["compilerOptions"]),
    })
}

fn tasks(tasks: &Value, runner: &str) -> Vec<String> {
    let tasks = tasks.as_object().into_iter().flatten();
    let line = |(name, command): (&String, &Value)| {
        let command = command.as_str().or(command["command"].as_str())?;
        Some(short(&format!("{runner}{name}: {command}")))
    };
    tasks.filter_map(line).take(SCRIPTS).collect()
}

fn tsconfig(text: &str) -> Option<Rules> {
    let manifest = with_comments(text)?;
    let mut strictness = settings(&manifest["compilerOptions"]);
    if let Some(base) = manifest["extends"].as_str() {
        strictness.push(format!("extends {base}"));
    }
    Some(Rules {
        scripts: Vec::new(),
        strictness,
    })
}

/// What of the compiler's options decides whether code is taken.
fn settings(options: &Value) -> Vec<String> {
    let deciding = |name: &str| {
        name.starts_with("strict")
            || name.starts_with("no")
            || [
                "exactOptionalPropertyTypes",
                "isolatedModules",
                "verbatimModuleSyntax",
                "erasableSyntaxOnly",
                "checkJs",
            ]
            .contains(&name)
    };
    let options = options.as_object().into_iter().flatten();
    let mut told: Vec<String> = Vec::new();
    for (name, value) in options {
        match value {
            Value::Bool(true) if deciding(name) => told.push(name.clone()),
            Value::Bool(false) if name.starts_with("strict") => told.push(format!("{name} off")),
            Value::String(value)
                if ["target", "module", "moduleResolution", "jsx"].contains(&name.as_str()) =>
            {
                told.push(format!("{name} {value}"));
            }
            _ => {}
        }
    }
    told.truncate(SETTINGS);
    told
}

fn cargo(text: &str) -> Option<Rules> {
    let manifest: Table = text.parse().ok()?;
    let at = |path: &[&str]| find(&manifest, path);
    let mut strictness = Vec::new();
    for (name, words) in [("edition", "edition"), ("rust-version", "Rust")] {
        let value = at(&["package", name]).or_else(|| at(&["workspace", "package", name]));
        strictness.extend(
            value
                .and_then(toml::Value::as_str)
                .map(|value| format!("{words} {value}")),
        );
    }
    for lints in [at(&["workspace", "lints"]), at(&["lints"])] {
        let tools = lints.and_then(toml::Value::as_table).into_iter().flatten();
        for (tool, lints) in tools {
            let lints = lints.as_table().into_iter().flatten();
            let level = |value: &toml::Value| {
                let level = value.as_str().or_else(|| value.get("level")?.as_str());
                level.filter(|level| *level != "allow").map(str::to_owned)
            };
            let told =
                lints.filter_map(|(lint, value)| Some(format!("{tool} {lint} {}", level(value)?)));
            strictness.extend(told.take(SETTINGS));
        }
    }
    Some(Rules {
        scripts: Vec::new(),
        strictness,
    })
}

fn pyproject(text: &str) -> Option<Rules> {
    let manifest: Table = text.parse().ok()?;
    let at = |path: &[&str]| find(&manifest, path);
    let mut strictness = Vec::new();
    if let Some(python) = at(&["project", "requires-python"]).and_then(toml::Value::as_str) {
        strictness.push(format!("Python {python}"));
    }
    if at(&["tool", "mypy", "strict"]).and_then(toml::Value::as_bool) == Some(true) {
        strictness.push("mypy strict".to_owned());
    }
    if let Some(mode) = at(&["tool", "pyright", "typeCheckingMode"]).and_then(toml::Value::as_str) {
        strictness.push(format!("pyright {mode}"));
    }
    let chosen =
        at(&["tool", "ruff", "lint", "select"]).or_else(|| at(&["tool", "ruff", "select"]));
    if let Some(chosen) = chosen.and_then(toml::Value::as_array) {
        let chosen: Vec<&str> = chosen
            .iter()
            .filter_map(toml::Value::as_str)
            .take(SETTINGS)
            .collect();
        strictness.push(format!("ruff {}", chosen.join(" ")));
    }
    for tool in ["black", "pytest", "poetry", "hatch", "tox"] {
        if at(&["tool", tool]).is_some() {
            strictness.push(tool.to_owned());
        }
    }
    let scripts = at(&["project", "scripts"])
        .and_then(toml::Value::as_table)
        .into_iter()
        .flatten();
    let line = |(name, target): (&String, &toml::Value)| {
        Some(short(&format!("{name}: {}", target.as_str()?)))
    };
    Some(Rules {
        scripts: scripts.filter_map(line).take(SCRIPTS).collect(),
        strictness,
    })
}

fn makefile(text: &str) -> Option<Rules> {
    let target = |line: &str| {
        let (names, rest) = line.split_once(':')?;
        let plain = |name: &str| {
            !name.is_empty() && !name.starts_with('.') && !name.contains(['$', '%', '/', '='])
        };
        let one = !names.contains(char::is_whitespace) && plain(names) && !rest.starts_with('=');
        one.then(|| format!("make {names}"))
    };
    Some(recipes(text.lines().filter_map(target)))
}

fn justfile(text: &str) -> Option<Rules> {
    let recipe = |line: &str| {
        let (head, rest) = line.split_once(':')?;
        let name = head.split_whitespace().next()?.trim_start_matches('@');
        let plain =
            line.starts_with(|c: char| c.is_alphabetic() || c == '@') && !rest.starts_with('=');
        plain.then(|| format!("just {name}"))
    };
    Some(recipes(text.lines().filter_map(recipe)))
}

fn recipes(found: impl Iterator<Item = String>) -> Rules {
    let mut scripts: Vec<String> = found.take(SCRIPTS).collect();
    scripts.dedup();
    Rules {
        scripts,
        strictness: Vec::new(),
    }
}

fn go(text: &str) -> Option<Rules> {
    let version = text.lines().find_map(|line| line.strip_prefix("go "))?;
    Some(Rules {
        scripts: Vec::new(),
        strictness: vec![format!("Go {}", version.trim())],
    })
}

fn find<'a>(table: &'a Table, path: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, name| value.get(name))
}

fn short(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// JSON with comments and commas at the end of lists, as TypeScript reads it.
fn with_comments(text: &str) -> Option<Value> {
    let mut bare = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if inside => {
                bare.push(letter);
                bare.extend(letters.next());
            }
            '"' => {
                inside = !inside;
                bare.push(letter);
            }
            '/' if !inside && letters.peek() == Some(&'/') => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
            }
            '/' if !inside && letters.peek() == Some(&'*') => {
                letters.next();
                let mut last = ' ';
                for letter in letters.by_ref() {
                    if last == '*' && letter == '/' {
                        break;
                    }
                    last = letter;
                }
            }
            ']' | '}' if !inside => {
                let end = bare.trim_end().len();
                if bare[..end].ends_with(',') {
                    bare.truncate(end - 1);
                }
                bare.push(letter);
            }
            _ => bare.push(letter),
        }
    }
    serde_json::from_str(&bare).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let (_, read) = MANIFESTS
            .iter()
            .find(|(manifest, _)| *manifest == name)
            .unwrap();
        let rules = read(text).unwrap_or_default();
        (rules.scripts, rules.strictness)
    }

    #[test]
    fn scripts_and_strictness_are_read_from_manifests_of_every_kind() {
        let cases: [(&str, &str, &[&str], &[&str]); 7] = [
            (
                "package.json",
                r#"{"type": "module", "packageManager": "pnpm@10.1.0", "engines": {"node": ">=22"}, "scripts": {"test": "vitest run", "lint": "eslint ."}}"#,
                &["pnpm run test: vitest run", "pnpm run lint: eslint ."],
                &["ES modules", "node >=22"],
            ),
            (
                "tsconfig.json",
                "{\n  // as strict as can be\n  \"compilerOptions\": {\"strict\": true, \"noUncheckedIndexedAccess\": true, \"strictNullChecks\": false, /* new */ \"target\": \"es2023\", \"skipLibCheck\": true,},\n}",
                &[],
                &[
                    "strict",
                    "noUncheckedIndexedAccess",
                    "strictNullChecks off",
                    "target es2023",
                ],
            ),
            (
                "Cargo.toml",
                "[package]\nname = \"x\"\nedition = \"2024\"\n[lints.clippy]\nunwrap_used = \"deny\"\ntodo = { level = \"warn\" }\nmatch_bool = \"allow\"\n",
                &[],
                &[
                    "edition 2024",
                    "clippy todo warn",
                    "clippy unwrap_used deny",
                ],
            ),
            (
                "pyproject.toml",
                "[project]\nrequires-python = \">=3.12\"\n[project.scripts]\nserve = \"app:main\"\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\nselect = [\"E\", \"F\"]\n[tool.pytest.ini_options]\n",
                &["serve: app:main"],
                &["Python >=3.12", "mypy strict", "ruff E F", "pytest"],
            ),
            (
                "Makefile",
                ".PHONY: all\nCC := gcc\nall: build\nbuild:\n\tcc x.c\n%.o: %.c\n\ttest: no\n",
                &["make all", "make build"],
                &[],
            ),
            (
                "justfile",
                "version := \"1\"\ntest *args: build\n  cargo test\n@build:\n  cargo build\n",
                &["just test", "just build"],
                &[],
            ),
            ("go.mod", "module x\n\ngo 1.24\n", &[], &["Go 1.24"]),
        ];
        for (name, text, scripts, strictness) in cases {
            let wanted =
                [scripts, strictness].map(|list| list.iter().map(|it| (*it).to_owned()).collect());
            let [scripts, strictness]: [Vec<String>; 2] = wanted;
            assert_eq!(told(name, text), (scripts, strictness), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for (name, _) in MANIFESTS {
            assert_eq!(told(name, "\u{0}[{\"").1, Vec::<String>::new(), "{name}");
        }
        assert_eq!(
            with_comments(r#"{"a": "no // comment, ] here",}"#).unwrap()["a"],
            "no // comment, ] here"
        );
    }
}
