//! How the bytes and the protocol's own types in inputs are written down: as text, so that a
//! recording can be read, and short.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn decoded<'de, D: Deserializer<'de>>(text: &str) -> Result<Vec<u8>, D::Error> {
    STANDARD.decode(text).map_err(D::Error::custom)
}

pub mod bytes {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        decoded::<D>(&String::deserialize(from)?)
    }
}

pub mod optional_bytes {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
        bytes
            .as_ref()
            .map(|bytes| STANDARD.encode(bytes))
            .serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| decoded::<D>(&text)).transpose()
    }
}

pub mod blobs {
    use super::*;

    pub fn serialize<S: Serializer>(blobs: &[Vec<u8>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(blobs.iter().map(|blob| STANDARD.encode(blob)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| decoded::<D>(text)).collect()
    }
}

pub mod batch {
    use loro_protocol::BatchId;

    use super::*;

    pub fn serialize<S: Serializer>(batch: &BatchId, to: S) -> Result<S::Ok, S::Error> {
        batch.0.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BatchId, D::Error> {
        Deserialize::deserialize(from).map(BatchId)
    }
}

pub mod crdt {
    use loro_protocol::CrdtType;

    use super::*;

    pub fn serialize<S: Serializer>(crdt: &CrdtType, to: S) -> Result<S::Ok, S::Error> {
        crdt.magic_bytes().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<CrdtType, D::Error> {
        CrdtType::from_magic_bytes(Deserialize::deserialize(from)?)
            .ok_or_else(|| D::Error::custom("no such kind of document"))
    }
}

pub mod optional_crdt {
    use loro_protocol::CrdtType;

    use super::*;

    pub fn serialize<S: Serializer>(crdt: &Option<CrdtType>, to: S) -> Result<S::Ok, S::Error> {
        crdt.map(CrdtType::magic_bytes).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CrdtType>, D::Error> {
        let magic = Option::<[u8; 4]>::deserialize(from)?;
        Ok(magic.and_then(CrdtType::from_magic_bytes))
    }
}
