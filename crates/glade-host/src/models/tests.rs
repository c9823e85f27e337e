//! What is set up by what, and that nothing is without being set up.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use glade_agent::Prompt;
use glade_model::key::{KeySource, Secret};
use glade_model::{Model, ModelError, Wire};
use glade_sketch::SketchModel;

use super::settings::{load, save};
use super::*;

fn environment(variables: &[(&str, &str)]) -> Environment {
    let variables: BTreeMap<String, String> = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Box::new(move |name| variables.get(name).cloned())
}

fn settings(json: &str) -> Settings {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}"))
}

fn found(json: &str, variables: &[(&str, &str)]) -> BTreeMap<String, Source> {
    sources::find(&settings(json), &environment(variables))
}

fn models(data: &Path, variables: &[(&str, &str)]) -> Models {
    let sketch: Arc<dyn Model> = Arc::new(SketchModel::new(0.0));
    Models::find([sketch], "sketch", data, environment(variables)).unwrap()
}

fn prompt() -> Prompt {
    Prompt {
        system: String::new(),
        messages: Vec::new(),
        parts: Vec::new(),
        picture: None,
        schema: serde_json::Value::Null,
        max_output_tokens: 1,
        temperature: 0.0,
    }
}

#[test]
fn without_a_key_or_an_address_there_is_no_provider() {
    assert!(found("{}", &[]).is_empty());
    assert!(found("{}", &[("ANTHROPIC_API_KEY", " "), ("OLLAMA_HOST", "")]).is_empty());
    // Models to list are no reason to talk to anybody.
    assert!(found(r#"{"providers":{"openai":{"models":["m"]}}}"#, &[]).is_empty());
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), &[]);
    let names: Vec<String> = models.list().iter().map(|m| m.name().to_owned()).collect();
    assert_eq!(names, ["sketch"]);
    assert!(models.get("anthropic/m").is_none());
}

#[test]
fn the_usual_variables_set_up_the_usual_providers() {
    let found = found(
        "{}",
        &[
            ("ANTHROPIC_API_KEY", "a"),
            ("OPENAI_API_KEY", "o"),
            ("GOOGLE_API_KEY", "g"),
            ("OLLAMA_HOST", "0.0.0.0"),
        ],
    );
    let shown: Vec<_> = found
        .iter()
        .map(|(name, source)| {
            (
                name.as_str(),
                source.wire,
                source.base_url.as_str(),
                source.key_from,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (
                "anthropic",
                Wire::AnthropicMessages,
                "https://api.anthropic.com",
                KeyFrom::Environment
            ),
            (
                "gemini",
                Wire::Gemini,
                "https://generativelanguage.googleapis.com/v1beta",
                KeyFrom::Environment
            ),
            (
                "local",
                Wire::OpenAiChat,
                "http://127.0.0.1:11434/v1",
                KeyFrom::None
            ),
            (
                "openai",
                Wire::OpenAiResponses,
                "https://api.openai.com/v1",
                KeyFrom::Environment
            ),
        ]
    );
}

#[test]
fn an_openai_address_of_ones_own_is_spoken_to_as_everybody_does() {
    let found = found(
        "{}",
        &[
            ("OPENAI_API_KEY", "o"),
            ("OPENAI_BASE_URL", "http://box:8000/v1/"),
        ],
    );
    let source = &found["openai"];
    assert_eq!(
        (source.wire, source.base_url.as_str(), source.compatible),
        (Wire::OpenAiChat, "http://box:8000/v1", true)
    );
}

#[test]
fn ollamas_host_is_read_as_ollama_reads_it() {
    let cases = [
        ("box", "http://box:11434/v1"),
        ("box:99", "http://box:99/v1"),
        (":99", "http://127.0.0.1:99/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("https://box/", "https://box/v1"),
    ];
    for (host, url) in cases {
        assert_eq!(found("{}", &[("OLLAMA_HOST", host)])["local"].base_url, url);
    }
}

#[test]
fn settings_go_before_the_environment_and_key_files_and_commands_are_taken() {
    let found = found(
        r#"{"providers":{
            "anthropic":{"key":"mine"},
            "openai":{"keyFile":"/k","wire":"chat"},
            "gemini":{"keyCommand":"pass x","thinkingTokens":512},
            "work":{"kind":"anthropic","baseUrl":"http://w","models":["m"]}}}"#,
        &[
            ("ANTHROPIC_API_KEY", "theirs"),
            ("OPENAI_API_KEY", "theirs"),
        ],
    );
    let keys: Vec<&KeySource> = found.values().map(|source| source.key.source()).collect();
    assert_eq!(
        keys,
        [
            &KeySource::Given(Secret::new("mine").unwrap()),
            &KeySource::Command("pass x".to_owned()),
            &KeySource::File("/k".into()),
            &KeySource::None,
        ]
    );
    assert_eq!(found["gemini"].extras.thinking, Some(512));
    assert_eq!(found["openai"].wire, Wire::OpenAiChat);
    assert_eq!(found["work"].wire, Wire::AnthropicMessages);
    let by_file = sources::find(
        &Settings::default(),
        &environment(&[("GEMINI_API_KEY_FILE", "/g")]),
    );
    assert_eq!(
        by_file["gemini"].key.source(),
        &KeySource::File("/g".into())
    );
}

