//! Whose turn it is to ask a provider: no more requests at once than it, and the workspace, can bear.
//!
//! Whoever finds no room waits in line. When there is room again, it goes to the group (a project, or
//! a fairy on its own) that was served longest ago, so that a project of twenty does not keep one
//! fairy waiting; within a group, first come, first served. A request that is dropped gives its place
//! up, wherever it is. The built-in model waits for nobody: nothing of it leaves the machine.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use glade_agent::Prompt;
use glade_model::{Model, ModelError, ModelEvent};
use tokio::sync::oneshot;

/// How many requests may be under way at once.
#[derive(Debug, Clone, Copy)]
pub struct AtOnce {
    pub to_one_provider: usize,
    pub in_all: usize,
}

impl Default for AtOnce {
    fn default() -> Self {
        Self {
            to_one_provider: 8,
            in_all: 24,
        }
    }
}

const BUILT_IN: &str = "sketch";

#[derive(Default)]
pub struct Turns {
    most: AtOnce,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    under_way: HashMap<String, usize>,
    in_all: usize,
    waiting: VecDeque<Waiting>,
    /// When each group was last served.
    served: HashMap<String, u64>,
    clock: u64,
}

struct Waiting {
    provider: String,
    group: String,
    go: oneshot::Sender<Turn>,
}

/// The right to ask; given back when it is dropped.
pub struct Turn {
    turns: Arc<Turns>,
    provider: String,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.give_back(&self.provider);
    }
}

impl Turns {
    pub fn new(most: AtOnce) -> Arc<Self> {
        Arc::new(Self {
            most,
            line: Mutex::default(),
        })
    }

    /// Asks a model when it is the group's turn.
    pub fn ask(
        self: &Arc<Self>,
        model: Arc<dyn Model>,
        prompt: Prompt,
        group: String,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let name = model.name();
        let provider = name.split('/').next().unwrap_or(name).to_owned();
        if provider == BUILT_IN {
            return model.ask(prompt);
        }
        let turns = Arc::clone(self);
        stream::once(async move {
            let turn = turns.take(provider, group).await;
            // The turn lasts as long as the answer.
            model.ask(prompt).map(move |event| {
                let _held = &turn;
                event
            })
        })
        .flatten()
        .boxed()
    }

    async fn take(self: &Arc<Self>, provider: String, group: String) -> Option<Turn> {
        let (go, gone) = oneshot::channel();
        let waiting = Waiting {
            provider,
            group,
            go,
        };
        self.lock().waiting.push_back(waiting);
        self.serve();
        gone.await.ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(self: &Arc<Self>, provider: &str) {
        let mut line = self.lock();
        line.in_all = line.in_all.saturating_sub(1);
        if let Some(count) = line.under_way.get_mut(provider) {
            *count = count.saturating_sub(1);
        }
        drop(line);
        self.serve();
    }

    /// Gives turns to whoever is next, while there is room.
    fn serve(self: &Arc<Self>) {
        while let Some(next) = self.lock().next(self.most) {
            let turn = Turn {
                turns: Arc::clone(self),
                provider: next.provider,
            };
            // Whoever waits no longer drops the turn, and that gives it back.
            drop(next.go.send(turn));
        }
    }
}

impl Line {
    fn next(&mut self, most: AtOnce) -> Option<Waiting> {
        self.waiting.retain(|one| !one.go.is_closed());
        if self.in_all >= most.in_all {
            return None;
        }
        let room = |one: &Waiting| {
            let count = self.under_way.get(&one.provider).copied().unwrap_or(0);
            count < most.to_one_provider
        };
        let served = |one: &Waiting| self.served.get(&one.group).copied().unwrap_or(0);
        let line = self.waiting.iter().enumerate();
        let (at, _) = line
            .filter(|(_, one)| room(one))
            .min_by_key(|(at, one)| (served(one), *at))?;
        let next = self.waiting.remove(at)?;
        self.clock += 1;
        self.served.insert(next.group.clone(), self.clock);
        *self.under_way.entry(next.provider.clone()).or_default() += 1;
        self.in_all += 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(to_one_provider: usize, in_all: usize) -> Arc<Turns> {
        Turns::new(AtOnce {
            to_one_provider,
            in_all,
        })
    }

    async fn taken(turns: &Arc<Turns>, provider: &str, group: &str) -> Option<Turn> {
        let take = turns.take(provider.to_owned(), group.to_owned());
        let soon = std::time::Duration::from_millis(20);
        tokio::time::timeout(soon, take).await.ok().flatten()
    }

    #[tokio::test]
    async fn a_provider_that_is_full_holds_up_no_other() {
        let turns = most(1, 2);
        let stuck = taken(&turns, "a", "one").await;
        assert!(stuck.is_some());
        assert!(taken(&turns, "a", "two").await.is_none(), "a is full");
        let other = taken(&turns, "b", "two").await;
        assert!(other.is_some(), "b is not");
        assert!(taken(&turns, "c", "three").await.is_none(), "all is full");
        drop(stuck);
        assert!(taken(&turns, "c", "three").await.is_some());
    }

    #[tokio::test]
    async fn a_crowd_does_not_keep_one_fairy_waiting() {
        let turns = most(1, 1);
        let first = taken(&turns, "a", "crowd").await.unwrap();
        let mut order = Vec::new();
        let mut line = futures_util::stream::FuturesUnordered::new();
        for group in ["crowd", "crowd", "crowd", "alone"] {
            let turns = Arc::clone(&turns);
            line.push(tokio::spawn(async move {
                let turn = turns.take("a".to_owned(), group.to_owned()).await;
                (group, turn)
            }));
        }
        while turns.lock().waiting.len() < 4 {
            tokio::task::yield_now().await;
        }
        drop(first);
        while let Some(Ok((group, turn))) = line.next().await {
            order.push(group);
            drop(turn);
        }
        assert_eq!(order, ["alone", "crowd", "crowd", "crowd"]);
    }

    #[tokio::test]
    async fn whoever_gives_up_waiting_loses_nothing_for_others() {
        let turns = most(1, 1);
        let first = taken(&turns, "a", "one").await;
        assert!(taken(&turns, "a", "two").await.is_none());
        drop(first);
        assert!(taken(&turns, "a", "three").await.is_some());
        assert_eq!(turns.lock().in_all, 0);
    }
}
