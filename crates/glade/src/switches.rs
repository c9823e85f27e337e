//! What a backup would switch on: commands, other machines, doors.

use std::path::Path;

use glade_host::workspace::PluginSettings;
use glade_store::{Archive, Change, ReadRest, Settings, Store};
use serde_json::Value;

/// What the files of settings say, a line for each.
pub fn of_files(files: &[(String, Vec<u8>)]) -> Vec<String> {
    files
        .iter()
        .flat_map(|(name, bytes)| {
            let said = String::from_utf8_lossy(bytes);
            let lines = match name.as_str() {
                "models.json" => of_models(&said),
                _ => of_toml(&said),
            };
            lines.into_iter().map(move |line| format!("{name}: {line}"))
        })
        .collect()
}

/// Keys are not told.
fn of_models(text: &str) -> Vec<String> {
    let settings: Value = match serde_json::from_str(text) {
        Ok(settings) => settings,
        Err(_) => return vec!["it cannot be read".to_owned()],
    };
    let providers = settings["providers"].as_object().into_iter().flatten();
    providers
        .map(|(name, provider)| {
            let mut line = format!("the models of {name}");
            if let Some(command) = provider["keyCommand"].as_str() {
                line.push_str(&format!(", whose key the command {command:?} prints"));
            }
            if let Some(url) = provider["baseUrl"].as_str() {
                line.push_str(&format!(", asked at {url:?}"));
            }
            line
        })
        .collect()
}

fn of_toml(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    said.map(|line| format!("{line:?}")).collect()
}

/// The hosts that cards are fetched from. Left out, the folder no longer names them.
pub fn of_hosts(folder: &Path, settings: Settings) -> anyhow::Result<Vec<String>> {
    let archive = Archive::open(folder)?;
    let plugins = if archive.is_up_to_date()? {
        PluginSettings::read(&archive)?
    } else {
        // An older version left parts out, and its folder is brought up to date at the first start.
        let stored = archive.setting(PluginSettings::KEY)?;
        stored.map_or_else(
            || Ok(PluginSettings::default()),
            |json| serde_json::from_str(&json),
        )?
    };
    drop(archive);
    let hosts: Vec<String> = plugins
        .embed_hosts
        .iter()
        .map(|host| format!("cards are fetched from {host}"))
        .collect();
    if !hosts.is_empty() && settings == Settings::LeftOut {
        let without = PluginSettings {
            embed_hosts: Default::default(),
            ..plugins
        };
        Store::open(folder)?.write_blocking(vec![Change::PutSetting {
            key: PluginSettings::KEY.to_owned(),
            value: serde_json::to_string(&without)?,
        }])?;
    }
    Ok(hosts)
}
