//! The list of settings.

use std::net::{IpAddr, SocketAddr};

/// What a setting's value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Text,
    /// A folder; empty: none.
    Folder,
    Address,
    /// Any number from 0 on.
    Number,
    /// A whole number from 1 on.
    Count,
    Switch,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// Any number of names; commas between them in the environment.
    Names,
    /// The same of IP addresses.
    Addresses,
}

pub struct Setting {
    pub name: &'static str,
    pub about: &'static str,
    pub default: &'static str,
    pub placeholder: &'static str,
    pub value: Value,
}

pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "listen",
        about: "Address and port; port 0 takes any free one",
        default: "127.0.0.1:7878",
        placeholder: "ADDRESS:PORT",
        value: Value::Address,
    },
    Setting {
        name: "model",
        about: "The model that fairies think with",
        default: "sketch",
        placeholder: "NAME",
        value: Value::Text,
    },
    Setting {
        name: "sketch-pace",
        about: "Words a second of the built-in model; 0 is as fast as it can",
        default: "18",
        placeholder: "WORDS_PER_SECOND",
        value: Value::Number,
    },
    Setting {
        name: "host-name",
        about: "A further name under which browsers may call this server",
        default: "",
        placeholder: "NAME",
        value: Value::Names,
    },
    Setting {
        name: "trusted-proxy",
        about: "A proxy whose word about its clients' address and scheme is believed",
        default: "",
        placeholder: "ADDRESS",
        value: Value::Addresses,
    },
    Setting {
        name: "max-connections",
        about: "Connections that may be open at once",
        default: "10000",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "max-connections-per-address",
        about: "The same from one address, of those without a valid token",
        default: "256",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "project",
        about: "The folder of the code project that fairies may work on",
        default: "",
        placeholder: "DIR",
        value: Value::Folder,
    },
    Setting {
        name: "outside-data",
        about: "Whether fairies may look things up at Wikipedia and restcountries.com",
        default: "false",
        placeholder: "",
        value: Value::Switch,
    },
    Setting {
        name: "open",
        about: "Open a browser at the start, where there is a desktop",
        default: "true",
        placeholder: "",
        value: Value::Switch,
    },
    Setting {
        name: "log",
        about: "What is logged: a level, or levels by part",
        default: "warn,glade=info",
        placeholder: "FILTER",
        value: Value::Text,
    },
    Setting {
        name: "log-format",
        about: "Log lines for people (text) or for machines (json)",
        default: "text",
        placeholder: "text|json",
        value: Value::OneOf(&["text", "json"]),
    },
    Setting {
        name: "room-idle-seconds",
        about: "A page that nobody uses leaves memory after this long",
        default: "300",
        placeholder: "SECONDS",
        value: Value::Count,
    },
    Setting {
        name: "fold-updates",
        about: "A page's log is folded into a snapshot when it has this many updates",
        default: "2000",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "fold-bytes",
        about: "A page's log is folded into a snapshot when it has this many bytes",
        default: "8388608",
        placeholder: "BYTES",
        value: Value::Count,
    },
    Setting {
        name: "compact-operations",
        about: "A quiet page lets go of its past when that has this many operations",
        default: "100000",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "compact-quiet-seconds",
        about: "A page is quiet when nothing was written for this long",
        default: "60",
        placeholder: "SECONDS",
        value: Value::Count,
    },
    Setting {
        name: "team-wait-seconds",
        about: "How long a fairy of a project waits before it is told that nothing came",
        default: "1200",
        placeholder: "SECONDS",
        value: Value::Count,
    },
    Setting {
        name: "team-margin",
        about: "How far beyond its task's area a fairy of a project may draw",
        default: "16",
        placeholder: "UNITS",
        value: Value::Number,
    },
    Setting {
        name: "team-tasks",
        about: "The most tasks that a project may have",
        default: "50",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "team-tries",
        about: "A project's task that came back this often is not begun again",
        default: "3",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "team-tokens",
        about: "The tokens that a project may use, unless it is started with a budget of its own",
        default: "4000000",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "team-usd",
        about: "What a project may cost, in dollars",
        default: "20",
        placeholder: "DOLLARS",
        value: Value::Number,
    },
    Setting {
        name: "team-requests",
        about: "The requests to models that a project may make",
        default: "400",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "requests-at-once",
        about: "Requests to providers that may be under way at once; others wait their turn",
        default: "24",
        placeholder: "COUNT",
        value: Value::Count,
    },
    Setting {
        name: "requests-to-one-provider",
        about: "The same, to any one provider",
        default: "8",
        placeholder: "COUNT",
        value: Value::Count,
    },
];

impl Setting {
    pub fn variable(&self) -> String {
        format!("GLADE_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// The values in one piece of text, as a variable has it.
    pub fn split(&self, text: &str) -> Vec<String> {
        match self.value {
            Value::Names | Value::Addresses => text
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            Value::Folder if text.is_empty() => Vec::new(),
            _ => vec![text.to_owned()],
        }
    }

    pub fn check(&self, value: &str) -> anyhow::Result<()> {
        let wanted = match self.value {
            Value::Text | Value::Names if value.trim().is_empty() => "a name".to_owned(),
            Value::Text | Value::Names | Value::Folder => return Ok(()),
            Value::Addresses if value.parse::<IpAddr>().is_ok() => return Ok(()),
            Value::Addresses => "an IP address, such as 127.0.0.1".to_owned(),
            Value::Address if value.parse::<SocketAddr>().is_ok() => return Ok(()),
            Value::Address => "an address and a port, such as 127.0.0.1:7878".to_owned(),
            Value::Number if value.parse().is_ok_and(|n: f64| n.is_finite() && n >= 0.0) => {
                return Ok(());
            }
            Value::Number => "a number from 0 on".to_owned(),
            Value::Count if value.parse().is_ok_and(|n: u64| n > 0) => return Ok(()),
            Value::Count => "a whole number from 1 on".to_owned(),
            Value::Switch if ["true", "false"].contains(&value) => return Ok(()),
            Value::Switch => "true or false".to_owned(),
            Value::OneOf(known) if known.contains(&value) => return Ok(()),
            Value::OneOf(known) => format!("one of {}", known.join(", ")),
        };
        anyhow::bail!("`{value}` is not {wanted}")
    }

    /// As it would stand in the file.
    pub fn written(&self, values: &[String]) -> String {
        let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
        match self.value {
            Value::Names | Value::Addresses => {
                let names: Vec<String> = values.iter().map(quoted).collect();
                format!("[{}]", names.join(", "))
            }
            Value::Number | Value::Count | Value::Switch => values.concat(),
            Value::Text | Value::Folder | Value::Address | Value::OneOf(_) => {
                quoted(values.last().unwrap_or(&String::new()))
            }
        }
    }
}
