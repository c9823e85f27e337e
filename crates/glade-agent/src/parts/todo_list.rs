//! The fairy's own todo list, and what is on the page's list that nobody has taken on.

use serde::{Deserialize, Serialize};

use crate::agenda::Todo;
use crate::event::OpenItem;
use crate::part::{Part, PartData, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoList {
    pub items: Vec<Todo>,
    /// What nobody has taken on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenItem>,
}

pub struct TodoListPart;

impl Part for TodoListPart {
    fn name(&self) -> &'static str {
        "todo-list"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let todos = view.agenda.todos.iter();
        let shown = todos.filter(|todo| todo.is_shown(view.world.visible_runs));
        let items: Vec<Todo> = shown.map(Todo::told).collect();
        let open = if view.row.allows("claim-todo-item") {
            view.world.open_items.to_vec()
        } else {
            Vec::new()
        };
        let some = !items.is_empty() || !open.is_empty();
        some.then_some(PartData::TodoList(TodoList { items, open }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::TodoList(data) = data else {
            return Vec::new();
        };
        let mut lists = Vec::new();
        if !data.items.is_empty() {
            lists.push(format!("Your todo list:\n{}", fenced(&data.items)));
        }
        if !data.open.is_empty() {
            lists.push(format!(
                "On the page's list, taken by nobody yet:\n{}",
                fenced(&data.open)
            ));
        }
        told(lists.join("\n"))
    }
}
