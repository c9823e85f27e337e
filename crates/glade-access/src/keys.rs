//! The root key and what it does: the owner's token, verifying, narrowing.

use std::path::Path;
use std::time::SystemTime;

use biscuit_auth::builder::Algorithm;
use biscuit_auth::datalog::SymbolTable;
use biscuit_auth::format::schema;
use biscuit_auth::{Biscuit, BlockBuilder, KeyPair, PrivateKey, error};
use sha2::{Digest, Sha256};

use crate::capability::Capability;
use crate::error::AccessError;
use crate::key_file;
use crate::narrower::Narrower;
use crate::template::Authority;
use crate::{OWNER, WORKSPACE};

/// No token is longer, in bytes of its printed form. It travels in headers and cookies.
const MAX_TOKEN: usize = 8 * 1024;

/// The server's root key. Whoever has it can make any token.
pub struct Keys {
    root: KeyPair,
    /// Signs the copies that tokens are compared with; its signatures go nowhere.
    scratch: KeyPair,
}

impl Keys {
    /// Reads the key file, or makes a new key and keeps it there (readable by its owner only).
    pub fn load_or_create(path: &Path) -> Result<Keys, AccessError> {
        Ok(Keys {
            root: key_file::load_or_create(path)?,
            scratch: KeyPair::new(),
        })
    }

    /// Eight hex digits by which people can tell two keys apart.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(self.root.public().to_bytes());
        hex(&digest[..4])
    }

    /// The token with every right, the same one each time: the link that a person bookmarked goes
    /// on working. The key that would otherwise be random is derived from the root key.
    pub fn owner_token(&self) -> Result<String, AccessError> {
        let seed = Sha256::new()
            .chain_update(b"glade owner token 1\0")
            .chain_update(self.root.private().to_bytes().as_slice())
            .finalize();
        let next = PrivateKey::from_bytes(&seed, Algorithm::Ed25519).map_err(build_failed)?;
        let authority = Authority {
            workspace: WORKSPACE.to_owned(),
            subject: OWNER.to_owned(),
        };
        print(&mint(&authority, &self.root, &KeyPair::from(&next))?)
    }

    /// Checks a token and compiles it.
    pub fn verify(&self, token: &str, now: SystemTime) -> Result<Capability, AccessError> {
        let (_, capability) = self.read(token)?;
        match capability.seconds_since_expiry(now) {
            Some(seconds) => Err(AccessError::Expired {
                seconds,
                subject: capability.subject,
            }),
            None => Ok(capability),
        }
    }

    /// A token that allows at most what this one does, with these limits added.
    pub fn attenuate(&self, token: &str, narrower: &Narrower) -> Result<String, AccessError> {
        let (biscuit, capability) = self.read(token)?;
        if narrower.pages.iter().flatten().any(|page| page == "code") {
            return Err(AccessError::CodeIsNoPage);
        }
        capability.narrow(narrower)?;
        let block = BlockBuilder::new()
            .code(narrower.write(biscuit.block_count()))
            .map_err(build_failed)?;
        let narrowed = print(&biscuit.append(block).map_err(build_failed)?)?;
        if narrowed.len() > MAX_TOKEN {
            return Err(AccessError::TooLarge { limit: MAX_TOKEN });
        }
        Ok(narrowed)
    }

    /// Checks all but the expiry.
    pub(crate) fn read(&self, token: &str) -> Result<(Biscuit, Capability), AccessError> {
        let biscuit = self.parse(token)?;
        let unknown = |block| AccessError::UnknownTemplate { block };
        let authority = source(&biscuit, 0)
            .as_deref()
            .and_then(Authority::read)
            .ok_or_else(|| unknown(0))?;
        let mut capability = Capability::local(&authority.workspace, &authority.subject)?;
        let mut copy = mint(&authority, &self.scratch, &self.scratch)?;
        for block in 1..biscuit.block_count() {
            let narrower = source(&biscuit, block)
                .as_deref()
                .and_then(Narrower::read)
                .ok_or_else(|| unknown(block))?;
            capability = capability.narrow(&narrower)?;
            copy = BlockBuilder::new()
                .code(narrower.write(block))
                .and_then(|written| copy.append_with_keypair(&self.scratch, written))
                .map_err(build_failed)?;
        }
        if let Some(block) = first_difference(&biscuit, &copy) {
            return Err(unknown(block));
        }
        let ids = biscuit.revocation_identifiers();
        let ids = ids.iter().map(|id| hex(id)).collect();
        Ok((biscuit, capability.with_revocation_ids(ids)))
    }

    fn parse(&self, token: &str) -> Result<Biscuit, AccessError> {
        let bare = token.trim().trim_end_matches('=');
        if bare.is_empty() || bare.len() > MAX_TOKEN {
            return Err(AccessError::Malformed);
        }
        let padding = "=".repeat((4 - bare.len() % 4) % 4);
        Biscuit::from_base64(format!("{bare}{padding}"), self.root.public()).map_err(|e| match e {
            error::Token::Format(
                error::Format::Signature(_)
                | error::Format::SealedSignature
                | error::Format::UnknownPublicKey,
            ) => AccessError::Foreign,
            _ => AccessError::Malformed,
        })
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({})", self.fingerprint())
    }
}

fn mint(authority: &Authority, root: &KeyPair, next: &KeyPair) -> Result<Biscuit, AccessError> {
    Biscuit::builder()
        .code(authority.write())
        .and_then(|written| written.build_with_key_pair(root, SymbolTable::new(), next))
        .map_err(build_failed)
}

/// A block as Biscuit prints it; none for a block signed by a third party.
fn source(biscuit: &Biscuit, block: usize) -> Option<String> {
    match biscuit.block_external_key(block) {
        Ok(None) => biscuit.print_block_source(block).ok(),
        _ => None,
    }
}

/// The first block whose signed bytes are not those of the copy.
fn first_difference(token: &Biscuit, copy: &Biscuit) -> Option<usize> {
    let bytes = |biscuit: &Biscuit| -> Vec<Vec<u8>> {
        let schema::Biscuit {
            authority, blocks, ..
        } = biscuit.container().to_proto();
        std::iter::once(authority)
            .chain(blocks)
            .map(|signed| signed.block)
            .collect()
    };
    let (token, copy) = (bytes(token), bytes(copy));
    (0..token.len().max(copy.len())).find(|&block| token.get(block) != copy.get(block))
}

fn print(biscuit: &Biscuit) -> Result<String, AccessError> {
    let mut token = biscuit.to_base64().map_err(build_failed)?;
    // Mail programs and terminals like to leave trailing signs out of links.
    token.truncate(token.trim_end_matches('=').len());
    Ok(token)
}

fn build_failed(error: impl std::fmt::Display) -> AccessError {
    AccessError::Build(error.to_string())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
