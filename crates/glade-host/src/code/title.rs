//! The first message names a chat.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use glade_agent::{Dialogue, DialogueTurn};
use glade_code::prompt;
use glade_model::ModelEvent;
use tokio::task::JoinHandle;

use super::mind::{Events, Mind};
use super::run::Drive;
use crate::clock::now_ms;
use crate::fairies::utc;

const TITLE_TOKENS: u32 = 40;
const TITLE_TIME: Duration = Duration::from_secs(20);

impl Drive {
    /// `None`: it has a name.
    pub(super) fn name_the_chat(&self) -> Option<JoinHandle<()>> {
        let chat = self.host.chat(&self.chat).ok()?;
        if !chat.title.is_empty() {
            return None;
        }
        let (host, id, message) = (
            Arc::clone(&self.host),
            self.chat.clone(),
            self.log.run.message.clone(),
        );
        let model = match &self.mind {
            Mind::Model(model) => Some(Arc::clone(model)),
            Mind::Sketch { .. } => None,
        };
        Some(tokio::spawn(async move {
            let answer = match model {
                None => Some(message),
                Some(model) => {
                    let asked = model.converse(Dialogue {
                        system: prompt::TITLE.to_owned(),
                        turns: vec![DialogueTurn::Person {
                            text: message,
                            images: Vec::new(),
                        }],
                        tools: Vec::new(),
                        max_output_tokens: TITLE_TOKENS,
                        temperature: 0.0,
                        thinking: None,
                    });
                    tokio::time::timeout(TITLE_TIME, text_of(asked))
                        .await
                        .ok()
                        .flatten()
                }
            };
            let title = answer
                .and_then(|answer| prompt::title(&answer))
                .unwrap_or_else(|| format!("Chat of {}", utc(now_ms())));
            if let Err(error) = host.rename(&id, &title).await {
                tracing::warn!(%error, chat = id, "a chat could not be named");
            }
        }))
    }
}

/// The words of a whole answer; nothing if it fails.
async fn text_of(mut events: Events) -> Option<String> {
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match event.ok()? {
            ModelEvent::Text(piece) => text.push_str(&piece),
            ModelEvent::Done { .. } => return Some(text),
            _ => {}
        }
    }
    None
}
