//! Files that hold secrets by their names. No person's interface and no model's tool reads, lists or
//! writes them, whatever the ignore files say.

use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Names of files and folders; of a folder, all that lies in it. Capitals do not matter.
pub const SECRETS: &[&str] = &[
    // Settings of programs, with passwords in them.
    ".env",
    ".env[._-]*",
    "*.env",
    ".envrc",
    "*.tfvars",
    "*.tfvars.json",
    "*.tfstate",
    "*.tfstate.*",
    "local.settings.json",
    // Keys and what keeps them.
    "*.key",
    "*.pem",
    "*.p8",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    // Credentials.
    "credentials",
    "*credentials.{json,yml,yaml,toml,ini,xml,csv,txt,enc}",
    "{secret,secrets,.secret,.secrets}",
    "{secret,secrets}.{json,yml,yaml,toml,ini,xml,txt}",
    "*service-account*.json",
    "*service_account*.json",
    "client_secret*.json",
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
    if samples.is_match(name) {
        return false;
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
