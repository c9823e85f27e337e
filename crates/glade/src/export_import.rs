//! `glade export` and `glade import`: pages, or a whole workspace, as files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use glade_canvas::file::Onto;
use glade_doc::{CommentId, Props, Surface};
use glade_server::{PageFile, PageFiles, surface_of};
use glade_store::{PageRow, Restoring, Settings, private};
use glade_text::links::PageLink;
use serde::{Deserialize, Serialize};

/// The file that says what an exported folder holds.
const MANIFEST: &str = "workspace.json";
const TYPE: &str = "glade-workspace";
const VERSION: u32 = 1;

/// The most that a manifest has …
const MAX_MANIFEST: u64 = 64 << 20;
/// … a page's file, pictures inside …
const MAX_FILE: u64 = 256 << 20;
/// … and all of them together, which are held at once.
const MAX_ALL: u64 = 1 << 30;

#[derive(Args)]
pub struct Export {
    /// The server's data folder; the server may be running
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// The folder to make; with --page, the file to make: .excalidraw, or .md for a text page
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Only this page, by its id or its name
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
}

#[derive(Args)]
pub struct Import {
    /// A folder that `glade export` made, or a file: .excalidraw, .excalidrawlib, .tldr, a picture with a
    /// scene in it, or .md
    path: PathBuf,
    /// The data folder, with no server running on it; made if it is not there
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// Put the file onto this page, by its id or its name, instead of making one
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
    /// Delete what is on that page first
    #[arg(long, requires = "page")]
    replace: bool,
    /// What the new page is called; the file's name otherwise
    #[arg(long, value_name = "NAME", conflicts_with = "page")]
    name: Option<String>,
    /// The tier of the new page, or of all new pages instead of their own
    #[arg(long, value_name = "TIER", conflicts_with = "page")]
    tier: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    r#type: String,
    version: u32,
    pages: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    tier: String,
    /// Relative to the folder.
    file: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<String>,
    #[serde(default)]
    comments: BTreeMap<CommentId, Props>,
}

pub fn export(args: &Export) -> anyhow::Result<()> {
    ensure!(
        // A link that leads nowhere is there too.
        fs::symlink_metadata(&args.out).is_err(),
        "{} is there already; name another, or move it away",
        args.out.display()
    );
    // A copy of one moment: the server may be running, and its folder stays as it is.
    let scratch = tempfile::tempdir().context("no scratch folder could be made")?;
    let (copy, folder) = (scratch.path().join("copy"), scratch.path().join("data"));
    glade_store::backup(&args.data, &copy)?;
    Restoring::begin(&copy, &folder, Settings::LeftOut)?.finish()?;
    let files = PageFiles::open(&folder)?;
    match &args.page {
        Some(wanted) => export_page(&files, wanted, &args.out),
        None => export_all(&files, &args.out),
    }
}

fn export_page(files: &PageFiles, wanted: &str, out: &Path) -> anyhow::Result<()> {
    let row = find(files, wanted)?;
    let extension = extension(&row)?;
    let fits = out
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case(extension));
    ensure!(
        fits,
        "a {} page becomes an .{extension} file; `glade render` makes pictures of drawings",
        row.kind
    );
    let page = files.take(&row, &|_| None)?;
    write(out, &page.file)?;
    say_left_out(&page)?;
    say(&format!("{} is in {}", row.name, out.display()))
}

fn export_all(files: &PageFiles, out: &Path) -> anyhow::Result<()> {
    let pages = out.join("pages");
    private::make_folder(&pages)
        .with_context(|| format!("{} could not be made", pages.display()))?;
    let mut entries = Vec::new();
    let rows = files.pages()?;
    let named = (1..).zip(&rows).map(|(number, row)| {
        let file = format!("{number:02}-{}.{}", plain(&row.name), extension(row)?);
        anyhow::Ok((row.id.clone(), file))
    });
    let names: BTreeMap<String, String> = named.collect::<Result<_, _>>()?;
    // What leads to a page leads to its file.
    let links = |href: &str| {
        let link = PageLink::read(href)?;
        Some(link.in_file(names.get(&link.page)?))
    };
    for row in &rows {
        let page = files.take(row, &links)?;
        say_left_out(&page)?;
        let file = format!("pages/{}", names[&row.id]);
        write(&out.join(&file), &page.file)?;
        entries.push(Entry {
            name: page.name,
            tier: page.tier,
            file,
            blocks: page.blocks,
            comments: page.comments,
        });
    }
    let count = entries.len();
    let manifest = Manifest {
        r#type: TYPE.to_owned(),
        version: VERSION,
        pages: entries,
    };
    write(&out.join(MANIFEST), &serde_json::to_vec_pretty(&manifest)?)?;
    say(&format!("{count} pages are in {}", out.display()))
}

pub fn import(args: &Import) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime could not start")?;
    runtime.block_on(import_into(args))
}

async fn import_into(args: &Import) -> anyhow::Result<()> {
    // Read before the folder is touched.
    let pages = match args.page {
        Some(_) => Vec::new(),
        None => read(args)?,
    };
    let bytes = match args.page {
        Some(_) => Some(bytes_of(&args.path, MAX_FILE)?),
        None => None,
    };
    let files = PageFiles::open(&args.data)?;
    if let (Some(wanted), Some(bytes)) = (&args.page, bytes) {
        let row = find(&files, wanted)?;
        let onto = if args.replace {
            Onto::Replace
        } else {
            Onto::Append
        };
        let (count, notes) = files.put(&row.id, &bytes, onto).await?;
        notes.iter().try_for_each(|note| say(note))?;
        return say(&format!("{count} elements came onto {}", row.name));
    }
    let ids: Vec<String> = pages.iter().map(|_| PageFiles::new_id()).collect();
    let new: BTreeMap<&str, &String> = pages
        .iter()
        .map(|(file, _)| file.as_str())
        .zip(&ids)
        .collect();
    // What leads to a file of the folder leads to the page that it becomes.
    let links = |href: &str| {
        let (file, element) = PageLink::of_file(href);
        let page = (*new.get(file).filter(|_| !file.is_empty())?).clone();
        Some(PageLink { page, element }.href())
    };
    for ((_, page), id) in pages.iter().zip(&ids) {
        let notes = files
            .add(id, page, &links)
            .await
            .with_context(|| format!("{} was not imported", page.name))?;
        notes.iter().try_for_each(|note| say(note))?;
        say(&format!("{} is the page {id}", page.name))?;
    }
    Ok(())
}

