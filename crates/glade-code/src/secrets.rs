//! Files that hold secrets by their names. No person's interface and no model's tool reads, lists or
//! writes them, whatever the ignore files say.

use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Names of files and folders; of a folder, all that lies in it. Capitals do not matter.
pub const SECRETS: &[&str] = &[
    // Settings of programs, with passwords in them.
    "*.env",
    ".dev.vars",
    ".flaskenv",
    "*.tfvars",
    "*.tfvars.json",
    "*.tfstate",
    "*.tfstate.*",
    "local.settings.json",
    // Keys and what keeps them.
    "private.{asc,gpg}",
    // Credentials.
    "credentials",
    "{secret,secrets,.secret,.secrets}",
    "auth.json",
    "*service-account*.json",
    "*service_account*.json",
    "*firebase-adminsdk*.json",
    "kubeconfig",
    "*.kubeconfig",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".boto",
    ".s3cfg",
    ".docker",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".htpasswd",
    ".vault-token",
    ".vault_pass",
    ".pip",
    "pip.conf",
    "hgrc",
    ".hgrc",
    "*.git",
    ".*_history",
    ".terraformrc",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".gcloud",
    ".kube",
];

/// What shows others how such a file looks, and is meant to be seen.
const SAMPLES: &[&str] = &["*.example", "*.sample", "*.template", "*.dist"];

/// Endings of files that are a key, or keep some, wherever they stand in a name: `server.key.new` is one too.
const KEYS: &[&str] = &[
    ".key",
    ".pem",
    ".p8",
    ".p12",
    ".pfx",
    ".pkcs12",
    ".ppk",
    ".jks",
    ".bks",
    ".keystore",
    ".kdb",
    ".kdbx",
    ".ovpn",
];

/// Names of keys to other machines begin so.
const SSH_KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// Words for secrets, in the name of a file of data.
const WORDS: &[&str] = &[
    "secret",
    "secrets",
    "credential",
    "credentials",
    "creds",
    "password",
    "passwords",
    "passwd",
    "passphrase",
];
const DATA: &[&str] = &[
    "json",
    "yml",
    "yaml",
    "toml",
    "ini",
    "xml",
    "txt",
    "properties",
    "conf",
    "cfg",
    "csv",
    "enc",
    "gpg",
    "asc",
    "plist",
    "db",
];

/// Endings of source code and of texts about it.
const SOURCE: &[&str] = &[
    "rs", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "py", "pyi", "go", "java", "kt",
    "scala", "swift", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "ex", "exs", "erl", "hs",
    "ml", "clj", "lua", "dart", "zig", "vue", "svelte", "html", "css", "scss", "md", "mdx", "rst",
];

static IS_SECRET: LazyLock<Option<GlobSet>> = LazyLock::new(|| set(SECRETS));
static IS_SAMPLE: LazyLock<Option<GlobSet>> = LazyLock::new(|| set(SAMPLES));

fn set(patterns: &[&str]) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).case_insensitive(true).build();
        set.add(glob.ok()?);
    }
    set.build().ok()
}

/// What editors, people and version control append to the name of a file when they keep another copy.
const COPIES: &[&str] = &[
    "~", ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".tmp", ".swp", ".swo", ".txt",
    ".gz", ".zip", ".rej",
];

/// Whether a file or folder of this name is kept to those who have the folder itself. A copy of a
/// secret is one too.
pub fn is_secret(name: &str) -> bool {
    let (Some(secrets), Some(samples)) = (&*IS_SECRET, &*IS_SAMPLE) else {
        return true;
    };
    let lower = name.to_lowercase();
    if is_key(&lower) {
        return true;
    }
    if samples.is_match(name) {
        return false;
    }
    if is_secret_by_its_words(&lower) {
        return true;
    }
    let mut original = name;
    loop {
        if secrets.is_match(original) {
            return true;
        }
        let without = COPIES.iter().find_map(|copy| {
            let at = original.len().checked_sub(copy.len())?;
            let (stem, end) = original.split_at_checked(at)?;
            end.eq_ignore_ascii_case(copy).then_some(stem)
        });
        let numbered = || {
            let stem = original.trim_end_matches(|c: char| c.is_ascii_digit());
            stem.strip_suffix(['.', '-', '_'])
        };
        match without.or_else(numbered) {
            Some(stem) if !stem.is_empty() && stem != original => original = stem,
            _ => return false,
        }
    }
}

