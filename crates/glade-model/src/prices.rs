//! What models cost: the one place to look when a price changes.
//!
//! List prices in dollars for a million tokens, as published in October 2025. They
//! change; a model that is not here costs "unknown", never a guess, and a local one
//! nothing that we could know. Dated versions (`…-20250929`) find the row of their model.

use crate::provider::TokenCounts;

struct Price {
    model: &'static str,
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
}

const fn price(
    model: &'static str,
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
) -> Price {
    Price {
        model,
        input,
        output,
        cache_read,
        cache_write,
    }
}

const PRICES: [Price; 16] = [
    price("anthropic/claude-opus-4-1", 15.0, 75.0, 1.5, 18.75),
    price("anthropic/claude-opus-4", 15.0, 75.0, 1.5, 18.75),
    price("anthropic/claude-sonnet-4-5", 3.0, 15.0, 0.3, 3.75),
    price("anthropic/claude-sonnet-4", 3.0, 15.0, 0.3, 3.75),
    price("anthropic/claude-haiku-4-5", 1.0, 5.0, 0.1, 1.25),
    price("anthropic/claude-3-5-haiku", 0.8, 4.0, 0.08, 1.0),
    price("openai/gpt-5", 1.25, 10.0, 0.125, 1.25),
    price("openai/gpt-5-mini", 0.25, 2.0, 0.025, 0.25),
    price("openai/gpt-5-nano", 0.05, 0.4, 0.005, 0.05),
    price("openai/gpt-4.1", 2.0, 8.0, 0.5, 2.0),
    price("openai/gpt-4.1-mini", 0.4, 1.6, 0.1, 0.4),
    price("openai/gpt-4.1-nano", 0.1, 0.4, 0.025, 0.1),
    price("openai/gpt-4o", 2.5, 10.0, 1.25, 2.5),
    price("openai/gpt-4o-mini", 0.15, 0.6, 0.075, 0.15),
    price("gemini/gemini-2.5-flash-lite", 0.1, 0.4, 0.01, 0.1),
    price("gemini/gemini-2.5-flash", 0.3, 2.5, 0.03, 0.3),
];

/// Whether `name` is the row's model, or a dated version of it: `gpt-5-2025-08-07` is `gpt-5`, and
/// `gpt-5-mini` is not.
fn is(name: &str, row: &str) -> bool {
    let Some(rest) = name.strip_prefix(row) else {
        return false;
    };
    let dated = || {
        let date = rest.strip_prefix('-')?;
        let year = date.split('-').next()?;
        let digits = date.chars().all(|c| c.is_ascii_digit() || c == '-');
        Some(digits && year.len() >= 4)
    };
    rest.is_empty() || dated() == Some(true)
}

/// The models whose prices are known, as `provider/model`: a list to choose from, not one of all.
pub fn known() -> impl Iterator<Item = &'static str> {
    PRICES.iter().map(|price| price.model)
}

/// Dollars for a request, where the price is known.
pub fn usd(model: &str, counts: &TokenCounts) -> Option<f64> {
    let price = PRICES.iter().find(|price| is(model, price.model))?;
    let plain = counts
        .input
        .saturating_sub(counts.cache_read)
        .saturating_sub(counts.cache_write);
    let parts = [
        (plain, price.input),
        (counts.cache_read, price.cache_read),
        (counts.cache_write, price.cache_write),
        (counts.output, price.output),
    ];
    let total: f64 = parts
        .iter()
        .map(|(tokens, dollars)| *tokens as f64 * dollars)
        .sum();
    Some(total / 1_000_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_costs_its_kinds_of_tokens() {
        let counts = TokenCounts {
            input: 1_000_000,
            output: 100_000,
            cache_read: 500_000,
            cache_write: 100_000,
        };
        let cost = usd("anthropic/claude-sonnet-4-5-20250929", &counts).unwrap();
        assert!((cost - (1.2 + 0.15 + 0.375 + 1.5)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn a_name_finds_its_own_row_and_an_unknown_one_none() {
        let counts = TokenCounts {
            input: 1_000_000,
            ..TokenCounts::default()
        };
        assert_eq!(usd("openai/gpt-4o-mini", &counts), Some(0.15));
        assert_eq!(usd("openai/gpt-4o", &counts), Some(2.5));
        assert_eq!(usd("gemini/gemini-2.5-flash-lite", &counts), Some(0.1));
        assert_eq!(usd("openai/gpt-5-2025-08-07", &counts), Some(1.25));
        assert_eq!(usd("openai/gpt-5.9-giant", &counts), None);
        assert_eq!(usd("anthropic/claude-sonnet-4-7", &counts), None);
        assert_eq!(usd("local/anything", &counts), None);
    }
}
