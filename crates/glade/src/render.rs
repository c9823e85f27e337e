//! `glade render`: pictures of Excalidraw files, without a server or a browser.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::Args;
use glade_canvas::file::{self, FileError, Note};
use glade_canvas::render::{self, Options, Theme};
use glade_canvas::{Rect, Scene};
use serde_json::Value;

/// Draw Excalidraw files as SVG, PNG or JPEG
#[derive(Args)]
pub struct Render {
    /// The files: .excalidraw, .excalidrawlib, .tldr, or a PNG or SVG with the scene in it; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to: F.svg, F.png or F.jpg; with many files a pattern such as out/{name}.png, or a folder; - for standard
    /// output (for these two see --format)
    #[arg(long)]
    out: PathBuf,
    /// What to write into a folder or to standard output
    #[arg(long, value_enum, default_value = "svg")]
    format: Format,
    /// Pixels for each unit of the page; a PNG or JPEG has at most 8000 a side
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    scale: f64,
    /// In the dark theme
    #[arg(long)]
    dark: bool,
    /// The part of the page to draw; everything when left out
    #[arg(long, value_name = "X,Y,W,H", allow_hyphen_values = true)]
    bounds: Option<Bounds>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Svg,
    Png,
    #[value(alias = "jpeg")]
    Jpg,
}

impl Format {
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpg),
            _ => None,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Jpg => "jpg",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds(Rect);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse::<f64>().map_err(|_| part))
            .collect::<Result<_, _>>()
            .map_err(|part| format!("\"{part}\" is not a number; write four as in 0,0,800,600"))?;
        let &[x, y, w, h] = numbers.as_slice() else {
            return Err(
                "write four numbers as in 0,0,800,600: left, top, width, height".to_owned(),
            );
        };
        if !numbers.iter().all(|number| number.abs() <= 1e7) || w <= 0.0 || h <= 0.0 {
            return Err(
                "the width and the height must be above 0, and nothing above 10,000,000".to_owned(),
            );
        }
        Ok(Self(Rect::new(x, y, w, h)))
    }
}

fn scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text
        .parse()
        .map_err(|_| format!("\"{text}\" is not a number"))?;
    if !(0.01..=100.0).contains(&scale) {
        return Err("choose a scale from 0.01 to 100".to_owned());
    }
    Ok(scale)
}

pub fn run(render: Render) -> anyhow::Result<()> {
    let jobs = jobs(&render)?;
    let many = jobs.len() > 1;
    let mut failed = 0;
    for (done, (file, out, format)) in jobs.iter().enumerate() {
        progress(done, jobs.len());
        if let Err(error) = one(&render, file, out, *format) {
            if !many {
                return Err(error);
            }
            failed += 1;
            tell(&format!("{error:#}"));
        }
    }
    progress(jobs.len(), jobs.len());
    if failed > 0 {
        bail!(
            "{failed} of {} files were not drawn; the lines above say why",
            jobs.len()
        );
    }
    Ok(())
}

/// A bar on a terminal; nothing where nobody watches.
fn progress(done: usize, all: usize) {
    const WIDTH: usize = 30;
    let mut stderr = std::io::stderr();
    if all < 2 || !stderr.is_terminal() {
        return;
    }
    let filled = done * WIDTH / all;
    let end = if done == all { "\n" } else { "" };
    // A bar that cannot be shown is no reason to stop.
    let _ = write!(
        stderr,
        "\r[{}{}] {done} of {all}{end}",
        "#".repeat(filled),
        " ".repeat(WIDTH - filled)
    );
    let _ = stderr.flush();
}

/// A line to whoever asked, over the bar where there is one.
fn tell(words: &str) {
    let over = if std::io::stderr().is_terminal() {
        "\r\x1b[K"
    } else {
        ""
    };
    eprintln!("{over}glade: {words}");
}

