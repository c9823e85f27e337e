//! What someone might make of a token that they hold, or of nothing.

use biscuit_auth::builder::{BlockBuilder, Scope, fact, string};
use biscuit_auth::{KeyPair, UnverifiedBiscuit};
use glade_access::{AccessError, Keys, Op, PageRef};
use proptest::prelude::*;

use crate::{new_keys, now, read_only};

/// Adds a block to a token as its holder can: without the root key.
fn append(token: &str, block: BlockBuilder) -> String {
    let padding = "=".repeat((4 - token.len() % 4) % 4);
    UnverifiedBiscuit::from_base64(format!("{token}{padding}"))
        .unwrap()
        .append(block)
        .unwrap()
        .to_base64()
        .unwrap()
}

fn code(source: &str) -> BlockBuilder {
    BlockBuilder::new().code(source).unwrap()
}

fn refused_as_unknown(keys: &Keys, token: &str, what: &str) {
    let error = keys.verify(token, now()).unwrap_err();
    assert!(
        matches!(error, AccessError::UnknownTemplate { block: 2 }),
        "{what}: {error}"
    );
    let error = keys.attenuate(token, &read_only()).unwrap_err();
    assert!(matches!(error, AccessError::UnknownTemplate { block: 2 }));
}

#[test]
fn blocks_that_are_not_ours_are_refused() {
    let keys = new_keys();
    let reader = keys
        .attenuate(&keys.owner_token().unwrap(), &read_only())
        .unwrap();
    for source in [
        // More rights, facts of ours in the wrong place, facts and rules of others.
        r#"right("edit");"#,
        r#"op("read"); request("tool");"#,
        r#"workspace("main");"#,
        // The project as another block would have it, twice, or with what is no right in it.
        r#"project("read", 1);"#,
        r#"project("read", 2); project("read", 2);"#,
        r#"project("edit", 2); project("read", 2);"#,
        r#"project("fly", 2);"#,
        r#"project("read");"#,
        r#"project($o, 2) <- right($o);"#,
        r#"right($o) <- op($o);"#,
        // Limits we do not know, kinds of checks we do not use.
        r#"check if region($x), $x < 5;"#,
        r#"check if request("tool") or op($o), ["read"].contains($o);"#,
        r#"check all op($o), {"read"}.contains($o);"#,
        r#"reject if op("edit");"#,
        r#"check if true;"#,
        r#"check if request("tool") or op($o), {"read", "fly"}.contains($o);"#,
        // Ours, but not as we write them.
        r#"check if request("tool") or op($x), {"read"}.contains($x);"#,
        r#"check if request("tool") or op($o), {"read"}.contains($o) or op("edit");"#,
        r#"check if request("tool") or op($o), {"read"}.contains($o) trusting previous;"#,
        r#"check if now($t), $t < 99999999999999999;"#,
        r#"check if now($t), $t < -5;"#,
        r#"shown_as("person:owner/a"); shown_as("person:owner/b");"#,
        r#"check if now($t), $t < 5000000000; check if now($t), $t < 5000000000;"#,
        r#"check if now($t), $t < 5000000000;
           check if request("tool") or op($o), {"read"}.contains($o);"#,
    ] {
        refused_as_unknown(&keys, &append(&reader, code(source)), source);
    }
}

