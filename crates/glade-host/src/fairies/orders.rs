//! Orders of projects, carried to their fairies: each fairy has a queue, so that they arrive in the
//! order in which they were given, and nobody who gives one waits for whoever gets it.

use std::sync::{Arc, Weak};
use std::time::Instant;

use glade_agent::projects::{News, Order};
use glade_agent::{Input, Mode, Source};
use glade_doc::PageId;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};

use super::{Asked, Command, Host, HostError};
use crate::ids;
use crate::metrics;
use crate::workspace::BoardMessage;

/// What lies in a fairy's queue.
pub enum QueuedOrder {
    Order {
        order: Order,
        since: Option<Instant>,
    },
    /// All before this was carried out.
    Mark(oneshot::Sender<()>),
}

impl Host {
    /// Gives every order to its fairy's queue, from now on.
    pub(super) fn route_orders(self: &Arc<Self>) {
        let Some(mut orders) = self.deps.workspace.take_orders() else {
            return;
        };
        let host = Arc::downgrade(self);
        let task = tokio::spawn(async move {
            while let Some(told) = orders.recv().await {
                let Some(host) = host.upgrade() else {
                    return;
                };
                match told {
                    // A fairy that was dismissed has nothing to do.
                    BoardMessage::Order { order, since } => {
                        if let Ok(handle) = host.handle(order.fairy()) {
                            let _gone = handle.orders.send(QueuedOrder::Order { order, since });
                        }
                    }
                    BoardMessage::Mark(mark) => {
                        let _gone = mark.send(());
                    }
                }
            }
        });
        self.tasks
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(task.abort_handle());
    }

    /// Resolves when these fairies have carried out every order that was given by now.
    pub(super) async fn carried_out(&self, fairies: impl IntoIterator<Item = String>) {
        self.deps.workspace.passed().await;
        let mut marks = Vec::new();
        for fairy in fairies {
            let (mark, reached) = oneshot::channel();
            if let Ok(handle) = self.handle(&fairy) {
                let _gone = handle.orders.send(QueuedOrder::Mark(mark));
                marks.push(reached);
            }
        }
        for reached in marks {
            let _gone = reached.await;
        }
    }

    async fn deliver(&self, order: Order, since: Option<Instant>) {
        let fairy = order.fairy().to_owned();
        let delivered = match order {
            Order::Work {
                fairy,
                mode,
                task,
                message,
                page,
                bounds,
            } => {
                if !self.still_so(&fairy, task.as_deref()) {
                    return;
                }
                let input = Input {
                    page: Some(PageId::from(page)),
                    bounds,
                    mode: Some(mode),
                    ordered: true,
                    source: match task {
                        Some(_) => Source::OtherAgent,
                        None => Source::User,
                    },
                    ..Input::message(message)
                };
                let busy = self.mode(&fairy).is_some_and(Mode::serves_a_person);
                if busy && task.is_some() {
                    Err(HostError::Invalid(
                        "it is busy with what a person asked of it".to_owned(),
                    ))
                } else {
                    let asked = self.asked_by_project(&fairy, input);
                    self.prompt(&fairy, asked).await.map(|_| ())
                }
            }
            Order::Wake {
                fairy,
                mode,
                message,
                bounds,
            } => {
                if self.deps.workspace.project_of(&fairy).is_none() {
                    return;
                }
                let input = Input {
                    bounds,
                    mode: Some(mode),
                    ordered: true,
                    source: Source::OtherAgent,
                    ..Input::message(message)
                };
                let asked = self.asked_by_project(&fairy, input);
                let woken = self.schedule(&fairy, asked).await;
                // Whoever was at work hears of it later: that is no measure of the way here.
                if let (Ok(Some(_)), Some(since)) = (&woken, since) {
                    metrics::HAND_OVERS.observe(since.elapsed());
                }
                woken.map(|_| ())
            }
            Order::Rest { fairy, mode } => {
                // Whoever left meanwhile, or is busy with something else, is left alone.
                let stands = match mode {
                    Mode::Idling => self.mode(&fairy).is_some_and(Mode::is_of_a_project),
                    _ => self.deps.workspace.project_of(&fairy).is_some(),
                };
                if !stands {
                    return;
                }
                self.rest(&fairy, mode).await
            }
            Order::Rescope { fairy } => self.rescope(&fairy).await,
        };
        if let Err(error) = delivered {
            tracing::warn!(fairy, %error, "an order of a project could not be carried out");
            let why = error.to_string();
            let news = News::Undelivered {
                fairy: fairy.clone(),
                why,
            };
            if let Err(error) = self.tell_project(&fairy, news).await {
                tracing::error!(fairy, %error, "a project could not be told");
            }
        }
    }