/// Whether the name has the ending of a key, and is not that of source code.
fn is_key(name: &str) -> bool {
    let whole_word = |(at, key): (usize, &str)| {
        let next = name[at + key.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphabetic())
    };
    if SSH_KEYS.iter().any(|key| name.starts_with(key)) {
        return true;
    }
    let has_ending = KEYS
        .iter()
        .any(|key| name.match_indices(key).any(whole_word));
    has_ending && !is_source(name)
}

/// Settings that programs read from their environment, and files of data whose name says that they are secret.
fn is_secret_by_its_words(name: &str) -> bool {
    let bare = name.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '.');
    if bare.starts_with(".env") {
        return true;
    }
    if is_source(name) {
        return false;
    }
    let mut words = words(name);
    bare.starts_with("env.")
        || (words.clone().any(|word| DATA.contains(&word))
            && words.any(|word| WORDS.contains(&word)))
}

fn is_source(name: &str) -> bool {
    name.contains('.')
        && words(name)
            .last()
            .is_some_and(|word| SOURCE.contains(&word))
}

/// The words of a name, without numbers.
fn words(name: &str) -> impl Iterator<Item = &str> + Clone {
    name.split(|c: char| !c.is_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names_and_source_code_is_not_among_them() {
        let secret = [
            ".env",
            ".ENV",
            ".env.local",
            ".env-prod",
            "prod.env",
            ".envrc",
            "server.key",
            "a.PEM",
            "id_rsa",
            "id_ed25519.pub",
            "credentials",
            "aws-credentials.json",
            "secrets.yaml",
            "my-service-account-1.json",
            ".netrc",
            ".npmrc",
            ".ssh",
            ".aws",
            "terraform.tfstate",
            "terraform.tfstate.backup",
            ".env~",
            ".env.bak",
            "server.pem.bak",
            "server.KEY.old",
            "server.key.2",
            "id_rsa.txt",
            ".docker",
            ".secrets",
            ".yarnrc.yml",
            "secrets.env.txt",
            "prod.env.old~",
            "credentials.json.orig",
            ".dev.vars",
            ".envs",
            "#.env#",
            "#server.key#",
            ".env copy",
            ".env (1)",
            ".env1",
            "env.production",
            "server.key copy",
            "server.key.~1~",
            "server.pem.new",
            "server.key.tar",
            "secret.key.gpg",
            "secrets.prod.yaml",
            "my_secrets.json",
            "application-secrets.properties",
            "credentials.prod.json",
            "passwords.kdb",
            "a.pkcs12",
            "private.asc",
            "gha-creds-1.json",
            "x-firebase-adminsdk-y.json",
            "hgrc",
            "repo.git",
            ".psql_history",
            "id_rsa.sample",
            "Client_Secret_7.json",
        ];
        let open = [
            "main.rs",
            "env.rs",
            "environment.ts",
            ".env.example",
            ".env.sample",
            "credentials.rs",
            "secrets.ts",
            "keys.rs",
            "key.go",
            "package.json",
            "README.md",
            ".gitignore",
            "monkey",
            "notes.txt",
            "main.rs.bak",
            "chapter-12",
            "~",
            ".env.example.bak.sample",
            "forgot-password",
            "password-reset.html",
            "secrets.md",
            "api.key.ts",
            "keys.json",
            "keyboard.json",
            "env",
            "env.d.ts",
            "history.json",
            "secretary.txt",
            "release.tar.gz.asc",
        ];
        let judged = |names: &[&'static str]| -> Vec<&'static str> {
            names
                .iter()
                .copied()
                .filter(|name| is_secret(name))
                .collect()
        };
        assert_eq!(judged(&secret), secret);
        assert_eq!(judged(&open), Vec::<&str>::new());
    }
}
