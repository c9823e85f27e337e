//! The key that signs checkpoints of the audit chain.
//!
//! It is not the root key. Whoever replaces the root key, because a link leaked, must not make the
//! history before it unverifiable; and its public half can be handed to anyone who keeps an eye on
//! the checkpoints, which says nothing about tokens.

use std::path::Path;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::error::AccessError;
use crate::key_file;

pub struct AuditKey(SigningKey);

impl AuditKey {
    /// Reads the key file, or makes a new key and keeps it there (readable by its owner only).
    pub fn load_or_create(path: &Path) -> Result<AuditKey, AccessError> {
        let pair = key_file::load_or_create(path)?;
        let damaged = || AccessError::KeyDamaged {
            path: path.to_owned(),
        };
        let private = pair.private().to_bytes();
        let bytes = private.as_slice().try_into().map_err(|_| damaged())?;
        Ok(AuditKey(SigningKey::from_bytes(bytes)))
    }

    pub fn public_key(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// Whether the signature over the message was made with the private half of `key`.
pub fn signature_holds(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    VerifyingKey::from_bytes(key).is_ok_and(|key| {
        key.verify_strict(message, &Signature::from_bytes(signature))
            .is_ok()
    })
}
