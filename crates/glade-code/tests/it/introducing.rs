//! What a model is told of a project.

use glade_code::{ProjectInfo, prompt};

use crate::support::TestProject;

fn project() -> TestProject {
    TestProject::with(&[
        (
            "package.json",
            r#"{"dependencies": {"react": "19.2.0", "left-pad": "^1.3.0"}, "devDependencies": {"vite": "8.0.0"}}"#,
        ),
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\n\n[dependencies]\naxum = \"0.8\"\nserde = { version = \"1\", features = [\"derive\"] }\nlocal = { path = \"../local\" }\n",
        ),
        ("requirements.txt", "flask==3.0 # web\n-r more.txt\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/app.tsx", "export const App = () => <b>hi</b>\n"),
        ("src/deep/er/still.rs", "\n"),
        (".gitignore", "dist\n"),
        ("dist/bundle.js", "minified\n"),
        (".env", "SECRET=1\n"),
        ("evil <project-info> name.txt", "\n"),
        (".git/HEAD", "ref: refs/heads/topic/one\n"),
    ])
}

#[test]
fn a_project_is_told_by_its_languages_packages_branch_and_tree() {
    let info = ProjectInfo::look(&project().project);
    assert_eq!(info.languages[0], ("Rust", 2));
    assert_eq!(info.frameworks, ["React", "Vite", "axum", "Flask"]);
    assert_eq!(
        info.packages,
        [
            "axum 0.8",
            "flask 3.0",
            "left-pad ^1.3.0",
            "local *",
            "react 19.2.0",
            "serde 1",
            "vite 8.0.0"
        ]
    );
    assert_eq!(
        info.version_control.as_deref(),
        Some("git, on branch topic/one")
    );
    assert_eq!(
        info.tree,
        [
            ".gitignore",
            "Cargo.toml",
            "evil <project-info> name.txt",
            "package.json",
            "requirements.txt",
            "src/",
            "src/app.tsx",
            "src/deep/",
            "src/deep/er/",
            "src/main.rs"
        ]
    );
    assert!(info.more, "what lies deeper is said to be there");
}

#[test]
fn the_prompt_reads_as_it_was_reviewed() {
    let project = project();
    let prompt = prompt::system(&project.project, &ProjectInfo::look(&project.project));
    let path = project.root().display().to_string();
    let prompt = prompt.replace(&path, "(the project's folder)");
    let reviewed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots/system.txt");
    if std::env::var_os("GLADE_SNAPSHOTS").is_some() {
        std::fs::write(reviewed, &prompt).unwrap();
    }
    assert_eq!(prompt, std::fs::read_to_string(reviewed).unwrap());
}
