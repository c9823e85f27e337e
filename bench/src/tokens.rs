//! How many tokens requests are: of fairies on pages ([`pages`]) and of conversations about code
//! ([`code`]), counted as OpenAI's newer models count (the vocabulary `o200k_base`).

pub mod code;
pub mod pages;

use anyhow::Result;
use tiktoken_rs::CoreBPE;

/// A request in the order in which a provider reads it.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    /// System text and messages, as they go to a server that is not the maker's own: one that holds
    /// an answer to a form without the model's reading that.
    pub text: Vec<String>,
    /// The same to a maker's own server, where the model also reads the form or the tools.
    pub with_form: Vec<String>,
}

/// What a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    pub text: usize,
    pub with_form: usize,
    /// The share of tokens that begin as the request before did, in percent: what a provider's cache
    /// can know. Of single requests there is none.
    pub same: Option<f64>,
}

/// Counts tokens.
pub struct Counter(CoreBPE);

impl Counter {
    pub const NAME: &str = "o200k_base";

    pub fn new() -> Result<Self> {
        Ok(Self(tiktoken_rs::o200k_base()?))
    }

    fn of(&self, pieces: &[String]) -> Vec<u32> {
        let pieces = pieces.iter();
        pieces
            .flat_map(|piece| self.0.encode_ordinary(piece))
            .collect()
    }

    /// The last of these requests, and how much of all but the first was the same as before.
    pub fn count(&self, requests: &[Sent]) -> Count {
        let tokens: Vec<Vec<u32>> = requests
            .iter()
            .map(|request| self.of(&request.with_form))
            .collect();
        let (mut same, mut all) = (0, 0);
        for pair in tokens.windows(2) {
            let both = pair[0].iter().zip(&pair[1]);
            same += both.take_while(|(before, now)| before == now).count();
            all += pair[1].len();
        }
        let last = requests
            .last()
            .map_or(0, |request| self.of(&request.text).len());
        Count {
            text: last,
            with_form: tokens.last().map_or(0, Vec::len),
            same: (all > 0).then(|| 100.0 * same as f64 / all as f64),
        }
    }
}
