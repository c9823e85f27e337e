//! Reading `glade.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{SETTINGS, Value, nearest};

/// What a file says.
#[derive(Default)]
pub struct Read {
    pub data: Option<PathBuf>,
    pub values: BTreeMap<&'static str, Vec<String>>,
}

/// `may_place`: whether the file may say where the data folder is, which one inside it cannot.
pub fn read(path: &Path, may_place: bool) -> anyhow::Result<Read> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("the settings in {} could not be read", path.display()))?;
    parse(&text, may_place).with_context(|| format!("in {}", path.display()))
}

fn parse(text: &str, may_place: bool) -> anyhow::Result<Read> {
    let table: toml::Table = text.parse().context("this is not TOML")?;
    let mut read = Read::default();
    for (key, value) in table {
        if key == "data" && may_place {
            let folder = value
                .as_str()
                .context("`data` is a folder's name, in quotes")?;
            read.data = Some(PathBuf::from(folder));
            continue;
        }
        anyhow::ensure!(
            key != "data",
            "`data` is of no use in the data folder itself: say it with --data, GLADE_DATA or in a file given with --config"
        );
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == key) else {
            let known = SETTINGS.iter().map(|setting| setting.name).chain(["data"]);
            let near = nearest(&key, known).map_or("", |(near, _)| near);
            anyhow::bail!(
                "there is no setting `{key}`: is `{near}` meant? `glade config` prints them all"
            );
        };
        let values = match (&setting.value, value) {
            (Value::Names | Value::Addresses, toml::Value::Array(items)) => {
                items.iter().map(plain).collect::<Option<Vec<_>>>()
            }
            (Value::Folder, value) => plain(&value).map(|value| setting.split(&value)),
            (_, value) => plain(&value).map(|value| vec![value]),
        };
        let values = values.with_context(|| {
            format!(
                "`{key}` is one plain value, such as `{key} = {}`",
                setting.written(&setting.split(setting.default))
            )
        })?;
        read.values.insert(setting.name, values);
    }
    Ok(read)
}

fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(switch) => Some(switch.to_string()),
        toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}