/// Standard input or output.
fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to write where.
fn jobs(render: &Render) -> anyhow::Result<Vec<(PathBuf, PathBuf, Format)>> {
    let out = &render.out;
    if is_dash(out) {
        let [file] = render.files.as_slice() else {
            bail!(
                "only one file goes to standard output; name a folder for the {} of them",
                render.files.len()
            );
        };
        return Ok(vec![(file.clone(), out.clone(), render.format)]);
    }
    let pattern = out.to_str().filter(|text| text.contains("{name}"));
    if let Some(pattern) = pattern {
        let format = Format::of(out).with_context(|| {
            format!(
                "{} says no format; end it in .svg, .png or .jpg",
                out.display()
            )
        })?;
        let job = |file: &PathBuf| {
            (
                file.clone(),
                PathBuf::from(pattern.replace("{name}", &name(file))),
                format,
            )
        };
        return distinct(render.files.iter().map(job).collect());
    }
    let is_folder = out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/");
    if let (Some(format), false) = (Format::of(out), is_folder) {
        let [file] = render.files.as_slice() else {
            bail!(
                "{} files cannot all become {}; name a folder, or a pattern such as {{name}}.{}",
                render.files.len(),
                out.display(),
                format.extension()
            );
        };
        return Ok(vec![(file.clone(), out.clone(), format)]);
    }
    if out.extension().is_some() && !is_folder {
        bail!(
            "{} is of no format known here; use .svg, .png or .jpg",
            out.display()
        );
    }
    let job = |file: &PathBuf| {
        let picture = out
            .join(name(file))
            .with_added_extension(render.format.extension());
        (file.clone(), picture, render.format)
    };
    distinct(render.files.iter().map(job).collect())
}

/// The file's name without its ending.
fn name(file: &Path) -> String {
    let stem = file.file_stem().filter(|_| !is_dash(file));
    stem.map_or_else(
        || "picture".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn distinct(
    jobs: Vec<(PathBuf, PathBuf, Format)>,
) -> anyhow::Result<Vec<(PathBuf, PathBuf, Format)>> {
    let mut taken: BTreeMap<&Path, &Path> = BTreeMap::new();
    for (file, out, _) in &jobs {
        if let Some(other) = taken.insert(out, file) {
            bail!(
                "{} and {} would both become {}; draw them one by one",
                other.display(),
                file.display(),
                out.display()
            );
        }
    }
    Ok(jobs)
}

fn one(render: &Render, file: &Path, out: &Path, format: Format) -> anyhow::Result<()> {
    let bytes = input(file)?;
    let (scene, mut options, notes) =
        read(&bytes).with_context(|| format!("{} was not understood", file.display()))?;
    say(file, &notes);
    if scene.live_count() == 0 {
        tell(&format!("{}: there is nothing on it", file.display()));
    }
    options.scale = render.scale;
    options.theme = if render.dark {
        Theme::Dark
    } else {
        Theme::Light
    };
    options.bounds = render.bounds.map(|bounds| bounds.0);
    options.this_year = this_year();
    let picture = picture(&scene, &options, format)?;
    output(file, out, &picture)
}

fn input(file: &Path) -> anyhow::Result<Vec<u8>> {
    if !is_dash(file) && file.is_dir() {
        bail!(
            "{} is a folder; name the files in it, as in {}",
            file.display(),
            file.join("*.excalidraw").display()
        );
    }
    let read = if is_dash(file) {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.with_context(|| format!("{} could not be read", file.display()))
}

fn output(file: &Path, out: &Path, picture: &[u8]) -> anyhow::Result<()> {
    if is_dash(out) {
        let written = std::io::stdout().write_all(picture);
        return written.context("standard output could not be written to");
    }
    // A picture with its scene in it is the scene: drawn over, it is only a picture.
    if let (Ok(from), Ok(to)) = (file.canonicalize(), out.canonicalize())
        && from == to
    {
        bail!(
            "{} would be drawn over itself, and lose the scene in it; choose another --out",
            file.display()
        );
    }
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} could not be made", folder.display()))?;
    }
    std::fs::write(out, picture).with_context(|| format!("{} could not be written", out.display()))
}

fn picture(scene: &Scene, options: &Options, format: Format) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        Format::Svg => render::to_svg(scene, options).into_bytes(),
        Format::Png => render::to_png(scene, options)?,
        Format::Jpg => render::to_jpeg(scene, options)?,
    })
}

/// All of a file, at its own size.
pub fn whole_page(file: &Value, format: Format) -> anyhow::Result<Vec<u8>> {
    let (scene, mut options, _) = read(&serde_json::to_vec(file)?)?;
    options.this_year = this_year();
    picture(&scene, &options, format)
}

/// What of the file is not in the picture, in a few lines.
fn say(file: &Path, notes: &[Note]) {
    const LINES: usize = 5;
    let lost: Vec<&Note> = notes.iter().filter(|note| note.is_loss()).collect();
    for note in lost.iter().take(LINES) {
        tell(&format!("{}: {note}", file.display()));
    }
    if lost.len() > LINES {
        tell(&format!(
            "{}: and {} more like these",
            file.display(),
            lost.len() - LINES
        ));
    }
}

