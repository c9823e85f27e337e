//! What a model is told, and what it says.

use anyhow::{Result, bail, ensure};
use glade_agent::parser::{Parsed, Parser};

use super::Work;
use crate::fixtures::{agent, answer, ask, boxes};

const PIECE: usize = 16;

pub fn prompt_made() -> Result<Work> {
    let scene = boxes(400);
    Ok(Box::new(move || {
        let prompt = ask(&mut agent(), &scene, "What is here?", 1)?;
        ensure!(!prompt.parts.is_empty(), "an empty prompt");
        Ok(())
    }))
}

pub fn answer_parsed() -> Result<Work> {
    let text = answer(64 << 10);
    Ok(Box::new(move || {
        let mut parser = Parser::new();
        let mut whole = 0;
        let mut rest = text.as_str();
        while !rest.is_empty() {
            // The answer is ASCII.
            let (piece, more) = rest.split_at(PIECE.min(rest.len()));
            for parsed in parser.push(piece) {
                match parsed {
                    Parsed::Complete { .. } => whole += 1,
                    Parsed::Partial { .. } => {}
                    Parsed::Broken { reason, .. } => bail!("the answer broke: {reason}"),
                }
            }
            rest = more;
        }
        ensure!(whole > 0, "nothing was read");
        Ok(())
    }))
}
