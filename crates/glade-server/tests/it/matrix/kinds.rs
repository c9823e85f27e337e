//! The kinds of tokens, and what each is good for.

use std::time::Duration;

use serde_json::{Value, json};

use super::world::{OF_PROJECT, OTHER_FILES, SECRET_PAGE, World};

#[derive(Clone, Debug)]
pub struct Rights {
    pub ops: Vec<&'static str>,
    /// Limited to the open page by its id.
    pub pages: bool,
    /// Limited to the open page by its tier.
    pub tiers: bool,
    pub region: bool,
    /// Limited to one tool of fairies.
    pub tools: bool,
    /// Limited to `src`.
    pub paths: bool,
    pub project: Vec<&'static str>,
    pub owner: bool,
    pub person: bool,
}

impl Rights {
    pub fn all() -> Self {
        Self {
            ops: vec!["read", "comment", "suggest", "edit", "command"],
            pages: false,
            tiers: false,
            region: false,
            tools: false,
            paths: false,
            project: vec!["read", "edit", "command"],
            owner: false,
            person: true,
        }
    }

    pub fn may(&self, op: &str) -> bool {
        self.ops.contains(&op)
    }

    pub fn in_project(&self, op: &str) -> bool {
        self.project.contains(&"read") && self.project.contains(&op)
    }

    pub fn limited(&self) -> bool {
        self.pages || self.tiers || self.region || self.tools || self.paths
    }

    pub fn sees_all_pages(&self) -> bool {
        self.may("read") && !self.pages && !self.tiers
    }
}

pub struct Kind {
    pub name: String,
    pub token: Option<String>,
    /// None: it is good for nothing.
    pub rights: Option<Rights>,
    /// What no answer may tell it.
    pub hidden_words: Vec<String>,
}

impl Kind {
    fn new(world: &World, name: &str, token: Option<String>, rights: Option<Rights>) -> Self {
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        let (beyond, within) = world.of_project();
        let mut hidden_words = Vec::new();
        if !rights.as_ref().is_some_and(Rights::sees_all_pages) {
            hidden_words.extend(words(&SECRET_PAGE));
            hidden_words.extend(world.of_hidden());
        }
        let reads = rights.as_ref().is_some_and(|it| it.in_project("read"));
        if !reads {
            hidden_words.extend(words(&OF_PROJECT));
            hidden_words.extend(within);
        }
        if !reads || rights.as_ref().is_some_and(|it| it.paths) {
            hidden_words.extend(words(&OTHER_FILES));
            hidden_words.extend(beyond);
        }
        Self {
            name: name.to_owned(),
            token,
            rights,
            hidden_words,
        }
    }
}

/// One of each.
pub async fn kinds(world: &World) -> Vec<Kind> {
    let mut kinds = vec![Kind::new(world, "nobody", None, None)];
    kinds.push(Kind::new(
        world,
        "a stranger",
        Some("EqcBCjwK".to_owned()),
        None,
    ));
    let owner = Rights {
        owner: true,
        ..Rights::all()
    };
    kinds.push(Kind::new(
        world,
        "the owner",
        Some(world.stage.owner.clone()),
        Some(owner),
    ));
    let no_project = || Rights {
        project: Vec::new(),
        ..Rights::all()
    };
    for (name, ops) in [
        ("read", vec!["read"]),
        ("comment", vec!["read", "comment"]),
        ("suggest", vec!["read", "comment", "suggest"]),
        ("edit", vec!["read", "comment", "suggest", "edit"]),
        (
            "command",
            vec!["read", "comment", "suggest", "edit", "command"],
        ),
        ("read and command", vec!["read", "command"]),
        ("command alone", vec!["command"]),
    ] {
        let limits = json!({"ops": ops});
        let rights = Rights {
            ops,
            ..no_project()
        };
        kinds.push(link(world, name, limits, rights).await);
    }
    let page = json!({"pages": [world.page]});
    let rights = Rights {
        pages: true,
        ..no_project()
    };
    kinds.push(link(world, "one page", page, rights).await);
    let rights = Rights {
        tiers: true,
        ..no_project()
    };
    kinds.push(link(world, "one tier", json!({"tiers": ["internal"]}), rights).await);
    let region = json!({"region": {"x": 90_000, "y": 90_000, "w": 500, "h": 500}});
    let rights = Rights {
        region: true,
        ..no_project()
    };
    kinds.push(link(world, "a region", region, rights).await);
    let rights = Rights {
        tools: true,
        ..no_project()
    };
    kinds.push(link(world, "one tool", json!({"tools": ["create"]}), rights).await);
    for (name, project) in [
        ("project: read", vec!["read"]),
        ("project: ask", vec!["read", "command"]),
        ("project: all", vec!["read", "edit", "command"]),
        ("project: command alone", vec!["command"]),
    ] {
        let limits = json!({"project": project});
        let rights = Rights {
            project,
            ..Rights::all()
        };
        kinds.push(link(world, name, limits, rights).await);
    }
    let paths = json!({"paths": ["src"], "project": true});
    let rights = Rights {
        paths: true,
        ..Rights::all()
    };
    kinds.push(link(world, "paths", paths, rights).await);
    let rights = Rights {
        paths: true,
        ..no_project()
    };
    kinds.push(
        link(
            world,
            "paths without project",
            json!({"paths": ["src"]}),
            rights,
        )
        .await,
    );
    let reader = json!({"ops": ["read"], "project": true, "pages": [world.page]});
    let rights = Rights {
        ops: vec!["read"],
        pages: true,
        project: vec!["read"],
        ..Rights::all()
    };
    kinds.push(link(world, "reads a page and the project", reader, rights).await);
    let agent = json!({"subject": "agent:robot", "project": true});
    let rights = Rights {
        person: false,
        ..Rights::all()
    };
    kinds.push(link(world, "a program", agent, rights).await);

    let expired = token(world, json!({"expiresIn": 1, "subject": "person:late"})).await;
    let revoked = token(world, json!({"subject": "person:gone"})).await;
    let body = json!({"token": revoked});
    let answer = world
        .stage
        .post(&world.stage.owner, "/api/tokens/revoke", body)
        .await;
    assert_eq!(answer.status(), 204);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    kinds.push(Kind::new(world, "expired", Some(expired), None));
    kinds.push(Kind::new(world, "revoked", Some(revoked), None));
    kinds
}

async fn link(world: &World, name: &str, mut limits: Value, rights: Rights) -> Kind {
    if limits["subject"].is_null() {
        let words: Vec<&str> = name.split([' ', ':']).filter(|it| !it.is_empty()).collect();
        limits["subject"] = json!(format!("person:{}", words.join("-")));
    }
    let token = token(world, limits).await;
    Kind::new(world, name, Some(token), Some(rights))
}

async fn token(world: &World, limits: Value) -> String {
    world.stage.attenuate(&world.stage.owner, limits).await
}
