//! The fairy's own todo list.

use serde::{Deserialize, Serialize};

use crate::books::Todo;
use crate::part::{Part, PartData, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoList {
    pub items: Vec<Todo>,
}

pub struct TodoListPart;

impl Part for TodoListPart {
    fn name(&self) -> &'static str {
        "todo-list"
    }

    fn gather(&self, view: &mut View<'_>) -> Option<PartData> {
        let items = view.books.todos.clone();
        (!items.is_empty()).then_some(PartData::TodoList(TodoList { items }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::TodoList(data) = data else {
            return Vec::new();
        };
        told(format!("Your todo list:\n{}", fenced(&data.items)))
    }
}
