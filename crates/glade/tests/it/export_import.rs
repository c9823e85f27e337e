//! Workspaces and pages as files, by the real binary.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, OK};
use crate::crash::page;
use crate::server::{Server, glade, said};

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// What a page's file says of its shapes, by id, without what counts edits.
fn shapes(file: &Value) -> Vec<(String, Value, Value)> {
    let elements = file["elements"].as_array().unwrap();
    let shape = |element: &Value| {
        let id = element["id"].as_str().unwrap().to_owned();
        (id, element["type"].clone(), element["x"].clone())
    };
    let mut shapes: Vec<_> = elements.iter().map(shape).collect();
    shapes.sort_by(|a, b| a.0.cmp(&b.0));
    shapes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_goes_out_beside_its_server_and_comes_into_another_folder() {
    let place = tempfile::tempdir().unwrap();
    let (data, new) = (place.path().join("data"), place.path().join("new"));
    let (out, again) = (place.path().join("out"), place.path().join("again"));
    let server = Server::start(&data);
    let token = server.token.clone();
    let second = json!({"name": "Plans / 2027", "kind": "canvas", "tier": "secret"});
    let (status, made) = server.ask("POST", "/api/workspaces/main/pages", &token, &second);
    assert_eq!(status, 201, "{made}");
    let second = made["id"].as_str().unwrap().to_owned();
    let mut client = Client::connect(server.address, &second, 7).await;
    client.join(&token).await.unwrap();
    assert_eq!(client.edit("e", 5).await, OK);

    let export = |data: &Path, out: &Path, page: &[&str]| {
        let mut args = vec!["export"];
        args.extend(page);
        args.push("--data");
        glade(&args, &[data, Path::new("--out"), out])
    };
    let output = export(&data, &out, &[]);
    assert!(output.status.success(), "{}", said(&output));
    let told = json_of(&out.join("workspace.json"));
    assert_eq!(told["type"], "glade-workspace");
    let pages = told["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 2);
    assert_eq!(
        (&pages[1]["name"], &pages[1]["tier"], &pages[1]["file"]),
        (
            &json!("Plans / 2027"),
            &json!("secret"),
            &json!("pages/02-plans---2027.excalidraw")
        )
    );
    let file = json_of(&out.join("pages/02-plans---2027.excalidraw"));
    assert_eq!(file["type"], "excalidraw");
    assert_eq!(shapes(&file).len(), 1);
    // One page, by its name; what is there is not written over.
    let one = place.path().join("one.excalidraw");
    let output = export(&data, &one, &["--page", "Plans / 2027"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(shapes(&json_of(&one)), shapes(&file));
    let output = export(&data, &one, &["--page", &second]);
    assert!(said(&output).contains("there already"), "{}", said(&output));
    let output = export(
        &data,
        &place.path().join("none.excalidraw"),
        &["--page", "Nope"],
    );
    assert!(
        said(&output).contains("there is no page Nope"),
        "{}",
        said(&output)
    );

    // Into a folder of its own, and out of it again as it was.
    let import = |args: &[&str], data: &Path, what: &Path| {
        let mut all = vec!["import"];
        all.extend(args);
        all.push("--data");
        glade(&all, &[data, what])
    };
    let output = import(&[], &new, &out);
    assert!(output.status.success(), "{}", said(&output));
    let output = export(&new, &again, &[]);
    assert!(output.status.success(), "{}", said(&output));
    let back = json_of(&again.join("workspace.json"));
    // Behind the page that every folder begins with.
    let names: Vec<&Value> = back["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["name"])
        .collect();
    assert_eq!(names[1..], [&pages[0]["name"], &pages[1]["name"]]);
    let file_again = again.join(back["pages"][2]["file"].as_str().unwrap());
    assert_eq!(shapes(&json_of(&file_again)), shapes(&file));
    let verified = glade(&["audit", "verify", "--data"], &[&new]);
    assert!(verified.status.success(), "{}", said(&verified));

    // A running server's folder is not written to.
    let output = import(&[], &data, &one);
    assert!(!output.status.success(), "{}", said(&output));
    server.kill();
    // Onto a page that is there: beside what it has, or instead of it.
    let page = page(&data);
    for (args, count) in [
        (&["--page", &page][..], 1),
        (&["--page", &page], 2),
        (&["--page", &page, "--replace"], 1),
    ] {
        let output = import(args, &data, &one);
        assert!(output.status.success(), "{}", said(&output));
        let now = place
            .path()
            .join(format!("now-{count}-{}.excalidraw", args.len()));
        std::fs::remove_file(&now).ok();
        assert!(export(&data, &now, &["--page", &page]).status.success());
        assert_eq!(shapes(&json_of(&now)).len(), count);
    }
    // What cannot be read changes nothing.
    let bad = place.path().join("bad.excalidraw");
    std::fs::write(&bad, "{").unwrap();
    let output = import(&[], &place.path().join("untouched"), &bad);
    assert!(!output.status.success(), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn text_pages_go_out_as_markdown_and_come_back_with_their_links_and_comments() {
    let place = tempfile::tempdir().unwrap();
    let (data, new) = (place.path().join("data"), place.path().join("new"));
    let (out, again) = (place.path().join("out"), place.path().join("again"));
    let server = Server::start(&data);
    let token = server.token.clone();
    let text = json!({"name": "Notes", "kind": "text"});
    let (status, made) = server.ask("POST", "/api/workspaces/main/pages", &token, &text);
    assert_eq!(status, 201, "{made}");
    let id = made["id"].as_str().unwrap().to_owned();
    server.kill();
    let first = page(&data);
    let notes = place.path().join("notes.md");
    let table = "| Who | What |\n| --- | --- |\n| Ann | Tea |";
    std::fs::write(
        &notes,
        format!(
            "# Notes\n\nSee [the drawing](#page={first}&element=box).\n\n{table}\n\n- [x] done\n"
        ),
    )
    .unwrap();
    let run = |args: &[&str], paths: &[&Path]| {
        let output = glade(args, paths);
        assert!(output.status.success(), "{}", said(&output));
    };
    run(&["import", "--page", &id, "--data"], &[&data, &notes]);
    let out_of =
        |data: &Path, out: &Path| run(&["export", "--data"], &[data, Path::new("--out"), out]);
    out_of(&data, &out);
    let told = json_of(&out.join("workspace.json"));
    let entry = &told["pages"][1];
    assert_eq!(entry["file"], "pages/02-notes.md");
    assert_eq!(entry["blocks"].as_array().unwrap().len(), 4);
    let file = std::fs::read_to_string(out.join("pages/02-notes.md")).unwrap();
    let linked = told["pages"][0]["file"].as_str().unwrap();
    let linked = linked.strip_prefix("pages/").unwrap();
    assert!(
        file.contains(&format!("[the drawing]({linked}#element=box)")),
        "{file}"
    );
    assert!(
        file.contains(table) && file.contains("- [x] done"),
        "{file}"
    );

    // Somewhere else the links lead to the pages there, and the blocks are called what they were.
    run(&["import", "--data"], &[&new, &out]);
    out_of(&new, &again);
    let back = json_of(&again.join("workspace.json"));
    assert_eq!(back["pages"][2]["blocks"], entry["blocks"]);
    let file = std::fs::read_to_string(again.join("pages/03-notes.md")).unwrap();
    let linked = back["pages"][1]["file"].as_str().unwrap();
    let linked = linked.strip_prefix("pages/").unwrap();
    assert!(file.contains(&format!("({linked}#element=box)")), "{file}");
    // A Markdown file by itself becomes a text page.
    run(&["import", "--data"], &[&new, &notes]);
    let one = place.path().join("one.md");
    run(
        &["export", "--page", "notes", "--data"],
        &[&new, Path::new("--out"), &one],
    );
    assert!(
        std::fs::read_to_string(&one)
            .unwrap()
            .starts_with("# Notes")
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_read_or_written_through_a_link_and_no_name_leads_out_of_the_folder() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("secret.md"), "what nobody gave away").unwrap();
    fs::create_dir(at("folder")).unwrap();
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/page.md"), "what nobody gave away").unwrap();
    symlink(at("secret.md"), at("link.md")).unwrap();
    symlink(at("folder"), at("link-to-folder")).unwrap();
    symlink(at("secret.md"), at("folder/link.md")).unwrap();
    symlink(at("elsewhere"), at("folder/pages")).unwrap();
    let sparse = fs::File::create(at("folder/sparse.md")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let data = at("data");
    let import = |path: &Path| glade(&["import"], &[path, Path::new("--data"), &data]);

    for path in [at("link.md"), at("link-to-folder"), "/dev/zero".into()] {
        let output = import(&path);
        assert!(!output.status.success(), "{path:?}: {}", said(&output));
    }
    for file in [
        "link.md",
        "pages/page.md",
        "../secret.md",
        "/etc/hostname",
        "sparse.md",
        "",
        ".",
    ] {
        let page = json!({"name": "Taken", "tier": "internal", "file": file});
        let told = json!({"type": "glade-workspace", "version": 1, "pages": [page]});
        fs::write(at("folder/workspace.json"), told.to_string()).unwrap();
        let output = import(&at("folder"));
        assert!(!output.status.success(), "{file:?}: {}", said(&output));
    }
    assert!(!data.exists(), "nothing was begun");

    // What goes out is its owner's alone, and goes through no link either.
    fs::write(at("plain.md"), "# Plans\n").unwrap();
    let output = import(&at("plain.md"));
    assert!(output.status.success(), "{}", said(&output));
    let export = |out: &Path| glade(&["export", "--data"], &[&data, Path::new("--out"), out]);
    symlink(at("nowhere"), at("dangling")).unwrap();
    let output = export(&at("dangling"));
    assert!(!output.status.success(), "{}", said(&output));
    assert!(!at("nowhere").exists());
    let output = export(&at("out"));
    assert!(output.status.success(), "{}", said(&output));
    let mode = |path: &str| fs::metadata(at(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode("out"), mode("out/pages"), mode("out/workspace.json")),
        (0o700, 0o700, 0o600)
    );
}
