//! How a run starts: at once, later, or again after a crash.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use glade_access::{Op, PageRef};
use glade_agent::{Event, Failure, Outcome};
use glade_doc::{PageId, RunId};
use glade_store::{Change, RunOwner, RunTarget, StoreError};
use serde_json::json;

use super::FairyTask;
use super::phase::Phase;
use crate::clock::now_ms;
use crate::fairies::active::{ActiveRun, message_row};
use crate::fairies::saved::{SavedRun, Waiting};
use crate::fairies::stream::RunStream;
use crate::fairies::transcript::Transcript;
use crate::fairies::{Asked, ChatMessage, HostError, Started, When};
use crate::ids;
use crate::rooms::FairySession;
use crate::runs::reach::{NO_PAGE, pages_shown};
use crate::workspace::Run;

impl FairyTask {
    pub(super) async fn prompt(
        &mut self,
        asked: Asked,
        message: ChatMessage,
        session: Option<FairySession>,
    ) -> Result<Started, HostError> {
        let page = asked
            .input
            .page
            .clone()
            .unwrap_or_else(|| PageId::from(self.identity.row.page.as_str()));
        if !self.may_be_asked(&asked, &page) {
            return Err(HostError::NoPage(page.to_string()));
        }
        if let Some(read) = self.phase.run().and_then(|run| run.read()) {
            // Before it is looked at what of it whoever asks now may know.
            self.deps.store.write(vec![read]).await?;
        }
        self.go_to(&page, session).await?;
        let owner = RunOwner::Fairy(self.identity.row.id.clone());
        let target = RunTarget::Pages(page.to_string());
        let run = Run::begin(owner, target, asked.input.message.clone());
        let id = run.id.clone();
        self.begin_run(&id, asked.asker.clone()).await?;
        let stream = RunStream::new(asked.asker.clone());
        stream.tells_of(page.as_str());
        let transcript =
            Transcript::begin(ids::message(), &id, run.started_at, Arc::clone(&stream));
        let active = ActiveRun::new(
            run.clone(),
            transcript,
            asked.asker.clone(),
            asked.input.clone(),
        );
        self.phase.drop_request();
        self.phase.begin(active);
        // Stored with the state of its first request, in one commit: no model is asked something that a
        // crash could still lose.
        if message == ChatMessage::New {
            let row = self.question_row(&asked);
            self.outbox.changes.push(row);
        }
        self.outbox.begun = Some(run);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stream));
        let event = Event::Prompt {
            run: RunId::from(id.as_str()),
            input: asked.input,
            seed: ids::seed(),
        };
        self.feed(event).await;
        if self.outbox.begun.is_some() {
            // Nothing was asked of a model.
            self.save().await;
        }
        Ok(Started { run: id, stream })
    }

    /// Whether whoever asks may read the page that it is about: the fairy may have gone elsewhere
    /// since they looked.
    fn may_be_asked(&self, asked: &Asked, page: &PageId) -> bool {
        let (Some(asker), Some(row)) = (&asked.asker, self.deps.workspace.page(page.as_str()))
        else {
            return true;
        };
        let page = PageRef {
            id: &row.id,
            tier: &row.tier,
        };
        asker.allows(Op::Read, &page)
    }

    /// Gives a busy fairy something for after its current answer; sets an idle one on it now.
    pub(super) async fn schedule(
        &mut self,
        asked: Asked,
        when: When,
    ) -> Result<Option<Started>, HostError> {
        let Some(run) = self.phase.run() else {
            return self.prompt(asked, ChatMessage::New, None).await.map(Some);
        };
        let same_asker = run.asker == asked.asker;
        let here = |page: &PageId| self.seat.as_ref().is_some_and(|seat| seat.page == *page);
        let fits =
            when == When::NextAnswer && same_asker && asked.input.page.as_ref().is_none_or(here);
        if let Some(page) = &asked.input.page {
            self.check_scope(page)?;
        }
        let question = self.question_row(&asked);
        self.deps.store.write(vec![question]).await?;
        if fits {
            // A part of the run under way, with that run's rights and on its page.
            self.feed(Event::Schedule {
                run: RunId::from(ids::run()),
                input: asked.input,
                seed: ids::seed(),
            })
            .await;
        } else {
            // A run of its own, with its asker's rights, when this one is over; on the page where the
            // fairy was asked, wherever this run takes it.
            let mut input = asked.input;
            input.page.get_or_insert_with(|| self.own_page());
            let later = Waiting {
                input,
                asker: asked.asker,
            };
            match self.queue.back_mut() {
                Some(last) if last.asker == later.asker && last.input.page == later.input.page => {
                    last.input.merge(later.input);
                }
                _ => self.queue.push_back(later),
            }
        }
        self.save().await;
        Ok(None)
    }

    /// Starts what is queued, once nothing else is at work.
    pub(super) async fn start_queued(&mut self) {
        while matches!(self.phase, Phase::Idle)
            && let Some(next) = self.queue.pop_front()
        {
            let asked = Asked {
                input: next.input,
                message: None,
                asker: next.asker,
            };
            if let Err(error) = self.prompt(asked, ChatMessage::Stored, None).await {
                tracing::warn!(fairy = self.identity.row.id, %error, "a queued request could not be started");
            }
        }
    }

    /// Goes on with a run that a crash interrupted, from the step that it was at.
    pub(super) async fn resume(&mut self, saved: SavedRun) {
        let Some(run) = self.deps.workspace.run(&saved.id) else {
            self.agent.forget_run();
            return;
        };
        let page = PageId::from(self.identity.row.page.as_str());
        let begun = match self.go_to(&page, None).await {
            Ok(()) => self.begin_run(&saved.id, saved.asker.clone()).await,
            Err(error) => Err(error),
        };
        let stream = RunStream::new(saved.asker.clone());
        match self.pages_before(&run) {
            Ok(pages) => pages.iter().for_each(|page| stream.tells_of(page)),
            Err(error) => {
                tracing::error!(run = run.id, %error, "where a run was could not be read");
                stream.tells_of(NO_PAGE);
            }
        }
        let transcript = Transcript::resume(
            saved.transcript,
            &saved.id,
            run.started_at,
            Arc::clone(&stream),
        );
        self.phase
            .begin(ActiveRun::new(run, transcript, saved.asker, saved.input));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
        if let Err(error) = begun {
            tracing::error!(fairy = self.identity.row.id, %error, "a run that a crash interrupted could not go on");
            let outcome = Outcome::Failed(Failure::generic(error.to_string()));
            self.agent.forget_run();
            return self.end_run(&RunId::from(saved.id), &outcome).await;
        }
        self.feed(Event::Resume { seed: ids::seed() }).await;
    }

    /// The pages that a run was shown before a crash.
    fn pages_before(&self, run: &Run) -> Result<BTreeSet<String>, StoreError> {
        let mut pages = pages_shown(&self.deps.store, &run.id, &run.target)?;
        pages.insert(self.identity.row.page.clone());
        Ok(pages)
    }

    /// The message that it was asked by, for the chat.
    fn question_row(&self, asked: &Asked) -> Change {
        let given = asked
            .message
            .as_ref()
            .and_then(|message| message["id"].as_str());
        let id = given.map_or_else(ids::message, str::to_owned);
        let mut body = asked.message.clone().unwrap_or_else(|| {
            json!({ "id": id, "role": "user", "parts": [{ "type": "text", "text": asked.input.message }] })
        });
        // Who asked, when, and about which page is the server's word, whatever came with the message.
        // The page says who may read the question: it may wait while another is answered.
        let now = now_ms();
        let page = asked.input.page.as_ref().map(PageId::as_str);
        let page = page.unwrap_or(&self.identity.row.page);
        body["metadata"] = json!({ "createdAt": now, "page": page });
        if let Some(asker) = &asked.asker {
            body["metadata"]["asker"] = json!(self.deps.workspace.asker(asker));
        }
        // The client chose its message's id: it may replace its own message, nobody else's.
        let key = format!("{}/user/{id}", self.identity.row.id);
        message_row(&key, &self.identity.row.id, "user", &body, now)
    }
}
