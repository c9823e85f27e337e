//! What a fairy is asked: at once, later, or again after a crash.

use std::sync::{Arc, PoisonError};

use glade_access::Capability;
use glade_agent::{Event, Outcome};
use glade_doc::{PageId, RunId};
use glade_store::{Change, RunOwner, RunTarget};
use serde_json::json;

use super::{FairyTask, Kept, Place};
use crate::clock::now_ms;
use crate::fairies::active::{ActiveRun, message_row};
use crate::fairies::saved::{SavedRun, Waiting};
use crate::fairies::stream::RunStream;
use crate::fairies::transcript::Transcript;
use crate::fairies::{Asked, HostError, Question, Started, When};
use crate::ids;
use crate::rooms::{CommitRefused, FairySession, RoomError};
use crate::workspace::Run;

impl FairyTask {
    pub(super) async fn prompt(
        &mut self,
        asked: Asked,
        question: Question,
        session: Option<FairySession>,
    ) -> Result<Started, HostError> {
        let page = asked
            .input
            .page
            .clone()
            .unwrap_or_else(|| PageId::from(self.row.page.as_str()));
        self.go_to(&page, session).await?;
        let owner = RunOwner::Fairy(self.row.id.clone());
        let target = RunTarget::Pages(page.to_string());
        let run = Run::begin(owner, target, asked.input.message.clone());
        let id = run.id.clone();
        self.begin_run(&id, asked.asker.clone()).await?;
        let stream = RunStream::new(asked.asker.clone());
        let transcript =
            Transcript::begin(ids::message(), &id, run.started_at, Arc::clone(&stream));
        let active = ActiveRun::new(
            run.clone(),
            transcript,
            asked.asker.clone(),
            asked.input.clone(),
        );
        let mut agent = match self.kept.take() {
            Some(kept) => kept.agent,
            None => self.agent.checkpoint(),
        };
        agent.forget_run();
        self.kept = Some(Kept {
            agent,
            run: active.save(),
        });
        self.ending = self.active.replace(active);
        // Stored with the next state, which is that of its first request: no model hears of what a crash could
        // still lose, and all of it is one commit.
        if question == Question::New {
            let row = self.question_row(&asked);
            self.due.push(row);
        }
        self.begun = Some(run);
        self.drop_request();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stream));
        let event = Event::Prompt {
            run: RunId::from(id.as_str()),
            input: asked.input,
            seed: ids::seed(),
        };
        self.feed(event).await;
        if self.begun.is_some() {
            // Nothing was asked of a model.
            self.save(Vec::new()).await;
        }
        Ok(Started { run: id, stream })
    }

    /// Gives a busy fairy something for after its current answer; sets an idle one on it now.
    pub(super) async fn schedule(
        &mut self,
        asked: Asked,
        when: When,
    ) -> Result<Option<Started>, HostError> {
        let Some(active) = &self.active else {
            return self.prompt(asked, Question::New, None).await.map(Some);
        };
        let same_asker = active.asker == asked.asker;
        let here = |page: &PageId| self.place.as_ref().is_some_and(|place| place.page == *page);
        let fits =
            when == When::NextAnswer && same_asker && asked.input.page.as_ref().is_none_or(here);
        if let Some(page) = &asked.input.page
            && !self.shown.settings.scope.has_page(page.as_str())
        {
            return Err(HostError::OutOfScope(
                self.row.name.clone(),
                page.to_string(),
            ));
        }
        let question = self.question_row(&asked);
        self.deps.store.write(vec![question]).await?;
        if fits {
            // A part of the run under way, with that run's rights and on its page.
            self.feed_both(Event::Schedule {
                run: RunId::from(ids::run()),
                input: asked.input,
                seed: ids::seed(),
            })
            .await;
        } else {
            // A run of its own, with its asker's rights, when this one is over.
            let later = Waiting {
                input: asked.input,
                asker: asked.asker,
            };
            match self.waiting.back_mut() {
                Some(last) if last.asker == later.asker && last.input.page == later.input.page => {
                    last.input.merge(later.input);
                }
                _ => self.waiting.push_back(later),
            }
        }
        self.save(Vec::new()).await;
        Ok(None)
    }

    /// Takes up what waits, once nothing else is at work.
    pub(super) async fn start_waiting(&mut self) {
        while self.active.is_none()
            && let Some(next) = self.waiting.pop_front()
        {
            let asked = Asked {
                input: next.input,
                message: None,
                asker: next.asker,
            };
            if let Err(error) = self.prompt(asked, Question::InTheChat, None).await {
                tracing::warn!(fairy = self.row.id, %error, "what waited could not be begun");
            }
        }
    }

    /// Goes on with a run that a crash cut, from the step that it was at.
    pub(super) async fn resume(&mut self, cut: SavedRun) {
        let Some(run) = self.deps.workspace.run(&cut.id) else {
            self.agent.forget_run();
            return;
        };
        let page = PageId::from(self.row.page.as_str());
        let begun = match self.go_to(&page, None).await {
            Ok(()) => self.begin_run(&cut.id, cut.asker.clone()).await,
            Err(error) => Err(error),
        };
        let stream = RunStream::new(cut.asker.clone());
        let transcript =
            Transcript::resume(cut.transcript, &cut.id, run.started_at, Arc::clone(&stream));
        self.active = Some(ActiveRun::new(run, transcript, cut.asker, cut.input));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
        if let Err(error) = begun {
            tracing::error!(fairy = self.row.id, %error, "a run cut by a crash could not go on");
            let outcome = Outcome::Failed(error.to_string());
            self.agent.forget_run();
            return self.end_run(&RunId::from(cut.id), &outcome).await;
        }
        self.feed(Event::Resume { seed: ids::seed() }).await;
    }

    /// Tells the room whose rights the fairy's edits have from now on.
    pub(super) async fn begin_run(
        &mut self,
        run: &str,
        asker: Option<Capability>,
    ) -> Result<(), HostError> {
        let Some(place) = &self.place else {
            return Ok(());
        };
        let begun = place
            .room
            .begin_run(&place.session, RunId::from(run), asker)
            .await;
        match begun {
            // Fenced already: the command that did it comes next and ends this run.
            Ok(()) | Err(CommitRefused::Fenced) => Ok(()),
            Err(error) => Err(HostError::Room(RoomError::Document(error.to_string()))),
        }
    }

    pub(super) async fn go_to(
        &mut self,
        page: &PageId,
        session: Option<FairySession>,
    ) -> Result<(), HostError> {
        if let Some(place) = &mut self.place
            && place.page == *page
            && place.room.is_open()
        {
            if let Some(session) = session {
                place.session = session;
                // What it may do can have changed between the fence and now, and was told to a session that is no more.
                self.rescope().await;
            }
            return Ok(());
        }
        let scope = &self.shown.settings.scope;
        if !scope.has_page(page.as_str()) {
            return Err(HostError::OutOfScope(
                self.row.name.clone(),
                page.to_string(),
            ));
        }
        let room = self.deps.rooms.room(page).await?;
        let capability = self.rights()?;
        let session = room.seat(&self.row.id, capability, ids::peer()).await?;
        let bound = room.bound(&session, self.bounds(page)).await;
        self.note(bound);
        let place = Place {
            page: page.clone(),
            room,
            session,
        };
        if let Some(left) = self.place.replace(place)
            && left.room.is_open()
        {
            let gone = left.room.unseat(&left.session).await;
            self.note(gone);
        }
        self.row.page = page.to_string();
        self.shown.page = page.to_string();
        // Told at once: a Stop looks here for the room to fence.
        self.deps.workspace.show_fairy(self.shown.clone());
        Ok(())
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
        if !body["metadata"].is_object() {
            body["metadata"] = json!({});
        }
        // Who may read the question: it may wait while the fairy answers one about another page.
        let page = asked.input.page.as_ref().map(PageId::as_str);
        body["metadata"]["page"] = json!(page.unwrap_or(&self.row.page));
        // The client chose its message's id: it may replace its own message, nobody else's.
        let key = format!("{}/user/{id}", self.row.id);
        message_row(&key, &self.row.id, "user", &body, now_ms())
    }
}
