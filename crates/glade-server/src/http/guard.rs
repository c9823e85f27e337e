//! Who is asking, as a handler's argument: the capability of the request's token.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use glade_access::{Capability, Op, PageRef};

use crate::app::App;
use crate::edge::bearer;
use crate::edge::problem::Problem;

pub struct Caller {
    pub capability: Capability,
    pub token: String,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let credential = bearer::require(&parts.headers, &app.access.cookie)?;
        let capability = verify(app, credential.token())?;
        Ok(Self {
            capability,
            token: credential.token().to_owned(),
        })
    }
}

pub fn verify(app: &App, token: &str) -> Result<Capability, Problem> {
    app.access
        .verify(token)
        .map_err(|error| Problem::unauthorized(error.to_string()))
}

impl Caller {
    /// Refuses unless the caller may do `op` on the page. A page that it may not even read is
    /// answered like one that does not exist.
    pub fn on_page(&self, app: &App, page: &str, op: Op) -> Result<(), Problem> {
        let Some(row) = app
            .workspace
            .page(page)
            .filter(|row| self.may_read(&row.id, &row.tier))
        else {
            return Err(Problem::not_found(format!(
                "There is no page {page}, or this token may not read it."
            )));
        };
        if self.capability.allows(
            op,
            &PageRef {
                id: &row.id,
                tier: &row.tier,
            },
        ) {
            Ok(())
        } else {
            Err(Problem::forbidden(format!(
                "This token may not {} on this page.",
                op.as_str()
            )))
        }
    }

    pub fn may_read(&self, page: &str, tier: &str) -> bool {
        self.capability
            .allows(Op::Read, &PageRef { id: page, tier })
    }
}
