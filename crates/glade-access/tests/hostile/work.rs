//! What is tried with a case of the corpus, by the tests and by the fuzzer: whatever bytes come as a
//! token, verifying them does no harm, and nothing that holds allows more than the one token that there
//! is to begin with.

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use biscuit_auth::UnverifiedBiscuit;
use biscuit_auth::builder::BlockBuilder;
use glade_access::{Capability, Keys, Narrower, Op, PageRef, Region};

/// A key for this alone, and the token that everything is made from: read and comment on `pg_1`, in the
/// tier `public`, with one tool, in a region and in the folder `src`, and reading the project.
const KEY: &str = include_str!("key");
pub const MOTHER: &str = include_str!("mother");

struct Held {
    keys: Keys,
    mother: Capability,
}

static HELD: LazyLock<Held> = LazyLock::new(|| {
    let keys = keys();
    let mother = keys.verify(MOTHER, now()).expect("the mother holds");
    Held { keys, mother }
});

pub fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_790_000_000)
}

pub fn keys() -> Keys {
    let path = std::env::temp_dir().join(format!("glade-tokens-{}", std::process::id()));
    let mut options = std::fs::File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(&path)
        .and_then(|mut file| file.write_all(KEY.as_bytes()));
    written.expect("a temporary file");
    let keys = Keys::load_or_create(&path).expect("the key is read");
    drop(std::fs::remove_file(&path));
    keys
}

/// The first byte says what the others are.
pub fn try_token(bytes: &[u8]) {
    let Some((how, rest)) = bytes.split_first() else {
        return;
    };
    let token = match how % 4 {
        // A token as somebody sends it.
        0 => Some(String::from_utf8_lossy(rest).into_owned()),
        // The bytes of one.
        1 => Some(URL_SAFE_NO_PAD.encode(rest)),
        // The mother's, changed here and there.
        2 => changed(rest),
        // A block that its holder puts behind it.
        _ => appended(&String::from_utf8_lossy(rest)),
    };
    if let Some(token) = token {
        judge(&token);
    }
}

fn changed(places: &[u8]) -> Option<String> {
    let mut bytes = URL_SAFE_NO_PAD.decode(MOTHER).ok()?;
    for place in places.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([place[0], place[1]])) % bytes.len();
        bytes[at] ^= place[2];
    }
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

fn appended(source: &str) -> Option<String> {
    let padding = "=".repeat((4 - MOTHER.len() % 4) % 4);
    let block = BlockBuilder::new().code(source).ok()?;
    let mother = UnverifiedBiscuit::from_base64(format!("{MOTHER}{padding}")).ok()?;
    mother.append(block).ok()?.to_base64().ok()
}

fn judge(token: &str) {
    let Held { keys, mother } = &*HELD;
    let Ok(capability) = keys.verify(token, now()) else {
        return;
    };
    assert_no_more(&capability, mother);
    if let Ok(narrower) = keys.attenuate(token, &Narrower::default()) {
        let narrower = keys.verify(&narrower, now()).expect("our own block holds");
        assert_no_more(&narrower, &capability);
    }
}

fn assert_no_more(one: &Capability, mother: &Capability) {
    let name = mother.subject.as_str();
    let own = one.subject.strip_prefix(name);
    assert!(own.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    assert_eq!(one.workspace, mother.workspace);
    let ids = one.revocation_ids();
    assert!(
        ids.starts_with(mother.revocation_ids()),
        "it is revoked with its mother"
    );
    let regions = [(0, 0, 10, 10), (0, 0, 101, 10), (-5, 0, 3, 3)];
    let regions = regions.map(|(x, y, w, h)| Region::new(x, y, w, h).expect("sound"));
    for op in Op::ALL {
        assert!(mother.allows_project(op) || !one.allows_project(op));
        for id in ["pg_1", "pg_2", "code"] {
            for tier in ["public", "secret", "code"] {
                let page = PageRef { id, tier };
                assert!(mother.allows(op, &page) || !one.allows(op, &page));
                for region in &regions {
                    assert!(mother.allows_write(&page, region) || !one.allows_write(&page, region));
                }
            }
        }
    }
    for tool in ["readFile", "deleteFile"] {
        assert!(mother.allows_tool(tool) || !one.allows_tool(tool));
    }
    for path in ["src", "src/a", "srcs", "docs", ".env"] {
        assert!(mother.allows_path(path) || !one.allows_path(path));
    }
    assert!(
        one.expires_at()
            .is_some_and(|at| Some(at) <= mother.expires_at())
    );
}