    fn mode(&self, fairy: &str) -> Option<Mode> {
        Mode::parse(&self.deps.workspace.fairy(fairy)?.mode)
    }

    /// Whether an order to work still stands: things may have changed while it lay in the queue.
    fn still_so(&self, fairy: &str, task: Option<&str>) -> bool {
        match task {
            Some(task) => {
                let job = self.deps.workspace.job_of(fairy);
                job.is_some_and(|job| job.id == task)
            }
            None => self.deps.workspace.project_of(fairy).is_some(),
        }
    }

    fn asked_by_project(&self, fairy: &str, input: Input) -> Asked {
        let project = self.deps.workspace.project_of(fairy);
        let held = project.and_then(|id| self.deps.workspace.project(&id));
        let message = json!({
            "id": ids::message(),
            "role": "user",
            "parts": [{ "type": "text", "text": input.message }],
            "metadata": {
                "source": input.source,
                "project": held.as_ref().map(|held| &held.project.id),
            },
        });
        Asked {
            input,
            message: Some(message),
            asker: held.and_then(|held| held.asker),
        }
    }

    /// Stops a fairy and lets it rest in a mode, because a person says so. Those of a project are the
    /// project's to give.
    pub async fn rest_in(&self, fairy: &str, mode: Mode) -> Result<(), HostError> {
        if mode.is_of_a_project() {
            return Err(HostError::Invalid(format!(
                "only a project puts a fairy into the mode {}",
                mode.name()
            )));
        }
        self.stop(fairy).await?;
        self.rest(fairy, mode).await
    }

    /// Stops a fairy and lets it rest in a mode of its project.
    async fn rest(&self, fairy: &str, mode: Mode) -> Result<(), HostError> {
        let handle = self.handle(fairy)?;
        let session = self.fence(fairy).await?;
        let (answer, rested) = oneshot::channel();
        let command = Command::Rest {
            mode,
            session,
            answer,
        };
        handle
            .commands
            .send(command)
            .await
            .map_err(|_| HostError::Gone)?;
        rested.await.map_err(|_| HostError::Gone)
    }

    /// The task that a fairy works on has other bounds now.
    async fn rescope(&self, fairy: &str) -> Result<(), HostError> {
        self.handle(fairy)?
            .commands
            .send(Command::Rescope)
            .await
            .map_err(|_| HostError::Gone)
    }

    /// The workspace's plugins are others now: fairies are offered, and held to, what there is.
    pub async fn replugged(&self) {
        let fairies: Vec<String> = self.lock().keys().cloned().collect();
        for fairy in fairies {
            if let Err(error) = self.rescope(&fairy).await {
                tracing::warn!(fairy, %error, "a fairy did not hear of other plugins");
            }
        }
    }

    /// Lets the project that a fairy is in know of something.
    pub(super) async fn tell_project(&self, fairy: &str, news: News) -> Result<(), HostError> {
        let Some(id) = self.deps.workspace.project_of(fairy) else {
            return Ok(());
        };
        self.tell(&id, news).await
    }

    pub(super) async fn tell(&self, project: &str, news: News) -> Result<(), HostError> {
        if let Some(mut turn) = self.deps.workspace.turn(project).await {
            let orders = turn.board.happened(news);
            turn.orders.extend(orders);
            turn.finish(Vec::new()).await?;
        }
        Ok(())
    }
}

/// Carries the orders of one fairy out, one after another.
pub async fn run(host: Weak<Host>, mut queue: mpsc::UnboundedReceiver<QueuedOrder>) {
    while let Some(queued) = queue.recv().await {
        match queued {
            QueuedOrder::Order { order, since } => {
                let Some(host) = host.upgrade() else {
                    return;
                };
                host.deliver(order, since).await;
            }
            QueuedOrder::Mark(mark) => {
                let _gone = mark.send(());
            }
        }
    }
}