/// What a file holds: its elements, what they are drawn with, and what was left out. A library's items stand in rows.
fn read(bytes: &[u8]) -> Result<(Scene, Options, Vec<Note>), FileError> {
    let loaded = match file::from_any(bytes) {
        Err(FileError::Library) => {
            let laid_out = file::from_library(bytes)?.laid_out();
            return Ok((laid_out.scene(), Options::default(), laid_out.notes));
        }
        loaded => loaded?,
    };
    let mut options = Options {
        files: loaded.images(),
        ..Options::default()
    };
    if let Some(background) = loaded.background() {
        options.background = Some(background.to_owned());
    }
    Ok((loaded.as_drawn(), options, loaded.notes))
}

fn this_year() -> Option<i64> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    // The mean year is exact enough but for some hours around New Year.
    i64::try_from(1970 + seconds / 31_556_952).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(files: &[&str], out: &str) -> Render {
        Render {
            files: files.iter().map(PathBuf::from).collect(),
            out: PathBuf::from(out),
            format: Format::Png,
            scale: 1.0,
            dark: false,
            bounds: None,
        }
    }

    fn outs(files: &[&str], out: &str) -> Result<Vec<String>, String> {
        let jobs = jobs(&render(files, out)).map_err(|error| error.to_string())?;
        Ok(jobs
            .iter()
            .map(|(_, out, _)| out.display().to_string())
            .collect())
    }

    #[test]
    fn one_file_goes_where_out_says() {
        assert_eq!(
            outs(&["a.excalidraw"], "b.svg"),
            Ok(vec!["b.svg".to_owned()])
        );
    }

    #[test]
    fn many_files_go_into_a_folder_or_by_a_pattern() {
        let files = ["x/a.excalidraw", "b.v2.excalidraw"];
        assert_eq!(
            outs(&files, "pics"),
            Ok(vec!["pics/a.png".to_owned(), "pics/b.v2.png".to_owned()])
        );
        assert_eq!(
            outs(&files, "p/{name}-s.jpg"),
            Ok(vec!["p/a-s.jpg".to_owned(), "p/b.v2-s.jpg".to_owned()])
        );
    }

    #[test]
    fn a_name_that_ends_in_a_slash_is_a_folder() {
        assert_eq!(
            outs(&["a.excalidraw"], "v1.2/"),
            Ok(vec!["v1.2/a.png".to_owned()])
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_a_way_out() {
        assert!(
            outs(&["a.excalidraw", "b.excalidraw"], "c.svg")
                .unwrap_err()
                .contains("{name}.svg")
        );
        assert!(
            outs(&["a.excalidraw"], "b.pdf")
                .unwrap_err()
                .contains(".svg, .png or .jpg")
        );
        assert!(
            outs(&["x/a.excalidraw", "y/a.excalidraw"], "pics")
                .unwrap_err()
                .contains("one by one")
        );
        assert!(
            "1,2,3"
                .parse::<Bounds>()
                .unwrap_err()
                .contains("four numbers")
        );
        assert!("0,0,0,5".parse::<Bounds>().is_err());
        assert_eq!(
            "-5, 0,10,20".parse(),
            Ok(Bounds(Rect::new(-5.0, 0.0, 10.0, 20.0)))
        );
    }

    #[test]
    fn elements_are_drawn_in_the_order_of_the_file() {
        let file = serde_json::json!({"elements": [
            {"id": "b", "type": "rectangle", "index": "a2"},
            {"id": "a", "type": "ellipse", "index": "a1"},
            {"type": "line"}, 7,
        ], "appState": {"viewBackgroundColor": "#eee"}});
        let (scene, options, _) = read(file.to_string().as_bytes()).unwrap();
        let ids: Vec<&str> = scene.live().map(|element| element.id.as_str()).collect();
        assert_eq!(ids, ["b", "a", "element-2"]);
        assert_eq!(options.background.as_deref(), Some("#eee"));
        assert!(read(b"{}").is_err());
    }

    #[test]
    fn a_library_is_drawn_in_rows() {
        let item = serde_json::json!([{"id": "b", "type": "rectangle", "width": 50, "height": 20}]);
        let file =
            serde_json::json!({"type": "excalidrawlib", "version": 1, "library": [item, item]});
        let (scene, _, _) = read(file.to_string().as_bytes()).unwrap();
        assert_eq!(scene.live().count(), 2);
    }
}
