//! A model that is not set up any more.

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use glade_agent::Prompt;
use glade_model::{Model, ModelError, ModelEvent};

pub struct Missing {
    name: String,
    label: String,
    detail: String,
}

impl Missing {
    pub fn new(name: &str, detail: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: format!("{name} (not set up)"),
            detail: detail.to_owned(),
        }
    }
}

impl Model for Missing {
    fn name(&self) -> &str {
        &self.name
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn ask(&self, _prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let error = ModelError::NotConfigured {
            model: self.name.clone(),
            detail: self.detail.clone(),
        };
        stream::iter([Err(error)]).boxed()
    }
}