/// The pages of a folder, or the one that a file becomes, by the names of their files.
fn read(args: &Import) -> anyhow::Result<Vec<(String, PageFile)>> {
    let path = &args.path;
    let found = fs::symlink_metadata(path)
        .with_context(|| format!("{} could not be read", path.display()))?;
    ensure!(
        !found.file_type().is_symlink(),
        "{} is a link, which is not followed; name what it leads to",
        path.display()
    );
    if !found.is_dir() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let page = PageFile {
            name: args.name.clone().unwrap_or_else(|| name.into_owned()),
            tier: args.tier.clone().unwrap_or_else(|| "internal".to_owned()),
            surface: surface_for(path),
            file: bytes_of(path, MAX_FILE)?,
            blocks: Vec::new(),
            comments: BTreeMap::new(),
        };
        return Ok(vec![(String::new(), page)]);
    }
    ensure!(
        args.name.is_none(),
        "--name is for a file: the pages of a folder have names"
    );
    let manifest = path.join(MANIFEST);
    let told: Manifest = serde_json::from_slice(&bytes_of(&manifest, MAX_MANIFEST)?)
        .with_context(|| format!("{} was not understood", manifest.display()))?;
    if told.r#type != TYPE || told.version != VERSION {
        bail!(
            "{} is not of a kind known here ({TYPE}, version {VERSION}): was it made by a newer glade?",
            manifest.display()
        );
    }
    let mut left = MAX_ALL;
    let page = |entry: Entry| {
        let file = inside(path, &entry.file)?;
        let bytes = bytes_of(&file, MAX_FILE.min(left))?;
        left -= bytes.len() as u64;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let page = PageFile {
            name: entry.name,
            tier: args.tier.clone().unwrap_or(entry.tier),
            surface: surface_for(&file),
            file: bytes,
            blocks: entry.blocks,
            comments: entry.comments,
        };
        Ok((name.into_owned(), page))
    };
    told.pages.into_iter().map(page).collect()
}

/// A file of the folder, which no name and no link on the way leads out of.
fn inside(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let parts: Vec<_> = Path::new(name).components().collect();
    let plain = |part: &std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
    ensure!(
        !parts.is_empty() && parts.iter().all(plain),
        "{name} lies outside of the folder"
    );
    let mut path = folder.to_owned();
    for part in parts {
        path.push(part);
        let found = fs::symlink_metadata(&path)
            .with_context(|| format!("{} could not be read", path.display()))?;
        ensure!(
            !found.file_type().is_symlink(),
            "{} is a link, which may lead out of the folder; put the file itself in its place",
            path.display()
        );
    }
    Ok(path)
}

/// What a page's file ends with.
fn extension(row: &PageRow) -> anyhow::Result<&'static str> {
    Ok(match surface_of(row)? {
        Surface::Canvas => "excalidraw",
        Surface::Text => "md",
    })
}

/// What a file becomes.
fn surface_for(path: &Path) -> Surface {
    let markdown =
        |it: &std::ffi::OsStr| it.eq_ignore_ascii_case("md") || it.eq_ignore_ascii_case("markdown");
    if path.extension().is_some_and(markdown) {
        Surface::Text
    } else {
        Surface::Canvas
    }
}

/// Markdown holds no pictures, only where they are.
fn say_left_out(page: &PageFile) -> anyhow::Result<()> {
    let text = String::from_utf8_lossy(&page.file);
    let count = text.matches("](/api/blobs/").count();
    if page.surface.has_styled_words() && count > 0 {
        say(&format!("left out: {count} pictures of {}", page.name))
    } else {
        Ok(())
    }
}

fn find(files: &PageFiles, wanted: &str) -> anyhow::Result<PageRow> {
    let mut pages = files.pages()?;
    if let Some(at) = pages.iter().position(|page| page.id == wanted) {
        return Ok(pages.swap_remove(at));
    }
    let names: Vec<String> = pages
        .iter()
        .map(|page| format!("{} ({})", page.name, page.id))
        .collect();
    pages.retain(|page| page.name == wanted);
    match (pages.pop(), pages.is_empty()) {
        (Some(page), true) => Ok(page),
        (Some(_), false) => bail!("several pages are called {wanted}; name one by its id"),
        (None, _) => bail!("there is no page {wanted}; there are {}", names.join(", ")),
    }
}

fn bytes_of(path: &Path, limit: u64) -> anyhow::Result<Vec<u8>> {
    private::read(path, limit).with_context(|| format!("{} could not be read", path.display()))
}

/// Makes a file that only its owner can read.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    private::create_new(path)
        .and_then(|mut file| file.write_all(bytes))
        .with_context(|| format!("{} could not be written", path.display()))
}

fn say(what: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout(), "{what}")?)
}

/// A name as a part of a file's name.
fn plain(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .take(40)
        .collect();
    let plain = plain.trim_matches('-').to_lowercase();
    if plain.is_empty() {
        "page".to_owned()
    } else {
        plain
    }
}
