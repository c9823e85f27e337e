//! What a fairy may ask of the world outside, where that is switched on: a host fetches it.

use serde::{Deserialize, Serialize};

/// Something to be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Outside {
    /// An article of Wikipedia, whichever comes.
    RandomWikipediaArticle,
    /// What is known of a country.
    CountryInfo {
        /// Two or three letters, as ISO 3166 has them.
        code: String,
    },
    /// What a web page says of itself.
    Page { address: String },
}
