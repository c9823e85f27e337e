//! What answers in a conversation: a model, or `sketch`, which works on code by rule.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{CallEvent, Dialogue, StopReason, Usage};
use glade_code::CallOutcome;
use glade_model::{Model, ModelError, ModelEvent};
use glade_sketch::SketchModel;
use glade_sketch::code::{Answer, CodeSketch};

use crate::models::{Models, NoModel, SettingsError};

pub type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// Why nobody can answer.
#[derive(Debug, thiserror::Error)]
pub enum MindError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    NoModel(#[from] NoModel),
    #[error("the model is not there any more: ask again")]
    Gone,
}

pub enum Mind {
    Model(Arc<dyn Model>),
    Sketch {
        sketch: CodeSketch,
        /// Words a second; 0: as fast as it can.
        pace: f64,
    },
}

impl Mind {
    /// The model of that name; no name: the default.
    pub fn of(models: &Models, name: &str, message: &str, pace: f64) -> Option<Self> {
        let model = models.get(name)?;
        let sketch = model.name() == SketchModel::NAME;
        Some(if sketch {
            Self::Sketch {
                sketch: CodeSketch::new(message),
                pace,
            }
        } else {
            Self::Model(model)
        })
    }

    /// For a program without a server: models as they are set up in the environment and in `data`.
    pub fn headless(data: &Path, name: &str, message: &str) -> Result<Self, MindError> {
        let built_in: Arc<dyn Model> = Arc::new(SketchModel::new(0.0));
        let environment = Box::new(|name: &str| std::env::var(name).ok());
        let models = Models::find([built_in], name, data, environment)?;
        models.need_default()?;
        Self::of(&models, "", message, 0.0).ok_or(MindError::Gone)
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Model(model) => model.name(),
            Self::Sketch { .. } => SketchModel::NAME,
        }
    }

    /// Asks. `results` are those of the calls before, for `sketch`, which knows no requests.
    pub fn ask(&mut self, dialogue: Dialogue, results: &[CallOutcome]) -> Events {
        match self {
            Self::Model(model) => model.converse(dialogue),
            Self::Sketch { sketch, pace } => paced(sketch.answer(results), *pace),
        }
    }
}

/// Word by word, at a pace that a person can watch.
fn paced(answer: Answer, pace: f64) -> Events {
    let mut events: Vec<ModelEvent> = Vec::new();
    events.extend(
        answer
            .words
            .split_inclusive(' ')
            .filter(|word| !word.is_empty())
            .map(|word| ModelEvent::Text(word.to_owned())),
    );
    for call in answer.calls {
        let id = call.id;
        let tool = call.tool;
        let piece = call.input.to_string();
        events.push(ModelEvent::Call(CallEvent::Begun {
            id: id.clone(),
            tool,
        }));
        events.push(ModelEvent::Call(CallEvent::Input {
            id: id.clone(),
            piece,
        }));
        events.push(ModelEvent::Call(CallEvent::Over { id }));
    }
    events.push(ModelEvent::Done {
        usage: Usage::default(),
        stop: StopReason::Stop,
    });
    let wait = (pace > 0.0).then(|| Duration::from_secs_f64(1.0 / pace));
    stream::iter(events)
        .then(move |event| async move {
            if let (Some(wait), ModelEvent::Text(_)) = (wait, &event) {
                tokio::time::sleep(wait).await;
            }
            Ok(event)
        })
        .boxed()
}
