//! Licences and sources of everything we depend on, judged by deny.toml.
//!
//! cargo-deny is the tool for this, and runs where it is installed. Building it
//! takes longer than all our own checks together, so CI does not; this check
//! reads the same deny.toml, asks cargo and npm what is really used, and is
//! always run. It covers the studio's packages too, which cargo-deny does not
//! know: they are embedded in the same binary.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

use crate::{shell, tools};

/// What deny.toml allows.
#[derive(Debug, Default, PartialEq, Eq)]
struct Policy {
    licences: Vec<String>,
    /// Licences allowed for one package alone.
    exceptions: BTreeMap<String, Vec<String>>,
    /// Registries that packages may come from.
    registries: Vec<String>,
}

/// npm packages that package-lock.json names no licence for; read from their
/// licence files. (deny.toml knows such notes for crates only.)
const READ_BY_US: [(&str, &str); 2] = [("fuzzy", "MIT"), ("khroma", "MIT")];

/// One thing we depend on.
#[derive(Debug)]
struct Package {
    name: String,
    licence: Option<String>,
    /// `None`: a crate of this workspace.
    source: Option<String>,
}

pub fn check() -> Result<()> {
    let crates = crates("Cargo.toml")?;
    let packages = fs::read_to_string(shell::web().join("package-lock.json"))
        .context("reading web/package-lock.json")?;
    let packages = npm_packages(&serde_json::from_str(&packages)?);
    println!(
        "  {} crates and {} npm packages",
        crates.len(),
        packages.len()
    );

    judge(crates.iter().chain(&packages))?;

    if tools::has_cargo_command("deny") {
        shell::run(&mut shell::cargo([
            "deny", "check", "licenses", "bans", "sources",
        ]))?;
    }
    Ok(())
}

/// The crates that the fuzz targets are built of. They are judged when they are needed: what is shipped is not made of
/// them, and to know them they have to be fetched.
pub fn check_fuzz() -> Result<()> {
    judge(&crates("fuzz/Cargo.toml")?)
}

fn judge<'a>(packages: impl IntoIterator<Item = &'a Package>) -> Result<()> {
    let policy =
        fs::read_to_string(shell::root().join("deny.toml")).context("reading deny.toml")?;
    let policy = Policy::parse(&policy).context("deny.toml")?;
    let complaints: Vec<String> = packages
        .into_iter()
        .filter_map(|package| policy.complaint(package))
        .collect();
    if !complaints.is_empty() {
        bail!(
            "deny.toml does not allow:\n  {}\nRead the licence, then leave the package out or, \
             if it may stay, say so in deny.toml",
            complaints.join("\n  ")
        );
    }
    Ok(())
}

impl Policy {
    fn parse(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let licences = &table["licenses"];
        let mut policy = Self {
            licences: strings(licences.get("allow")),
            registries: strings(table.get("sources").and_then(|it| it.get("allow-registry"))),
            ..Self::default()
        };
        for entry in tables(licences.get("exceptions")) {
            let (name, allow) = (string(entry, "crate")?, strings(entry.get("allow")));
            policy.exceptions.insert(name, allow);
        }
        Ok(policy)
    }

    /// Why a package may not be used, if it may not.
    fn complaint(&self, package: &Package) -> Option<String> {
        let name = &package.name;
        let Some(source) = &package.source else {
            return None;
        };
        let registry = source.split_once('+').map_or(source.as_str(), |(_, it)| it);
        if source != "npm" && !self.registries.iter().any(|it| it == registry) {
            return Some(format!("{name} from {source}"));
        }
        let Some(declared) = &package.licence else {
            return Some(format!("{name}, which declares no licence"));
        };
        let allowed = |needed: &LicenseReq| {
            let needed = needed.to_string();
            let own = self.exceptions.get(name).into_iter().flatten();
            self.licences.iter().chain(own).any(|it| {
                // `X+` and `X-or-later` may be taken under X itself.
                let plain = needed.trim_end_matches('+').trim_end_matches("-or-later");
                *it == needed || *it == plain
            })
        };
        match Expression::parse_mode(declared, ParseMode::LAX) {
            Ok(expression) if expression.evaluate(allowed) => None,
            Ok(_) => Some(format!("{name} under {declared}")),
            Err(error) => Some(format!("{name} under {declared:?} ({})", error.reason)),
        }
    }
}

