//! Every door, and what it needs of a token: written from the rights.

use super::kinds::Rights;
use super::world::About;

/// What is made for one call alone, because the door uses it up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fresh {
    None,
    Page,
    Trashed,
    Fairy,
    Task,
    Chat,
}

pub struct Door {
    pub method: &'static str,
    pub route: &'static str,
    pub query: &'static str,
    /// Such that who is let in changes little.
    pub body: &'static str,
    pub fresh: Fresh,
    /// Paths in the project.
    pub within: &'static str,
    pub beyond: &'static str,
    /// It asks for no token.
    pub is_open: bool,
    /// What it answers to everybody.
    pub always: Option<u16>,
    pub allows: fn(&Rights, About) -> bool,
}

const fn door(
    method: &'static str,
    route: &'static str,
    body: &'static str,
    allows: fn(&Rights, About) -> bool,
) -> Door {
    Door {
        method,
        route,
        query: "",
        body,
        fresh: Fresh::None,
        within: "",
        beyond: "",
        is_open: false,
        always: None,
        allows,
    }
}

impl Door {
    const fn with(self, query: &'static str) -> Door {
        Door { query, ..self }
    }

    const fn on(self, fresh: Fresh) -> Door {
        Door { fresh, ..self }
    }

    const fn at(self, within: &'static str, beyond: &'static str) -> Door {
        Door {
            query: "?path={path}",
            within,
            beyond,
            ..self
        }
    }

    const fn says(self, status: u16) -> Door {
        Door {
            always: Some(status),
            ..self
        }
    }

    const fn open(self) -> Door {
        Door {
            is_open: true,
            ..self
        }
    }
}

/// Whether a token reaches the page, or all the pages, that a door is about.
fn reaches(rights: &Rights, about: About) -> bool {
    match about {
        About::Open => rights.may("read"),
        About::Hidden | About::Both => rights.sees_all_pages(),
        About::Within | About::Beyond => false,
    }
}

/// Whether it reaches the part of the project that a door is about.
fn reaches_files(rights: &Rights, about: About) -> bool {
    about == About::Within || (about == About::Beyond && !rights.paths)
}

fn anyone(_: &Rights, _: About) -> bool {
    true
}

fn no_one(_: &Rights, _: About) -> bool {
    false
}

fn owner(rights: &Rights, _: About) -> bool {
    rights.owner
}

fn read(rights: &Rights, about: About) -> bool {
    reaches(rights, about)
}

fn edit(rights: &Rights, about: About) -> bool {
    reaches(rights, about) && rights.may("edit")
}

fn command(rights: &Rights, about: About) -> bool {
    reaches(rights, about) && rights.may("command")
}

/// What is about the whole page, or makes one, no region reaches.
fn edit_whole(rights: &Rights, about: About) -> bool {
    edit(rights, about) && !rights.region
}

/// A page that was not there is in no list of pages.
fn edit_any(rights: &Rights, about: About) -> bool {
    edit_whole(rights, about) && !rights.pages
}

/// Who a fairy is and what it may do: everything that it could, everywhere.
fn tend(rights: &Rights, about: About) -> bool {
    let all = ["comment", "edit", "command"]
        .iter()
        .all(|op| rights.may(op));
    reaches(rights, about) && all && !rights.limited()
}

/// A project that the owner started works with the owner's rights on pages.
fn speak_for_owner(rights: &Rights, about: About) -> bool {
    let all = ["comment", "edit", "command"]
        .iter()
        .all(|op| rights.may(op));
    let limited = rights.pages || rights.tiers || rights.region || rights.tools;
    reaches(rights, about) && all && !limited
}

/// A fairy remembers what it did on every page, and for everybody.
fn memory(rights: &Rights, about: About) -> bool {
    command(rights, about) && !rights.limited()
}

fn pictures(rights: &Rights, _: About) -> bool {
    rights.may("edit") || rights.may("suggest")
}

fn counts(rights: &Rights, _: About) -> bool {
    rights.sees_all_pages()
}

fn project_read(rights: &Rights, about: About) -> bool {
    rights.in_project("read") && (about == About::Open || reaches_files(rights, about))
}

