//! `glade token`: what a link is left with.

use std::path::Path;
use std::process::Command;

use glade_access::Keys;
use serde_json::{Value, json};

fn glade(data: &Path, args: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glade"));
    command.arg("token").args(args).arg("--data").arg(data);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

#[test]
fn the_code_project_is_left_only_where_it_is_named() {
    let data = tempfile::tempdir().unwrap();
    Keys::load_or_create(&data.path().join("owner.key")).unwrap();
    let left = |args: &[&str]| -> Value {
        let args: Vec<&str> = ["attenuate"].iter().chain(args).copied().collect();
        let token = glade(data.path(), &args).unwrap();
        let told = glade(data.path(), &["inspect", &token]).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        json!([told["ops"], told["project"], told["paths"]])
    };
    let all = json!(["read", "comment", "suggest", "edit", "command"]);
    assert_eq!(left(&["--subject", "person:ann"]), json!([all, [], null]));
    assert_eq!(
        left(&["--project=read", "--paths", "src"]),
        json!([all, ["read"], ["src"]])
    );
    assert_eq!(
        left(&["--project=read,command"]),
        json!([all, ["read", "command"], null])
    );
    assert_eq!(
        left(&["--ops", "read,edit", "--project"]),
        json!([["read", "edit"], ["read", "edit"], null])
    );
    let refused = glade(data.path(), &["attenuate", "--pages", "code"]).unwrap_err();
    assert!(refused.contains("`project`"), "{refused}");
}
