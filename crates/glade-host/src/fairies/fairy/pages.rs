//! A fairy that goes to another page in the middle of a run, or makes one.

use std::collections::BTreeSet;

use glade_access::{Op, PageRef};
use glade_agent::Event;
use glade_agent::action::Described as _;
use glade_agent::actions::create_page::CreatePage;
use glade_doc::{PageId, Surface};
use glade_store::{AuditKind, PageRow};
use serde_json::json;

use super::FairyTask;
use crate::audit;
use crate::clock::now_ms;
use crate::fairies::HostError;
use crate::ids;

impl FairyTask {
    pub(super) async fn change_page(&mut self, action: u32, page: &PageId) -> Option<Event> {
        match self.move_to(page).await {
            Ok(()) => None,
            Err(error) => Some(Event::Refused {
                action,
                reason: error.to_string(),
            }),
        }
    }

    pub(super) async fn make_page(
        &mut self,
        action: u32,
        name: String,
        surface: Surface,
        go: bool,
    ) -> Option<Event> {
        let made = match self.new_page(name, surface).await {
            Ok(page) if go => self.move_to(&page).await,
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        made.err().map(|error| Event::Refused {
            action,
            reason: error.to_string(),
        })
    }

    /// The run goes on over there, with the same rights.
    async fn move_to(&mut self, page: &PageId) -> Result<(), HostError> {
        self.may(page, Op::Read)?;
        self.go_to(page, None).await?;
        if let Some(run) = self.phase.run() {
            run.stream().tells_of(page.as_str());
            let (run, asker) = (run.id().to_owned(), run.asker.clone());
            self.begin_run(&run, asker).await?;
        }
        self.look_around().await;
        Ok(())
    }

    /// A page at the end of the list, of the tier of the page that it is on.
    async fn new_page(&mut self, name: String, surface: Surface) -> Result<PageId, HostError> {
        let here = self.own_page();
        self.may(&here, Op::Edit)?;
        let scope = &self.identity.shown.settings.scope;
        let tool = CreatePage.facts().name;
        let without = |tools: &BTreeSet<String>| !tools.contains(tool);
        let asker = self.asker();
        // A new page lies in no region.
        let asker_may = asker.is_none_or(|it| it.allows_tool(tool) && it.region().is_none());
        if scope.actions.as_ref().is_some_and(without)
            || scope.pages.is_some()
            || scope.region.is_some()
            || !asker_may
        {
            return Err(HostError::Invalid(
                "this fairy may not make pages".to_owned(),
            ));
        }
        let pages = self.deps.workspace.snapshot().pages;
        let tier = self.deps.workspace.page(here.as_str()).map(|row| row.tier);
        let row = PageRow {
            id: ids::page(),
            name,
            kind: surface.kind().to_owned(),
            tier: tier.unwrap_or_else(|| "internal".to_owned()),
            position: pages.last().map_or(0.0, |page| page.position) + 1.0,
            created_ms: now_ms(),
        };
        let id = PageId::from(row.id.as_str());
        let told = json!({"page": row.id, "what": "made", "tier": row.tier});
        let entry = audit::entry(AuditKind::Page, &self.subject(), told);
        let page = PageRef {
            id: &row.id,
            tier: &row.tier,
        };
        self.asker_may(&page, Op::Edit)?;
        self.deps.workspace.put_page_with(row, vec![entry]).await?;
        Ok(id)
    }

    /// Whether the person who asks may do this on that page: a run may do no more.
    fn may(&self, page: &PageId, op: Op) -> Result<(), HostError> {
        let row = self.deps.workspace.page(page.as_str());
        let row = row.ok_or_else(|| HostError::NoPage(page.to_string()))?;
        let page = PageRef {
            id: &row.id,
            tier: &row.tier,
        };
        self.asker_may(&page, op)
    }

    fn asker_may(&self, page: &PageRef<'_>, op: Op) -> Result<(), HostError> {
        let asker = self.asker();
        match asker {
            Some(asker) if !asker.allows(op, page) => Err(HostError::Invalid(format!(
                "the person who asks may not {} there",
                op.as_str()
            ))),
            _ => Ok(()),
        }
    }
}
