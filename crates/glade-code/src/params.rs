//! A call's parameters, as a model wrote them.

use serde_json::{Map, Value};

use crate::error::{Code, ToolError};

/// Asks for parameters by name; what is missing or of the wrong kind is named in the error.
#[derive(Debug, Clone, Copy)]
pub struct Params<'a>(&'a Map<String, Value>);

impl<'a> Params<'a> {
    pub fn of(input: &'a Value) -> Result<Params<'a>, ToolError> {
        input.as_object().map(Params).ok_or_else(|| {
            ToolError::new(
                Code::Invalid("input"),
                "The input must be a JSON object with the tool's parameters.",
            )
        })
    }

    pub fn text(&self, name: &'static str) -> Result<&'a str, ToolError> {
        self.optional_text(name)?.ok_or_else(|| missing(name))
    }

    pub fn optional_text(&self, name: &'static str) -> Result<Option<&'a str>, ToolError> {
        self.given(name)
            .map(|value| value.as_str().ok_or_else(|| invalid(name, "a string")))
            .transpose()
    }

    pub fn flag(&self, name: &'static str, otherwise: bool) -> Result<bool, ToolError> {
        self.given(name).map_or(Ok(otherwise), |value| {
            value
                .as_bool()
                .ok_or_else(|| invalid(name, "true or false"))
        })
    }

    /// A whole number of at least one.
    pub fn count(&self, name: &'static str) -> Result<Option<usize>, ToolError> {
        self.number(name, 1)
    }

    /// A whole number, or zero.
    pub fn count_or_none(&self, name: &'static str) -> Result<Option<usize>, ToolError> {
        self.number(name, 0)
    }

    fn number(&self, name: &'static str, least: u64) -> Result<Option<usize>, ToolError> {
        self.given(name)
            .map(|value| {
                // Some models write 3.0.
                let whole = value.as_u64().or_else(|| {
                    value
                        .as_f64()
                        .filter(|n| n.fract() == 0.0)
                        .map(|n| n as u64)
                });
                whole
                    .filter(|n| *n >= least)
                    .and_then(|n| usize::try_from(n).ok())
                    .ok_or_else(|| invalid(name, &format!("a whole number of at least {least}")))
            })
            .transpose()
    }

    pub fn list(&self, name: &'static str) -> Result<&'a [Value], ToolError> {
        let value = self.given(name).ok_or_else(|| missing(name))?;
        value
            .as_array()
            .map(Vec::as_slice)
            .ok_or_else(|| invalid(name, "a list"))
    }

    fn given(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }
}

fn missing(name: &'static str) -> ToolError {
    ToolError::new(
        Code::Missing(name),
        format!("The parameter {name} is missing."),
    )
}

fn invalid(name: &'static str, wanted: &str) -> ToolError {
    ToolError::new(
        Code::Invalid(name),
        format!("The parameter {name} must be {wanted}."),
    )
}
