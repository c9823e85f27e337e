//! What a browser's cookie holds, and what follows from it.
//!
//! The server keeps neither the secret nor anything that it could be computed from. Two values are
//! derived from it: the id under which the session is stored, and the key of the token that the
//! session stands for. So the database, or a copy of it, signs nobody in.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::Rng as _;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// Each key encrypts one token, once.
const NONCE: [u8; NONCE_LEN] = [0; NONCE_LEN];

#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; BYTES]);

impl Secret {
    pub fn random() -> Self {
        Self(rand::rng().random())
    }

    /// The secret that a cookie holds; `None` for anything that is not one of ours.
    pub fn parse(text: &str) -> Option<Self> {
        // Nothing longer is decoded.
        if text.len() != BYTES * 4 / 3 + 1 {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// As it goes into a cookie.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What the session is stored and listed under.
    pub fn id(&self) -> String {
        let digest = self.derive(b"glade session id 1\0");
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Encrypts the token; `None` when the cipher refuses, which it does for no token of ours.
    pub fn seal(&self, token: &str) -> Option<Vec<u8>> {
        let mut sealed = token.as_bytes().to_vec();
        let nonce = Nonce::assume_unique_for_key(NONCE);
        self.key()?
            .seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed)
            .ok()?;
        Some(sealed)
    }

    /// The token that was sealed with this secret.
    pub fn open(&self, sealed: &[u8]) -> Option<String> {
        let mut bytes = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(NONCE);
        let key = self.key()?;
        let token = key.open_in_place(nonce, Aad::empty(), &mut bytes).ok()?;
        std::str::from_utf8(token).ok().map(str::to_owned)
    }

    fn key(&self) -> Option<LessSafeKey> {
        let bytes = self.derive(b"glade session token 1\0");
        UnboundKey::new(&CHACHA20_POLY1305, &bytes)
            .ok()
            .map(LessSafeKey::new)
    }

    fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update(purpose)
            .chain_update(self.0)
            .finalize()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_back_from_its_text_and_from_nothing_else() {
        let secret = Secret::random();
        let text = secret.text();
        assert!(Secret::parse(&text) == Some(secret));
        for foreign in ["", "x", &text[1..], &format!("{text}A"), &"=".repeat(43)] {
            assert!(Secret::parse(foreign).is_none(), "{foreign:?}");
        }
    }

    #[test]
    fn only_the_secret_that_sealed_a_token_opens_it() {
        let (secret, other) = (Secret::random(), Secret::random());
        let sealed = secret.seal("a token").unwrap();
        assert_eq!(secret.open(&sealed).as_deref(), Some("a token"));
        assert_eq!(other.open(&sealed), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(secret.open(&changed), None);
        }
        assert!(!sealed.windows(5).any(|part| part == b"token"));
    }
}
