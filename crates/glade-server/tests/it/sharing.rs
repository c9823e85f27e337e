//! Links with less rights, and the people who come through them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::arena::Stage;
use crate::client::{Client, OK};

async fn links(stage: &Stage, token: &str) -> Vec<Value> {
    let answer = stage.get(token, "/api/tokens").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.value.as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_listed_for_its_maker_and_revoked_by_its_id() {
    let stage = Stage::set().await;
    let ask = json!({ "label": "for Anna", "ops": ["read", "comment"], "tiers": ["internal"], "expiresIn": 3600,
        "tools": ["create"], "region": {"x": 0, "y": 10, "w": 100, "h": 200}, "project": ["read"], "paths": ["src"] });
    let made = stage
        .post(&stage.owner, "/api/tokens/attenuate", ask)
        .await
        .value;
    let (id, token) = (made["id"].clone(), made["token"].as_str().unwrap());

    let mut listed = links(&stage, &stage.owner).await;
    assert_eq!(listed.len(), 1);
    let created = listed[0]["createdAt"].take().as_i64().unwrap();
    let expires = listed[0]["expiresAt"].take().as_i64().unwrap();
    assert!((3_500_000..3_700_000).contains(&(expires - created)));
    let wanted = json!({
        "id": id, "label": "for Anna", "subject": made["subject"], "ops": ["read", "comment"],
        "project": ["read"], "pages": null, "tiers": ["internal"], "tools": ["create"],
        "region": {"x": 0, "y": 10, "w": 100, "h": 200}, "paths": ["src"], "expiresAt": null, "createdAt": null, "revoked": false,
    });
    assert_eq!(listed[0], wanted);
    assert!(!listed[0].to_string().contains(token), "no token in a list");

    assert_eq!(links(&stage, token).await, Vec::<Value>::new());
    let mut guest = Client::connect(stage.address, &stage.page, 5).await;
    guest.join(token).await.unwrap();

    // Nobody revokes what is not made of their own token, nor learns that it is there.
    let other = stage.token(json!({ "subject": "person:eve" })).await;
    let tried = stage
        .post(&other, "/api/tokens/revoke", json!({ "id": id }))
        .await;
    assert_eq!(tried.status, 404);
    let both = json!({ "id": id, "token": token });
    let tried = stage.post(&stage.owner, "/api/tokens/revoke", both).await;
    assert_eq!(tried.status, 400);

    let gone = stage
        .post(&stage.owner, "/api/tokens/revoke", json!({ "id": id }))
        .await;
    assert_eq!(gone.status, 204);
    assert_eq!(guest.hear_end().await, Some(4001));
    let refused = stage.get(token, "/api/session").await;
    assert_eq!(
        (refused.status, &refused.value["code"]),
        (401, &json!("revoked"))
    );
    let listed = links(&stage, &stage.owner).await;
    let revoked = |id: &Value| listed.iter().find(|l| l["id"] == *id).unwrap()["revoked"].clone();
    assert_eq!(revoked(&id), json!(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_made_from_a_link_shows_to_its_own_maker_and_goes_with_the_first() {
    let stage = Stage::set().await;
    let first = json!({ "label": "team", "ops": ["read", "edit"] });
    let first = stage
        .post(&stage.owner, "/api/tokens/attenuate", first)
        .await
        .value;
    let team = first["token"].as_str().unwrap();
    let second = json!({ "label": "visitor", "ops": ["read"] });
    let second = stage.post(team, "/api/tokens/attenuate", second).await;
    assert_eq!(second.status, 201, "{second:?}");
    let subject = second.value["subject"].as_str().unwrap();
    assert!(subject.starts_with(&format!("{}/guest_", first["subject"].as_str().unwrap())));

    let own: Vec<Value> = links(&stage, team).await;
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["label"], "visitor");
    let revoke = json!({ "id": first["id"] });
    stage.post(&stage.owner, "/api/tokens/revoke", revoke).await;
    let visitor = second.value["token"].as_str().unwrap();
    assert_eq!(stage.get(visitor, "/api/session").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_have_a_name_a_place_and_a_last_time_that_survive() {
    let stage = Stage::set().await;
    let token = stage.token(json!({ "subject": "person:anna" })).await;
    let name = json!({ "name": "Anna B." });
    let named = stage
        .call(&token, Method::PATCH, "/api/session", name)
        .await;
    assert_eq!(
        (named.status, &named.value["name"]),
        (200, &json!("Anna B."))
    );
    for bad in ["", "   ", "a\nb", &"x".repeat(81)] {
        let bad = json!({ "name": bad });
        let refused = stage.call(&token, Method::PATCH, "/api/session", bad).await;
        assert_eq!(refused.status, 400);
    }
    let borrowed = stage.token(json!({ "ops": ["read"] })).await;
    let name = json!({ "name": "Owned" });
    let refused = stage
        .call(&borrowed, Method::PATCH, "/api/session", name)
        .await;
    assert_eq!(refused.status, 403, "the owner's name is the owner's");

    let mut anna = Client::connect(stage.address, &stage.page, 5).await;
    anna.join(&token).await.unwrap();
    assert_eq!(anna.edit("box", 1).await, OK);
    let seen = person(&stage, "person:anna").await;
    let ops = json!(["read", "comment", "suggest", "edit", "command"]);
    assert_eq!(
        seen,
        json!({ "subject": "person:anna", "name": "Anna B.", "online": true, "page": stage.page, "ops": ops })
    );
    drop(anna);
    let mut seen = person(&stage, "person:anna").await;
    for _ in 0..100 {
        if seen["online"] == json!(false) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        seen = person(&stage, "person:anna").await;
    }
    assert!(seen["lastSeen"].as_i64().unwrap() > 1_700_000_000_000);
    assert_eq!(seen["page"], Value::Null);
}

async fn person(stage: &Stage, subject: &str) -> Value {
    let workspace = stage.get(&stage.owner, "/api/workspaces/main").await.value;
    let people = workspace["people"].as_array().unwrap();
    let found = people.iter().find(|person| person["subject"] == subject);
    found.unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_becomes_the_owner_or_is_taken_for_them_by_a_label_a_name_or_a_subject() {
    let stage = Stage::set().await;
    let make = async |wish: Value| {
        let made = stage.post(&stage.owner, "/api/tokens/attenuate", wish);
        made.await
    };
    for subject in ["person:owner", "person:Owner"] {
        let made = make(json!({ "subject": subject, "label": "Owner" })).await;
        assert_eq!(made.status, 400, "{made:?}");
    }
    let workspace = stage.get(&stage.owner, "/api/workspaces/main").await.value;
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap();
    let made = make(json!({ "subject": format!("fairy:{fairy}") })).await;
    assert_eq!(made.status, 400, "{made:?}");

    // A label is only what somebody is called, and told apart from everybody else.
    let mut called = Vec::new();
    for label in ["Owner", "OWNER", "Оwner", "Anna", "Anna"] {
        let made = make(json!({ "label": label })).await.value;
        assert!(
            made["subject"]
                .as_str()
                .unwrap()
                .starts_with("person:guest_")
        );
        let token = made["token"].as_str().unwrap().to_owned();
        let session = stage.get(&token, "/api/session").await.value;
        called.push(session["name"].as_str().unwrap().to_owned());
    }
    let wanted = ["Owner (2)", "OWNER (3)", "Оwner (4)", "Anna", "Anna (2)"];
    assert_eq!(called, wanted);
    let agent = make(json!({ "subject": "agent:owner" })).await.value;
    let agent = agent["token"].as_str().unwrap();
    let session = stage.get(agent, "/api/session").await.value;
    assert_eq!(session["name"], "Owner (5)");

    // Nor does anybody choose a name that is somebody else's.
    let ben = stage.token(json!({ "subject": "person:ben" })).await;
    let fairy = workspace["fairies"][0]["name"].as_str().unwrap();
    for name in [
        "owner",
        "Anna",
        "ANNA (2)",
        "Mr Owner",
        "Owner (you)",
        "Owneг",
        fairy,
    ] {
        let wish = json!({ "name": name });
        let refused = stage.call(&ben, Method::PATCH, "/api/session", wish).await;
        assert_eq!(refused.status, 409, "{refused:?}");
    }
    let wish = json!({ "name": "Ben" });
    let own = stage.call(&ben, Method::PATCH, "/api/session", wish).await;
    assert_eq!(own.status, 200);
}
