//! The chat with a fairy on the AI SDK's wire: a message in, the run's stream out.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use glade_access::Op;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::code;
use super::fairies::{Question, check, may};
use super::guard::Caller;
use super::kept_message::{Takes, kept};
use crate::app::App;
use crate::edge::extract::{ApiJson, LONG};
use crate::edge::problem::Problem;
use glade_host::code::CodeHost;
use glade_host::fairies::{Asked, RunStream, text_of};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Send {
    /// The chat's id, which is the fairy's.
    id: String,
    /// The conversation; its last message is the question.
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Value>,
    /// What the AI SDK was asked for: `submit-message` or `regenerate-message`.
    #[serde(default)]
    trigger: Option<String>,
    /// The message that this one replaces.
    #[serde(default)]
    message_id: Option<String>,
    #[serde(flatten)]
    question: Question,
}

#[derive(Serialize, ToSchema)]
pub struct History {
    id: String,
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Value>,
}

/// Asks the fairy; answers with the run's UI message stream.
#[utoipa::path(post, path = "/api/ai/chat", request_body = Send,
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 404, body = Problem)))]
pub async fn send(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(send): ApiJson<Send, LONG>,
) -> Result<Response, Problem> {
    if code::is_chat(&send.id) {
        return send_code(&app, &caller, send).await;
    }
    let fairy = may(&app, &caller, &send.id, Op::Command)?;
    let last = send
        .messages
        .last()
        .filter(|message| message["role"] == "user")
        .ok_or_else(|| Problem::bad_request("The last message must be the user's."))?;
    let mut question = send.question;
    question.message = text_of(last);
    check(&question.message)?;
    let message = kept(last, Takes::Words)?;
    let page = question.page.clone().unwrap_or(fairy.page);
    caller.on_page(&app, &page, Op::Command)?;
    let asked = Asked {
        input: question.into_input(),
        message: Some(message),
        asker: Some(caller.capability.clone()),
    };
    let started = app.host.prompt(&send.id, asked).await?;
    Ok(ui_stream(&app, &caller, &started.stream))
}

/// A message to a chat about code. The chat's own history counts, not the one that comes along: two
/// tabs never mix. `regenerate-message` asks the last question again.
async fn send_code(app: &App, caller: &Caller, send: Send) -> Result<Response, Problem> {
    let host = code::chat(app, caller, &send.id, Op::Command)?;
    let again = send.trigger.as_deref() == Some("regenerate-message");
    let known = if again {
        host.read_messages(&send.id).await?
    } else {
        send.messages
    };
    let last = known.iter().rev().find(|message| message["role"] == "user");
    let last = last.filter(|_| again || known.last().is_some_and(|it| it["role"] == "user"));
    let last = last.ok_or_else(|| Problem::bad_request("The last message must be the user's."))?;
    let message = kept(last, Takes::WordsAndFiles)?;
    let question = glade_host::code::Question {
        message,
        instead_of: send.message_id.filter(|_| !again),
        model: send.question.model,
        asker: caller.capability.clone(),
    };
    let stream = host.ask(&send.id, question).await?;
    tokio::spawn(end_with_token(
        Arc::clone(host),
        send.id,
        Arc::clone(&stream),
        app.access.until_over(caller.capability.clone()),
    ));
    Ok(ui_stream(app, caller, &stream))
}

/// A run does what its asker may, for as long as the asker may do it.
async fn end_with_token(
    code: Arc<CodeHost>,
    chat: String,
    run: Arc<RunStream>,
    over: impl Future<Output = ()>,
) {
    tokio::select! {
        () = run.over() => return,
        () = over => {}
    }
    let current = code.stream(&chat).ok().flatten();
    if current.is_some_and(|current| Arc::ptr_eq(&current, &run))
        && let Err(error) = code.abort(&chat).await
    {
        tracing::error!(chat, %error, "a run whose asker lost the right could not be stopped");
    }
}

/// The stream of the run under way from its start; 204 when the fairy is idle.
#[utoipa::path(get, path = "/api/ai/chat/{id}/stream", params(("id" = String, Path,)),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 204)))]
pub async fn resume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    if code::is_chat(&id) {
        let stream = code::chat(&app, &caller, &id, Op::Read)?.stream(&id)?;
        return Ok(match stream {
            Some(stream) => ui_stream(&app, &caller, &stream),
            None => StatusCode::NO_CONTENT.into_response(),
        });
    }
    may(&app, &caller, &id, Op::Read)?;
    let newest = app
        .workspace
        .fairy(&id)
        .and_then(|it| it.runs.last().cloned());
    let visible = newest.is_none_or(|run| app.runs.may_see_id(&caller.capability, &run));
    Ok(match app.host.current_stream(&id)?.filter(|_| visible) {
        Some(stream) => ui_stream(&app, &caller, &stream),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// What was said before. The run under way is not in it: resume its stream.
#[utoipa::path(get, path = "/api/ai/chat/{id}", params(("id" = String, Path,)),
    responses((status = 200, body = History), (status = 404, body = Problem)))]
pub async fn history(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<History>, Problem> {
    if code::is_chat(&id) {
        let code = code::chat(&app, &caller, &id, Op::Read)?;
        let _turn = app.work.turn(&caller.capability.subject).await?;
        let messages = code.read_messages(&id).await?;
        return Ok(Json(History { id, messages }));
    }
    may(&app, &caller, &id, Op::Read)?;
    let turn = app.work.turn(&caller.capability.subject).await?;
    let reading = turn.run(move || {
        let messages = app.runs.chat(&caller.capability, &id)?;
        Ok::<_, Problem>(History { id, messages })
    });
    Ok(Json(reading.await??))
}

fn ui_stream(app: &App, caller: &Caller, stream: &Arc<RunStream>) -> Response {
    let gone = app.access.until_over(caller.capability.clone());
    let (workspace, who) = (Arc::clone(&app.workspace), caller.capability.clone());
    let sees = move |page: &str| who.sees_all() || workspace.may(&who, page, Op::Read);
    let told = stream.read(sees).take_until(gone);
    let body = Body::from_stream(told.map(Ok::<_, Infallible>));
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (
            HeaderName::from_static("x-vercel-ai-ui-message-stream"),
            HeaderValue::from_static("v1"),
        ),
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    (headers, body).into_response()
}
