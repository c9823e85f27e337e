//! Where the page comes from and where it goes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use glade_canvas::Scene;
use glade_canvas::file::{self, Loaded};
use glade_doc::ElementId;
use serde_json::Value;

use crate::render::{self, Format};

/// The file as it was.
pub struct SourceFile {
    /// What the name leads to, links followed.
    path: PathBuf,
    /// `None`: it was not there.
    pub bytes: Option<Vec<u8>>,
    pub loaded: Loaded,
}

impl SourceFile {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error).with_context(|| format!("{} could not be read", path.display()));
            }
        };
        let loaded = match &bytes {
            Some(bytes) => file::from_any(bytes)
                .with_context(|| format!("{} was not understood", path.display()))?,
            None => Loaded::default(),
        };
        // A link's target is replaced, not the link.
        let path = if bytes.is_some() {
            path.canonicalize()
                .with_context(|| format!("{} could not be found again", path.display()))?
        } else {
            path.to_owned()
        };
        Ok(Self {
            path,
            bytes,
            loaded,
        })
    }
}

/// What to write where.
pub struct Wanted {
    path: PathBuf,
    form: Form,
    /// The file itself is to be replaced.
    in_place: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Scene,
    Picture(Format),
}

impl Form {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let is_scene = path.extension().is_some_and(|it| {
            it.eq_ignore_ascii_case("excalidraw") || it.eq_ignore_ascii_case("json")
        });
        if is_scene {
            return Ok(Self::Scene);
        }
        Format::of(path).map(Self::Picture).with_context(|| {
            format!(
                "{} is of no format known here; use .excalidraw, .svg, .png or .jpg",
                path.display()
            )
        })
    }
}

impl Wanted {
    /// Checked before anything is asked of a model.
    pub fn of(out: Option<&Path>, given: &SourceFile) -> anyhow::Result<Self> {
        let path = out.unwrap_or(&given.path).to_owned();
        let form = Form::of(&path)?;
        if out.is_none() && form != Form::Scene {
            bail!(
                "{} is a picture, and a drawing cannot be put back into one; say --out F.excalidraw",
                path.display()
            );
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            bail!(
                "the folder {} is not there; make it first",
                folder.display()
            );
        }
        Ok(Self {
            path,
            form,
            in_place: out.is_none(),
        })
    }
}

/// Writes the page; answers where.
pub fn write(given: &SourceFile, wanted: &Wanted, scene: &Scene) -> anyhow::Result<PathBuf> {
    let page = page(given, scene);
    let bytes = match wanted.form {
        Form::Scene => {
            let mut bytes = serde_json::to_vec_pretty(&page)?;
            bytes.push(b'\n');
            bytes
        }
        Form::Picture(format) => render::whole_page(&page, format)?,
    };
    if wanted.in_place && std::fs::read(&given.path).ok() != given.bytes {
        let beside = beside(&given.path);
        replace(&beside, &bytes)?;
        bail!(
            "{} was changed by someone else meanwhile, and stays as it is; the drawing is in {}",
            given.path.display(),
            beside.display()
        );
    }
    replace(&wanted.path, &bytes)?;
    Ok(wanted.path.clone())
}

/// The page as a file: what the file held besides its shapes stays, and so do the version numbers of
/// shapes that nobody changed; those of changed ones go on counting.
fn page(given: &SourceFile, scene: &Scene) -> Value {
    let Some(bytes) = &given.bytes else {
        return file::to_excalidraw(scene);
    };
    let mut page = file::to_excalidraw_with(
        scene,
        Value::Object(given.loaded.app_state.clone()),
        Value::Object(given.loaded.files.clone()),
    );
    // A picture that carries a scene has no JSON of its own to compare with.
    let raw: Value = serde_json::from_slice(bytes).unwrap_or_default();
    // Whatever else a scene says stays said; a file of another kind says nothing that a scene has a place for.
    if let (Some(page), Some(raw)) = (page.as_object_mut(), raw.as_object())
        && raw.get("elements").is_some_and(Value::is_array)
    {
        for (key, value) in raw {
            page.entry(key).or_insert_with(|| value.clone());
        }
    }
    let raw = raw["elements"].as_array().map_or(&[][..], Vec::as_slice);
    let by_id: BTreeMap<&str, &Value> = raw
        .iter()
        .filter_map(|element| Some((element["id"].as_str()?, element)))
        .collect();
    let before = given.loaded.scene();
    let written = page["elements"].as_array_mut();
    for element in written.into_iter().flatten() {
        let Some(id) = element["id"].as_str().map(str::to_owned) else {
            continue;
        };
        let Some(raw) = by_id.get(id.as_str()) else {
            continue;
        };
        let id = ElementId::from(id.as_str());
        if before.get(&id) == scene.get(&id) {
            for key in ["version", "versionNonce", "updated"] {
                if let Some(value) = raw.get(key) {
                    element[key] = value.clone();
                }
            }
        } else if let Some(version) = raw["version"].as_u64() {
            element["version"] = Value::from(version.saturating_add(1));
        }
    }
    page
}

/// All of it or nothing: a reader never sees half a file.
pub fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("{} could not be written; it is as it was", path.display());
    let mut draft = tempfile::Builder::new()
        .prefix(".glade-")
        .permissions(permissions(path))
        .tempfile_in(folder_of(path))
        .with_context(failed)?;
    draft.write_all(bytes).with_context(failed)?;
    draft.as_file().sync_all().with_context(failed)?;
    draft.persist(path).with_context(failed)?;
    Ok(())
}

/// Those of the file that is replaced; the usual ones for a new file.
fn permissions(path: &Path) -> std::fs::Permissions {
    if let Ok(about) = std::fs::metadata(path) {
        return about.permissions();
    }
    #[cfg(unix)]
    {
        // The process's mask is taken off by the system.
        std::os::unix::fs::PermissionsExt::from_mode(0o666)
    }
    #[cfg(not(unix))]
    {
        std::fs::metadata(folder_of(path))
            .map(|about| about.permissions())
            .unwrap_or_else(|_| unreachable!("the folder was looked at before"))
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A name beside a file that nobody has taken.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default();
    (1_u32..)
        .map(|n| {
            let mut name = OsString::from(stem);
            name.push(format!("-drawn-{n}.excalidraw"));
            path.with_file_name(name)
        })
        .find(|path| !path.exists())
        .unwrap_or_else(|| path.with_extension("drawn.excalidraw"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_stays_and_the_drawing_goes_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.excalidraw");
        std::fs::write(&path, br#"{"type":"excalidraw","elements":[]}"#).unwrap();
        let given = SourceFile::read(&path).unwrap();
        let wanted = Wanted::of(None, &given).unwrap();
        let theirs = br#"{"type":"excalidraw","elements":[],"theirs":true}"#;
        std::fs::write(&path, theirs).unwrap();
        let error = write(&given, &wanted, &Scene::new())
            .unwrap_err()
            .to_string();
        assert!(error.contains("changed by someone else"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), theirs);
        let beside = folder.path().join("plan-drawn-1.excalidraw");
        assert!(file::from_any(&std::fs::read(beside).unwrap()).is_ok());
    }
}