#[test]
fn any_model_of_a_provider_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), &[("ANTHROPIC_API_KEY", "a")]);
    let model = models.get("anthropic/claude-of-next-year").unwrap();
    assert_eq!(model.name(), "anthropic/claude-of-next-year");
    assert!(models.get("anthropic/").is_none());
    assert!(models.get("openai/m").is_none());
    let names: Vec<String> = models.list().iter().map(|m| m.name().to_owned()).collect();
    assert_eq!(names[0], "sketch");
    assert!(names[1..].iter().all(|name| name.starts_with("anthropic/")) && names.len() > 3);
}

#[tokio::test]
async fn a_model_that_is_gone_says_so_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), &[]);
    for (name, detail) in [
        ("openai/m", "no key and no address for `openai`"),
        ("nonsense", "no such model is built in"),
    ] {
        let model = models.get_or_missing(name);
        let heard: Vec<_> = model.ask(prompt()).collect().await;
        let expected = ModelError::NotConfigured {
            model: name.to_owned(),
            detail: detail.to_owned(),
        };
        assert_eq!(heard, [Err(expected)]);
    }
}

#[test]
fn changed_settings_are_on_disk_for_the_owner_alone_and_count_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = models(folder.path(), &[]);
    here.change("gemini", |set, _| {
        set.key = Some("topsecret".to_owned());
        Ok(())
    })
    .unwrap();
    assert!(here.get("gemini/m").is_some());
    let path = folder.path().join("models.json");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(
        models(folder.path(), &[]).get("gemini/m").is_some(),
        "after a restart"
    );
    here.change("gemini", |set, _| {
        set.key = None;
        Ok(())
    })
    .unwrap();
    assert!(here.get("gemini/m").is_none());
    assert!(load(&path).unwrap() == Settings::default());
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no drafts left"
    );
}

#[cfg(unix)]
#[test]
fn a_settings_file_with_a_key_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("models.json");
    save(
        &path,
        &settings(r#"{"providers":{"openai":{"key":"topsecret"}}}"#),
    )
    .unwrap();
    assert!(load(&path).is_ok());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(load(&path), Err(SettingsError::Exposed { .. })));
}

#[test]
fn a_damaged_settings_file_is_refused_without_quoting_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("models.json");
    std::fs::write(&path, r#"{"providers":{"openai":{"key":["topsecret"]}}}"#).unwrap();
    let words = load(&path).err().unwrap().to_string();
    assert!(
        words.contains("line 1") && !words.contains("topsecret"),
        "{words}"
    );
}
