//! The page about extending shows the code of this crate.

use std::path::Path;

#[test]
fn the_page_about_extending_shows_this_very_code() {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(crate_root.join("../../docs/extending.md")).unwrap();
    let mut shown = Vec::new();
    for entry in std::fs::read_dir(crate_root.join("src")).unwrap() {
        let code = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for piece in code.split("// docs: ").skip(1) {
            let (name, rest) = piece.split_once('\n').unwrap();
            if name.trim() != "end" {
                let there = page.contains(rest.trim());
                assert!(there, "docs/extending.md is behind: {name}");
                shown.push(name.trim().to_owned());
            }
        }
    }
    shown.sort();
    assert_eq!(
        shown,
        ["action", "main", "mode", "part", "plugin", "register"]
    );
}