fn project_ask(rights: &Rights, about: About) -> bool {
    project_read(rights, about) && rights.in_project("command")
}

fn project_write(rights: &Rights, about: About) -> bool {
    project_read(rights, about) && rights.in_project("edit")
}

/// Programs and fairies settle nothing.
fn project_settle(rights: &Rights, about: About) -> bool {
    project_write(rights, about) && rights.person
}

/// Of a page's run, or of one of code.
fn run_read(rights: &Rights, about: About) -> bool {
    match about {
        About::Within | About::Beyond => project_read(rights, about),
        _ => reaches(rights, about),
    }
}

fn run_settle(rights: &Rights, about: About) -> bool {
    match about {
        About::Within | About::Beyond => project_settle(rights, about),
        // The runs here lie outside of the region.
        _ => edit_whole(rights, about) && rights.may("command") && rights.person,
    }
}

/// A page of this tier that is in nobody's list.
fn make_page(rights: &Rights, _: About) -> bool {
    rights.may("edit") && !rights.pages && !rights.region
}

fn chat_read(rights: &Rights, about: About) -> bool {
    run_read(rights, about)
}

const NEW_TASK: &str = r#"{"title": "x", "page": "{page}"}"#;
const NEW_TEAM: &str = r#"{"fairies": [], "page": "{page}", "message": "x"}"#;
const ANSWER: &str = r#"{"approvalId": "x", "allow": true, "reach": {"scope": "chat"}}"#;

