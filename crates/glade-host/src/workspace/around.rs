//! What lies around a fairy. It looks before every step, so it is read in place: what it costs grows with
//! the fairies that it sees, not with all that the workspace remembers.

use glade_agent::{OpenItem, OtherFairy, PageInfo};
use glade_doc::PageId;

use super::projects::task_in_hand;
use super::tasks::in_order;
use super::{Fairy, State, Task, TaskStatus, Workspace, pages_in_order};

/// The pages that a fairy sees, who else is there, and what is to be done on the page that it is on.
#[derive(Default)]
pub struct Around {
    pub pages: Vec<PageInfo>,
    pub others: Vec<OtherFairy>,
    /// What nobody has taken on.
    pub open_items: Vec<OpenItem>,
}

impl Workspace {
    /// `sees` says which pages, by id and tier; it must not ask the workspace.
    pub fn around(
        &self,
        fairy: &str,
        here: Option<&str>,
        sees: impl Fn(&str, &str) -> bool,
    ) -> Around {
        let state = self.state();
        let sees_page = |id: &str| {
            let page = state.pages.get(id);
            page.is_some_and(|page| sees(&page.id, &page.tier))
        };
        let pages = pages_in_order(&state).into_iter();
        let others = state.fairies.values();
        let open = state.tasks.values().filter(|task| {
            let free = task.assignee.is_none() && task.project.is_none();
            free && task.status == TaskStatus::Todo && Some(task.page.as_str()) == here
        });
        Around {
            pages: pages
                .filter(|page| sees(&page.id, &page.tier))
                .map(|page| PageInfo {
                    id: PageId::from(page.id.as_str()),
                    name: page.name.clone(),
                })
                .collect(),
            others: others
                .filter(|other| other.id != fairy && sees_page(&other.page))
                .map(|other| met(&state, other))
                .collect(),
            open_items: in_order(open).into_iter().map(open_item).collect(),
        }
    }
}

fn met(state: &State, fairy: &Fairy) -> OtherFairy {
    OtherFairy {
        id: fairy.id.clone(),
        name: fairy.name.clone(),
        mode: fairy.mode.clone(),
        page: PageId::from(fairy.page.as_str()),
        position: fairy.position,
        task: match task_in_hand(state, &fairy.id) {
            Some(task) => task.title.clone(),
            None => own_task(fairy).unwrap_or_default().to_owned(),
        },
    }
}

/// What it has set itself and is at.
fn own_task(fairy: &Fairy) -> Option<&str> {
    let mut tasks = fairy.tasks.iter();
    tasks.find(|task| task["status"] == "in-progress")?["title"].as_str()
}

fn open_item(task: Task) -> OpenItem {
    OpenItem {
        id: task.id,
        text: match task.text.trim() {
            "" => task.title,
            text => format!("{}: {text}", task.title),
        },
    }
}