#[test]
fn what_does_not_show_in_the_source_is_refused_too() {
    let keys = new_keys();
    let reader = keys
        .attenuate(&keys.owner_token().unwrap(), &read_only())
        .unwrap();
    let ours = r#"check if request("tool") or page($p), {"pg_1"}.contains($p);"#;
    assert!(keys.verify(&append(&reader, code(ours)), now()).is_ok());

    let context = code(ours).context("hello".to_owned());
    refused_as_unknown(&keys, &append(&reader, context), "a context");
    let scope = code(ours).scope(Scope::Previous);
    refused_as_unknown(&keys, &append(&reader, scope), "a scope");
    let quotes = BlockBuilder::new()
        .fact(fact(
            "shown_as",
            &[string("person:owner/a\");\nright(\"edit")],
        ))
        .unwrap();
    refused_as_unknown(&keys, &append(&reader, quotes), "a string with quotes");

    // Prints exactly as {"pg_1", "pg_2"} does, and is one odd name.
    let odd = biscuit_auth::builder::Term::Set([string("pg_1\", \"pg_2")].into());
    let source = r#"check if request("tool") or page($p), {odd}.contains($p);"#;
    let odd = BlockBuilder::new()
        .code_with_params(source, [("odd".to_owned(), odd)].into(), [].into())
        .unwrap();
    refused_as_unknown(&keys, &append(&reader, odd), "a name that prints as two");
}

#[test]
fn a_third_partys_block_is_refused() {
    let keys = new_keys();
    let reader = keys
        .attenuate(&keys.owner_token().unwrap(), &read_only())
        .unwrap();
    let padding = "=".repeat((4 - reader.len() % 4) % 4);
    let token = UnverifiedBiscuit::from_base64(format!("{reader}{padding}")).unwrap();
    let stranger = KeyPair::new();
    let signed = token
        .third_party_request()
        .unwrap()
        .create_block(
            &stranger.private(),
            code(r#"check if now($t), $t < 5000000000;"#),
        )
        .unwrap();
    let token = token
        .append_third_party(&signed.serialize().unwrap())
        .unwrap();
    refused_as_unknown(&keys, &token.to_base64().unwrap(), "a third party's block");
}

#[test]
fn a_holder_cannot_give_itself_a_name_outside_this_library() {
    let keys = new_keys();
    let anna = keys
        .attenuate(&keys.owner_token().unwrap(), &crate::subject("person:anna"))
        .unwrap();
    let forged = append(&anna, code(r#"shown_as("person:owner");"#));
    let error = keys.verify(&forged, now()).unwrap_err();
    assert!(matches!(error, AccessError::SubjectNotNarrower { .. }));
    let server = append(&anna, code(r#"shown_as("server");"#));
    let error = keys.verify(&server, now()).unwrap_err();
    assert!(matches!(error, AccessError::BadSubject { .. }), "{error}");
}

#[test]
fn another_servers_token_is_foreign() {
    let (ours, theirs) = (new_keys(), new_keys());
    let error = ours
        .verify(&theirs.owner_token().unwrap(), now())
        .unwrap_err();
    assert!(matches!(error, AccessError::Foreign), "{error}");
}

#[test]
fn a_token_cut_anywhere_is_refused_without_being_repeated() {
    let keys = new_keys();
    let token = keys
        .attenuate(&keys.owner_token().unwrap(), &read_only())
        .unwrap();
    for length in 0..token.len() {
        let error = keys.verify(&token[..length], now()).unwrap_err();
        if length > 16 {
            assert!(!format!("{error} {error:?}").contains(&token[..16]));
        }
    }
    for nonsense in ["", " ", "!!!", "ü", "AAAA", &"A".repeat(100_000)] {
        let error = keys.verify(nonsense, now()).unwrap_err();
        assert!(matches!(error, AccessError::Malformed), "{nonsense:.10}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Changing any character either breaks the token or (in bits that carry nothing) changes
    /// nothing that it allows.
    #[test]
    fn a_changed_token_never_allows_more(place in any::<prop::sample::Index>(), letter in 0..64usize) {
        let keys = new_keys();
        let token = keys.attenuate(&keys.owner_token().unwrap(), &read_only()).unwrap();
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut changed = token.clone().into_bytes();
        let place = place.index(changed.len());
        changed[place] = alphabet[letter];
        let changed = String::from_utf8(changed).unwrap();
        if let Ok(capability) = keys.verify(&changed, now()) {
            let page = PageRef { id: "pg_1", tier: "public" };
            prop_assert_eq!(&capability, &keys.verify(&token, now()).unwrap());
            prop_assert!(!capability.allows(Op::Edit, &page));
        }
    }
}