pub const DOORS: &[Door] = &[
    door("GET", "/healthz", "", anyone).open(),
    door("GET", "/readyz", "", anyone).open(),
    door("GET", "/metrics", "", counts),
    // The key is in the body, and this is none.
    door("POST", "/api/session", r#"{"key": "x"}"#, no_one).says(401),
    door("GET", "/api/session", "", anyone),
    door("PATCH", "/api/session", r#"{"name": ""}"#, anyone),
    door("DELETE", "/api/session", "{}", anyone),
    door("GET", "/api/sessions", "", anyone),
    door("DELETE", "/api/sessions", "{}", anyone),
    door("DELETE", "/api/sessions/{id}", "{}", no_one),
    door("GET", "/api/workspaces/{ws}", "", anyone),
    door("GET", "/api/workspaces/{ws}/events", "", anyone),
    door(
        "POST",
        "/api/workspaces/{ws}/pages",
        r#"{"name": "x", "kind": "canvas"}"#,
        make_page,
    ),
    door("PATCH", "/api/pages/{page}", "{}", edit_whole),
    door("DELETE", "/api/pages/{page}", "{}", edit_any).on(Fresh::Page),
    door("POST", "/api/pages/{page}/restore", "{}", edit_any).on(Fresh::Trashed),
    door("POST", "/api/pages/{page}/duplicate", "{}", edit_any),
    door("GET", "/api/pages/{page}/export", "", read).with("?format=json"),
    door("POST", "/api/pages/{page}/import", "{}", edit).with("?mode=no"),
    door("POST", "/api/pages/{page}/read", "{}", edit),
    door("POST", "/api/pages/{page}/tidy", r#"{"elements":[]}"#, edit),
    door("GET", "/api/pages/{page}/why", "", read).with("?element=x"),
    door("GET", "/api/workspaces/{ws}/search", "", anyone).with("?q=kilimanjaro"),
    door("GET", "/api/workspaces/{ws}/plugins", "", anyone),
    door("PATCH", "/api/workspaces/{ws}/plugins", "{}", owner),
    door("GET", "/api/workspaces/{ws}/fairies", "", anyone),
    door(
        "POST",
        "/api/workspaces/{ws}/fairies",
        r#"{"page": "{page}"}"#,
        tend,
    ),
    door("GET", "/api/fairies/{id}", "", read),
    door(
        "PATCH",
        "/api/fairies/{id}",
        r#"{"keepAtOnce": true}"#,
        tend,
    )
    .on(Fresh::Fairy),
    door("DELETE", "/api/fairies/{id}", "{}", tend).on(Fresh::Fairy),
    door("POST", "/api/fairies/{id}/sleep", "{}", command).on(Fresh::Fairy),
    door("POST", "/api/fairies/{id}/wake", "{}", command),
    door(
        "POST",
        "/api/fairies/{id}/summon",
        r#"{"page": "{page}"}"#,
        command,
    )
    .on(Fresh::Fairy),
    door("GET", "/api/fairies/{id}/prompt", "", memory),
    door("GET", "/api/fairies/{id}/debug", "", memory),
    door("POST", "/api/fairies/{id}/interrupt", "{}", command),
    door(
        "POST",
        "/api/fairies/{id}/schedule",
        r#"{"message": ""}"#,
        command,
    ),
    door("POST", "/api/fairies/{id}/stop", "{}", command),
    door("POST", "/api/fairies/{id}/reset", "{}", tend).on(Fresh::Fairy),
    door("GET", "/api/runs/{run}", "", run_read),
    door("GET", "/api/runs/{run}/changes", "", run_read),
    door(
        "POST",
        "/api/runs/{run}/keep",
        r#"{"action": 9}"#,
        run_settle,
    ),
    door(
        "POST",
        "/api/runs/{run}/undo",
        r#"{"action": 9}"#,
        run_settle,
    ),
    door("POST", "/api/runs/{run}/reopen", "{}", run_settle),
    door("GET", "/api/workspaces/{ws}/tasks", "", anyone),
    door("POST", "/api/workspaces/{ws}/tasks", NEW_TASK, edit_whole),
    door("PATCH", "/api/tasks/{id}", "{}", edit_whole),
    door("DELETE", "/api/tasks/{id}", "{}", edit_whole).on(Fresh::Task),
    door("POST", "/api/tasks/{id}/start", "{}", command),
    door("GET", "/api/workspaces/{ws}/projects", "", anyone),
    door("POST", "/api/workspaces/{ws}/projects", NEW_TEAM, command),
    door("GET", "/api/projects/{id}/runs", "", read),
    door("POST", "/api/projects/{id}/disband", "{}", command),
    door(
        "POST",
        "/api/projects/{id}/messages",
        r#"{"message": ""}"#,
        speak_for_owner,
    ),
    door(
        "POST",
        "/api/projects/{id}/events",
        r#"{"name": ""}"#,
        speak_for_owner,
    ),
    door("GET", "/api/tokens", "", anyone),
    door("POST", "/api/tokens/attenuate", "{}", anyone),
    door("POST", "/api/tokens/revoke", "{}", anyone),
    door("GET", "/api/models", "", anyone),
    door("PUT", "/api/models", "{}", owner),
    door("POST", "/api/blobs", "{}", pictures),
    door("GET", "/api/blobs/{id}", "", read),
    door("GET", "/api/code", "", project_read),
    door("GET", "/api/code/files", "", project_read).at("src", "docs"),
    door("GET", "/api/code/file", "", project_read).at("src/a.rs", "docs/lusaka.md"),
    door("GET", "/api/code/runs/{run}/changes", "", project_read),
    door("POST", "/api/code/chats", "{}", project_ask),
    door(
        "PATCH",
        "/api/code/chats/{chat}",
        r#"{"title": "x"}"#,
        project_ask,
    )
    .on(Fresh::Chat),
    door("DELETE", "/api/code/chats/{chat}", "{}", project_write).on(Fresh::Chat),
    door("POST", "/api/code/chats/{chat}/abort", "{}", project_ask),
    door(
        "POST",
        "/api/code/chats/{chat}/approve",
        ANSWER,
        project_settle,
    ),
    door(
        "POST",
        "/api/code/chats/{chat}/take-back",
        r#"{"scope": "chat"}"#,
        project_write,
    ),
    door(
        "POST",
        "/api/code/chats/{chat}/undo",
        r#"{"message": "x"}"#,
        project_settle,
    ),
    // Which chat is meant stands in the body; other tests ask.
    door(
        "POST",
        "/api/ai/chat",
        r#"{"id": "nobody", "messages": []}"#,
        no_one,
    ),
    door("GET", "/api/ai/chat/{id}", "", chat_read),
    door("GET", "/api/ai/chat/{id}/stream", "", chat_read),
];
