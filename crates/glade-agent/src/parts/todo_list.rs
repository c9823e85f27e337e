//! The fairy's own todo list, and what is on the page's list that nobody has taken on.

use serde::{Deserialize, Serialize};

use crate::action::Described as _;
use crate::actions::claim_todo_item::ClaimTodoItem;
use crate::agenda::Todo;
use crate::event::OpenItem;
use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
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

static FACTS: PartFacts = PartFacts::new("todo-list", Topic::Todos, On::Any);

impl Part for TodoListPart {
    type Data = TodoList;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<TodoList> {
        let todos = view.agenda.todos.iter();
        let shown = todos.filter(|todo| todo.is_shown(view.world.visible_runs));
        let items: Vec<Todo> = shown.map(Todo::told).collect();
        let open = if view.row.allows(ClaimTodoItem.facts()) {
            view.world.open_items.to_vec()
        } else {
            Vec::new()
        };
        let some = !items.is_empty() || !open.is_empty();
        some.then_some(TodoList { items, open })
    }

    fn print(&self, data: &TodoList) -> Vec<PromptMessage> {
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
