use std::collections::HashMap;

use clap::FromArgMatches as _;

use super::*;

/// What the flags, variables and a file in the data folder come to.
fn settle(
    args: &[&str],
    variables: &[(&str, &str)],
    file: Option<&str>,
) -> anyhow::Result<Settled> {
    let data = tempfile::tempdir().unwrap();
    if let Some(text) = file {
        std::fs::write(data.path().join(FILE), text).unwrap();
    }
    let command = Flags::augment_args(Command::new("glade").no_binary_name(true));
    let folder = data.path().to_str().unwrap();
    let matches = command
        .try_get_matches_from(args.iter().copied().chain(["--data", folder]))
        .unwrap();
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    let environment = |name: &str| variables.get(name).map(|value| (*value).to_owned());
    Settled::with(Flags::from_arg_matches(&matches).unwrap(), &environment)
}

fn said(settled: &Settled, name: &str) -> (Vec<String>, Source) {
    settled.values[name].clone()
}

#[test]
fn a_flag_wins_over_the_environment_which_wins_over_the_file_which_wins_over_the_default() {
    // Every setting, with four different values.
    let value = |setting: &Setting, n: usize| match setting.value {
        Value::Addresses => format!("127.0.0.{n}"),
        Value::Address => format!("127.0.0.1:{}", 1000 + n),
        Value::Number | Value::Count => (10 + n).to_string(),
        Value::Switch => ["true", "false"][n % 2].to_owned(),
        Value::OneOf(known) => known[n % known.len()].to_owned(),
        Value::Text | Value::Folder | Value::Names => format!("name{n}"),
    };
    for setting in SETTINGS {
        let flag = format!("--{}={}", setting.name, value(setting, 1));
        let variable = setting.variable();
        let in_environment = value(setting, 2);
        let in_file = value(setting, 3);
        let file = format!(
            "{} = {}",
            setting.name,
            setting.written(std::slice::from_ref(&in_file))
        );
        let environment = [(variable.as_str(), in_environment.as_str())];

        let all = settle(&[&flag], &environment, Some(&file)).unwrap();
        assert_eq!(
            said(&all, setting.name),
            (vec![value(setting, 1)], Source::Flag)
        );
        let no_flag = settle(&[], &environment, Some(&file)).unwrap();
        let expected = (vec![in_environment.clone()], Source::Environment);
        assert_eq!(said(&no_flag, setting.name), expected);
        let only_file = settle(&[], &[], Some(&file)).unwrap();
        assert_eq!(
            said(&only_file, setting.name),
            (vec![in_file], Source::File)
        );
        let nothing = settle(&[], &[(&variable, "")], None).unwrap();
        let expected = (setting.split(setting.default), Source::Default);
        assert_eq!(said(&nothing, setting.name), expected);
    }
}

#[test]
fn an_unknown_key_is_named_together_with_the_nearest_known_one() {
    for (key, near) in [
        ("lisen", "listen"),
        ("host_name", "host-name"),
        ("fold-update", "fold-updates"),
    ] {
        let error = settle(&[], &[], Some(&format!("{key} = 1"))).unwrap_err();
        let text = format!("{error:#}");
        assert!(
            text.contains(&format!("`{key}`")) && text.contains(&format!("`{near}`")),
            "{text}"
        );
    }
    let said = unknown_variables(
        ["GLADE_LISTN", "GLADE_LISTEN", "GLADE_SOAK", "HOME"]
            .map(str::to_owned)
            .into_iter(),
    );
    assert_eq!(said, ["GLADE_LISTN is no setting; is GLADE_LISTEN meant?"]);
}

#[test]
fn a_value_that_cannot_be_says_who_said_it() {
    let text = |settled: anyhow::Result<Settled>| format!("{:#}", settled.unwrap_err());
    let flag = text(settle(&["--listen=here"], &[], None));
    assert_eq!(
        flag,
        "--listen: `here` is not an address and a port, such as 127.0.0.1:7878"
    );
    let variable = text(settle(&[], &[("GLADE_FOLD_UPDATES", "0")], None));
    assert_eq!(
        variable,
        "GLADE_FOLD_UPDATES: `0` is not a whole number from 1 on"
    );
    let file = text(settle(&[], &[], Some("log-format = \"xml\"")));
    assert!(
        file.starts_with("`log-format` in ") && file.ends_with("`xml` is not one of text, json"),
        "{file}"
    );
    let table = text(settle(&[], &[], Some("[listen]\nport = 1")));
    assert!(table.contains("`listen = \"127.0.0.1:7878\"`"), "{table}");
    let placed = text(settle(&[], &[], Some("data = \"elsewhere\"")));
    assert!(placed.contains("--config"), "{placed}");
}

#[test]
fn what_is_printed_can_be_read_back_and_says_the_same() {
    let args = [
        "--host-name=a.example",
        "--host-name=b.example",
        "--sketch-pace=0.5",
        "--open=false",
    ];
    let settled = settle(&args, &[], None).unwrap();
    let again = settle(&[], &[], Some(&settled.print())).unwrap();
    for setting in SETTINGS {
        assert_eq!(
            said(&again, setting.name).0,
            said(&settled, setting.name).0,
            "{}",
            setting.name
        );
    }
}

#[test]
fn a_file_named_with_config_may_say_where_the_data_is() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("server.toml");
    std::fs::write(&path, "data = \"/srv/glade\"\nmodel = \"sketch\"").unwrap();
    let flags = || Flags {
        config: Some(path.clone()),
        ..Flags::default()
    };
    let settled = Settled::with(flags(), &|_| None).unwrap();
    assert_eq!(settled.data, PathBuf::from("/srv/glade"));
    let settled = Settled::with(flags(), &|name| {
        (name == "GLADE_DATA").then(|| "/other".to_owned())
    })
    .unwrap();
    assert_eq!(settled.data, PathBuf::from("/other"));
}