fn string(table: &toml::Value, key: &str) -> Result<String> {
    let value = table.get(key).and_then(toml::Value::as_str);
    Ok(value
        .with_context(|| format!("an entry without `{key}`"))?
        .to_owned())
}

fn strings(value: Option<&toml::Value>) -> Vec<String> {
    tables(value)
        .iter()
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect()
}

fn tables(value: Option<&toml::Value>) -> &[toml::Value] {
    value
        .and_then(toml::Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The crates of a build for this machine.
fn crates(manifest: &str) -> Result<Vec<Package>> {
    let versions = shell::output(std::process::Command::new("rustc").arg("-vV"))?;
    let host = versions
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("rustc does not say its host")?;
    let metadata = shell::output(&mut shell::cargo([
        "metadata",
        "--format-version=1",
        "--locked",
        "--manifest-path",
        manifest,
        "--filter-platform",
        host,
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    Ok(packages
        .iter()
        .map(|package| Package {
            name: package["name"].as_str().unwrap_or_default().to_owned(),
            licence: package["license"].as_str().map(str::to_owned),
            source: package["source"].as_str().map(str::to_owned),
        })
        .collect())
}

/// The packages that go into the studio; those only for its development do not.
fn npm_packages(lock: &Value) -> Vec<Package> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    packages
        .filter(|(path, package)| !path.is_empty() && package["dev"] != true)
        .map(|(path, package)| {
            let name = path
                .rsplit_once("node_modules/")
                .map_or(path.as_str(), |it| it.1);
            let read = READ_BY_US.iter().find(|it| it.0 == name).map(|it| it.1);
            Package {
                name: name.to_owned(),
                licence: package["license"].as_str().or(read).map(str::to_owned),
                source: Some("npm".to_owned()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn policy() -> Policy {
        Policy::parse(
            r#"
            [licenses]
            allow = ["MIT", "Unicode-3.0", "MPL-2.0"]
            [[licenses.exceptions]]
            crate = "odd"
            allow = ["BSL-1.0"]
            [sources]
            allow-registry = ["https://github.com/rust-lang/crates.io-index"]
            "#,
        )
        .unwrap()
    }

    fn judge(name: &str, licence: Option<&str>, source: Option<&str>) -> Option<String> {
        policy().complaint(&Package {
            name: name.to_owned(),
            licence: licence.map(str::to_owned),
            source: source.map(str::to_owned),
        })
    }

    #[test]
    fn expressions_are_judged_as_spdx_reads_them() {
        for fine in [
            "MIT",
            "Apache-2.0 OR MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "MPL-2.0+",
        ] {
            assert_eq!(judge("x", Some(fine), Some(CRATES_IO)), None, "{fine}");
        }
        for not in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "Apache-2.0",
            "Who knows",
        ] {
            assert!(judge("x", Some(not), Some("npm")).is_some(), "{not}");
        }
    }

    #[test]
    fn an_exception_holds_for_its_package_alone() {
        assert_eq!(judge("odd", Some("BSL-1.0"), Some(CRATES_IO)), None);
        assert_eq!(
            judge("even", Some("BSL-1.0"), Some(CRATES_IO)),
            Some("even under BSL-1.0".to_owned())
        );
    }

    #[test]
    fn a_package_without_a_licence_may_not_be_used() {
        assert_eq!(
            judge("mute", None, Some("npm")),
            Some("mute, which declares no licence".to_owned())
        );
    }

    #[test]
    fn crates_come_from_the_registry_or_from_here() {
        assert_eq!(judge("ours", None, None), None);
        let git = "git+https://example.org/fork";
        assert_eq!(
            judge("fork", Some("MIT"), Some(git)),
            Some(format!("fork from {git}"))
        );
    }

    #[test]
    fn packages_only_for_development_are_not_judged() {
        let lock = json!({"packages": {
            "": {"license": "MIT"},
            "node_modules/react": {"license": "MIT"},
            "node_modules/a/node_modules/@b/c": {},
            "node_modules/khroma": {},
            "node_modules/vite": {"license": "GPL-3.0-only", "dev": true},
        }});
        let found: Vec<_> = npm_packages(&lock)
            .into_iter()
            .map(|it| (it.name, it.licence))
            .collect();
        assert_eq!(
            found,
            [
                ("react".to_owned(), Some("MIT".to_owned())),
                ("@b/c".to_owned(), None),
                ("khroma".to_owned(), Some("MIT".to_owned())),
            ]
        );
    }
}
