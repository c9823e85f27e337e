//! What somebody has set for a model, against what a prompt asks of every model.

use glade_agent::Prompt;
use serde_json::Value;

/// Settings of a model that change what it is asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Tokens of an answer, where the prompt's own number is not right.
    pub max_output_tokens: Option<u32>,
    pub temperature: Option<f32>,
    /// The only actions that it is offered, by name; none: all. A small model that may do little does
    /// it more surely, and reads a shorter prompt.
    pub actions: Vec<String>,
}

impl Limits {
    pub fn apply(&self, prompt: &mut Prompt) {
        if let Some(tokens) = self.max_output_tokens {
            prompt.max_output_tokens = tokens;
        }
        if let Some(temperature) = self.temperature {
            prompt.temperature = temperature;
        }
        if !self.actions.is_empty() {
            self.narrow(&mut prompt.schema);
        }
    }

    /// A mode that allows none of these actions keeps its own.
    fn narrow(&self, schema: &mut Value) {
        let union = schema.pointer_mut("/properties/actions/items/anyOf");
        let Some(Value::Array(union)) = union else {
            return;
        };
        let listed = |action: &Value| {
            let name = action.pointer("/properties/_type/const");
            let name = name.or_else(|| action.pointer("/properties/_type/enum/0"));
            let name = name.and_then(Value::as_str);
            name.is_some_and(|name| self.actions.iter().any(|one| one == name))
        };
        if union.iter().any(listed) {
            union.retain(listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::wire::tests::prompt;
    use super::*;

    fn offered(names: &[&str]) -> Value {
        let action =
            |name: &&str| json!({"type": "object", "properties": {"_type": {"const": name}}});
        let union: Vec<Value> = names.iter().map(action).collect();
        json!({"type": "object", "properties": {"actions": {"type": "array", "items": {"anyOf": union}}}})
    }

    #[test]
    fn only_the_listed_actions_are_left_in_the_form() {
        let mut asked = prompt(&[]);
        asked.schema = offered(&["message", "create", "delete"]);
        let limits = Limits {
            actions: vec!["create".to_owned(), "fly".to_owned()],
            max_output_tokens: Some(300),
            temperature: Some(0.5),
        };
        limits.apply(&mut asked);
        let left = offered(&["create"]);
        assert_eq!(
            (&asked.schema, asked.max_output_tokens, asked.temperature),
            (&left, 300, 0.5)
        );
    }

    #[test]
    fn a_mode_without_any_of_them_keeps_its_own() {
        let mut asked = prompt(&[]);
        asked.schema = offered(&["message", "start-task"]);
        let before = asked.clone();
        let limits = Limits {
            actions: vec!["create".to_owned()],
            ..Limits::default()
        };
        limits.apply(&mut asked);
        assert_eq!(asked, before);
    }
}
