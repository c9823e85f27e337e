//! What a server is told, from four places: a flag, the environment, a file, the default; the first
//! that says something wins.
//!
//! [`SETTINGS`] is the whole list. A setting `name` is the flag `--name`, the variable `GLADE_NAME`
//! and the key `name` in `glade.toml`, which lies in the data folder or where `--config` says.

mod file;
mod settings;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

pub use settings::{SETTINGS, Setting, Value};

const DATA: &str = "glade-data";
/// Looked for in the data folder when no other is named.
const FILE: &str = "glade.toml";

/// The flags of `glade serve` and `glade config`, made from the list.
#[derive(Default)]
pub struct Flags {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
    given: BTreeMap<&'static str, Vec<String>>,
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let place = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name(value)
                .help(help)
                .value_parser(clap::value_parser!(PathBuf))
        };
        let command = command
            .arg(place(
                "data",
                "DIR",
                "The folder that holds everything [env: GLADE_DATA] [default: glade-data]",
            ))
            .arg(place(
                "config",
                "FILE",
                "A file of settings; glade.toml in the data folder when left out [env: GLADE_CONFIG]",
            ));
        SETTINGS.iter().fold(command, |command, setting| {
            let help = format!(
                "{} [env: {}] [default: {}]",
                setting.about,
                setting.variable(),
                setting.default
            );
            let arg = Arg::new(setting.name).long(setting.name).help(help);
            command.arg(match setting.value {
                Value::Switch => arg
                    .value_name("true|false")
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("true"),
                Value::Names | Value::Addresses => arg
                    .value_name(setting.placeholder)
                    .value_delimiter(',')
                    .action(ArgAction::Append),
                _ => arg
                    .value_name(setting.placeholder)
                    .allow_hyphen_values(true),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Flags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.config = matches.get_one("config").cloned();
        self.data = matches.get_one("data").cloned();
        for setting in SETTINGS {
            if matches.value_source(setting.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let values = matches.get_many::<String>(setting.name);
            let values = values.into_iter().flatten().cloned().collect();
            self.given.insert(setting.name, values);
        }
        Ok(())
    }
}

/// Who said what a setting is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Flag,
    Environment,
    File,
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Flag => "flag",
            Source::Environment => "environment",
            Source::File => "file",
            Source::Default => "default",
        })
    }
}

/// Every setting, settled.
#[derive(Debug)]
pub struct Settled {
    pub data: PathBuf,
    /// The file that was read, if there is one.
    pub file: Option<PathBuf>,
    values: BTreeMap<&'static str, (Vec<String>, Source)>,
}

impl Settled {
    /// Settles the flags with this process' environment.
    pub fn of(flags: Flags) -> anyhow::Result<Self> {
        Self::with(flags, &|name| std::env::var(name).ok())
    }

    /// `environment` answers with a variable's value.
    pub fn with(
        flags: Flags,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Self> {
        // An empty variable says nothing: that is how one unsets it in a unit file.
        let environment = |name: &str| environment(name).filter(|value| !value.is_empty());
        let named = flags
            .config
            .or_else(|| environment("GLADE_CONFIG").map(PathBuf::from));
        let data = flags
            .data
            .or_else(|| environment("GLADE_DATA").map(PathBuf::from));
        let file = match &named {
            Some(path) => Some(path.clone()),
            None => {
                let beside = data.as_deref().unwrap_or(Path::new(DATA)).join(FILE);
                beside.is_file().then_some(beside)
            }
        };
        let mut from_file = match &file {
            Some(path) => file::read(path, named.is_some())?,
            None => file::Read::default(),
        };
        let data = data
            .or(from_file.data.take())
            .unwrap_or_else(|| PathBuf::from(DATA));
        let mut values = BTreeMap::new();
        let mut given = flags.given;
        for setting in SETTINGS {
            let (said, source) = if let Some(said) = given.remove(setting.name) {
                (said, Source::Flag)
            } else if let Some(said) = environment(&setting.variable()) {
                (setting.split(&said), Source::Environment)
            } else if let Some(said) = from_file.values.remove(setting.name) {
                (said, Source::File)
            } else {
                (setting.split(setting.default), Source::Default)
            };
            let place = match (&source, &file) {
                (Source::Flag, _) => format!("--{}", setting.name),
                (Source::Environment, _) => setting.variable(),
                (Source::File, Some(path)) => format!("`{}` in {}", setting.name, path.display()),
                _ => setting.name.to_owned(),
            };
            for value in &said {
                setting.check(value).with_context(|| place.clone())?;
            }
            values.insert(setting.name, (said, source));
        }
        Ok(Self { data, file, values })
    }

    pub fn all(&self, name: &str) -> Vec<String> {
        self.values
            .get(name)
            .map_or_else(Vec::new, |(values, _)| values.clone())
    }

    /// A setting of one value; its form was checked when it was settled.
    pub fn one<T: std::str::FromStr>(&self, name: &str) -> anyhow::Result<T> {
        let (values, _) = self.values.get(name).context("no such setting")?;
        let value = values.last().map_or("", String::as_str);
        value
            .parse()
            .map_err(|_| anyhow::anyhow!("{name}: `{value}` cannot be used"))
    }

    /// As a `glade.toml` that says the same, each line with where it comes from.
    pub fn print(&self) -> String {
        let mut text = format!("# data folder: {}\n", self.data.display());
        match &self.file {
            Some(file) => text.push_str(&format!("# settings: {}\n", file.display())),
            None => text.push_str("# settings: no file\n"),
        }
        for setting in SETTINGS {
            if let Some((values, source)) = self.values.get(setting.name) {
                let value = setting.written(values);
                text.push_str(&format!(
                    "\n# {} ({source})\n{} = {value}\n",
                    setting.about, setting.name
                ));
            }
        }
        text
    }
}

/// A variable that looks like one of ours and is none is worth a word: it does nothing.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    let known: Vec<String> = SETTINGS
        .iter()
        .map(Setting::variable)
        .chain(["GLADE_DATA".to_owned(), "GLADE_CONFIG".to_owned()])
        .collect();
    names
        .filter(|name| name.starts_with("GLADE_") && !known.contains(name))
        .filter_map(|name| {
            let (near, distance) = nearest(&name, known.iter().map(String::as_str))?;
            (distance <= 2).then(|| format!("{name} is no setting; is {near} meant?"))
        })
        .collect()
}

fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    known
        .map(|known| (known, strsim::damerau_levenshtein(name, known)))
        .min_by_key(|(_, distance)| *distance)
}

#[cfg(test)]
mod tests;
