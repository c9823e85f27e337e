//! The plugins of text pages that the workspace has, and the hosts that cards come from.

use std::collections::BTreeSet;
use std::net::IpAddr;

use glade_agent::plugins::Enabled;
use glade_store::{Change, ReadRest, StoreError, Unreadable};
use serde::{Deserialize, Serialize};

use super::{Workspace, WorkspaceChange};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PluginSettings {
    pub enabled: Enabled,
    /// Cards are fetched from these and from nowhere else.
    pub embed_hosts: BTreeSet<String>,
}

impl PluginSettings {
    /// Where the store has them.
    pub const KEY: &str = "plugins";

    /// What cannot be read switches nothing on: it is an error.
    pub fn read(store: &(impl ReadRest + ?Sized)) -> Result<Self, StoreError> {
        match store.setting(Self::KEY)? {
            None => Ok(Self::default()),
            Some(json) => Ok(Unreadable::exact_json(
                "setting",
                Self::KEY,
                "value",
                &json,
            )?),
        }
    }

    /// The names of the plugins that the workspace does not have.
    pub(super) fn off(&self) -> Vec<&'static str> {
        self.enabled.off().map(|plugin| plugin.name).collect()
    }

    /// Why nothing is fetched from this host.
    pub fn bars_host(&self, host: &str) -> Option<String> {
        let known = |known: &String| {
            let below = host.strip_suffix(known.as_str());
            below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
        };
        let barred = !self.embed_hosts.iter().any(known);
        barred.then(|| format!("{host} is not among the hosts that the owner allows cards from"))
    }
}

/// A host's name as it is compared, if it is one: no address, nothing of this machine.
pub fn embed_host(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches('.').to_ascii_lowercase();
    let plain = |ch: char| ch.is_ascii_alphanumeric() || ch == '-' || ch == '.';
    let fits = (1..=253).contains(&name.len())
        && name.contains('.')
        && name.chars().all(plain)
        && name.split('.').all(|label| !label.is_empty())
        && name.parse::<IpAddr>().is_err();
    fits.then_some(name)
}

impl Workspace {
    pub fn plugins(&self) -> PluginSettings {
        self.state().plugins.clone()
    }

    pub async fn set_plugins(
        &self,
        settings: PluginSettings,
        more: Vec<Change>,
    ) -> Result<(), StoreError> {
        let mut changes = vec![Change::PutSetting {
            key: PluginSettings::KEY.to_owned(),
            value: serde_json::to_string(&settings).unwrap_or_default(),
        }];
        changes.extend(more);
        self.store.write(changes).await?;
        let value = settings.off();
        self.tell(WorkspaceChange::Plugins { value }, |state| {
            state.plugins = settings
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_and_stands_for_those_below_it() {
        assert_eq!(embed_host(" Example.ORG. "), Some("example.org".to_owned()));
        for bad in [
            "localhost",
            "10.0.0.1",
            "[::1]",
            "a b.org",
            "https://a.org",
            ".org",
            "",
        ] {
            assert_eq!(embed_host(bad), None, "{bad}");
        }
        let settings = PluginSettings {
            embed_hosts: ["example.org".to_owned()].into(),
            ..PluginSettings::default()
        };
        assert_eq!(settings.bars_host("example.org"), None);
        assert_eq!(settings.bars_host("www.example.org"), None);
        assert!(settings.bars_host("badexample.org").is_some());
        assert!(settings.bars_host("example.org.evil.com").is_some());
    }
}
