//! Teams whose models do what the test says: areas that hold, a person who moves them, failures.

use glade_agent::PartData;
use glade_agent::projects::{Budget, Rules};
use glade_canvas::Rect;
use glade_model::ModelError;
use glade_store::StoreError;

use super::stage::Stage;
use crate::fairies::{FairyChange, ProjectAsked};
use crate::workspace::{Task, TaskStatus, Teams};

/// A stage with three fairies, and the first one's project.
struct Team {
    stage: Stage,
    fairies: Vec<String>,
    project: String,
}

impl Team {
    async fn set() -> Self {
        Self::ruled(Teams::default()).await
    }

    async fn ruled(teams: Teams) -> Self {
        let stage = Stage::ruled(teams).await;
        let mut fairies = vec![stage.fairy.clone()];
        for _ in 0..2 {
            let change = FairyChange::default();
            let made = stage.host.create(stage.page.as_str(), &change).await;
            fairies.push(made.unwrap().id);
        }
        let asked = ProjectAsked {
            fairies: fairies.clone(),
            page: stage.page.to_string(),
            message: "two drawings".to_owned(),
            bounds: Some(Rect::new(0.0, 0.0, 1000.0, 1000.0)),
            budget: None,
            asker: None,
        };
        let begun = stage.host.start_project(asked, |_| Vec::new()).await;
        let project = begun.unwrap().id;
        Self {
            stage,
            fairies,
            project,
        }
    }

    /// The requests of a fairy for its project.
    fn requests(&self, fairy: &str) -> Vec<usize> {
        let its =
            |part: &PartData| matches!(part, PartData::CurrentProject(data) if data.you == fairy);
        let prompts = self.stage.model.prompts.lock().unwrap();
        let all = prompts.iter().enumerate();
        all.filter(|(_, prompt)| prompt.parts.iter().any(its))
            .map(|(at, _)| at)
            .collect()
    }

    /// A request of a fairy, once there are so many.
    async fn request(&self, fairy: &str, number: usize) -> usize {
        let what = format!("{fairy} asks for the {number}th time");
        self.stage
            .wait(&what, || self.requests(fairy).len() >= number)
            .await;
        self.requests(fairy)[number - 1]
    }

    async fn answer(&self, fairy: &str, number: usize, actions: &str) {
        let at = self.request(fairy, number).await;
        self.stage
            .model
            .answer_to(at, &format!(r#"{{"actions":[{actions}]}}"#));
    }

    /// The leader plans a task for each drone, side by side, and waits for both.
    async fn plan(&self) {
        let (one, two) = (&self.fairies[1], &self.fairies[2]);
        let task = |id: &str, owner: &str, x: u32| {
            format!(
                r#"{{"_type":"create-project-task","taskId":"{id}","title":"{id}","text":"draw {id}","assignedTo":"{owner}","x":{x},"y":0,"w":300,"h":300}}"#
            )
        };
        let direct = |id: &str, owner: &str| {
            format!(
                r#"{{"_type":"direct-to-start-project-task","otherFairyId":"{owner}","taskId":"{id}"}}"#
            )
        };
        let actions = [
            r#"{"_type":"start-project","projectName":"P","projectColor":"green","projectDescription":"","projectPlan":""}"#.to_owned(),
            task("a", one, 0),
            task("b", two, 400),
            direct("a", one),
            direct("b", two),
            r#"{"_type":"await-tasks-completion","taskIds":["a","b"]}"#.to_owned(),
        ];
        self.answer(&self.fairies[0], 1, &actions.join(",")).await;
    }

    fn task(&self, title: &str) -> Task {
        let tasks = self.stage.deps.workspace.snapshot().tasks;
        tasks.into_iter().find(|task| task.title == title).unwrap()
    }

    /// Where the live boxes on the page are, by their place.
    async fn boxes(&self) -> Vec<(f64, f64)> {
        let mut places: Vec<(f64, f64)> = self
            .stage
            .elements()
            .await
            .into_values()
            .filter(|props| props.get("isDeleted") != Some(&serde_json::json!(true)))
            .map(|props| (props["x"].as_f64().unwrap(), props["y"].as_f64().unwrap()))
            .collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        places
    }

    async fn until_over(&self) -> crate::workspace::ProjectShown {
        let project = || self.stage.deps.workspace.project(&self.project).unwrap();
        self.stage
            .wait("the project is over", || !project().project.is_active())
            .await;
        project().shown()
    }
}

/// A box at a place of the drone's own view, whose corner is its task's.
fn a_box(x: f64, y: f64) -> String {
    format!(
        r#"{{"_type":"create","intent":"","shape":{{"_type":"rectangle","shapeId":"box","x":{x},"y":{y},"w":100,"h":60,"color":"black","fill":"none"}}}}"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn two_drones_cannot_draw_over_each_other_even_when_their_models_try() {
    let team = Team::set().await;
    team.plan().await;
    let (one, two) = (team.fairies[1].clone(), team.fairies[2].clone());
    // Each reaches into the other's area first, and is told.
    team.answer(&one, 1, &a_box(450.0, 50.0)).await;
    team.answer(&two, 1, &a_box(-350.0, 50.0)).await;
    let again = team.request(&one, 2).await;
    let prompt = team.stage.model.prompts.lock().unwrap()[again].clone();
    let told = &prompt.messages.last().unwrap().content;
    assert!(told.contains("outside of the part of the page"), "{told}");
    team.request(&two, 2).await;
    assert_eq!(team.boxes().await, []);

    // A person moves the first task: its fairy may draw there from now on, and no longer here.
    let task = team.task("a");
    let mut moved = task.bounds.unwrap();
    moved.y += 1000.0;
    team.stage
        .deps
        .workspace
        .change_task(&task.id, |task| {
            task.bounds = Some(moved);
            Ok::<_, StoreError>(Vec::new())
        })
        .await
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    team.answer(&one, 2, &a_box(50.0, 50.0)).await;
    let done = r#"{"_type":"mark-my-task-done"}"#;
    team.answer(&one, 3, &format!("{},{done}", a_box(50.0, 1050.0)))
        .await;
    team.answer(&two, 2, &format!("{},{done}", a_box(50.0, 50.0)))
        .await;
    team.stage
        .wait("both are done", || {
            team.task("a").status == TaskStatus::Done && team.task("b").status == TaskStatus::Done
        })
        .await;
    let (a, b) = (moved, team.task("b").bounds.unwrap());
    let mut expected = vec![(a.x + 50.0, a.y + 50.0), (b.x + 50.0, b.y + 50.0)];
    expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(team.boxes().await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_whose_leader_fails_says_what_was_done_and_what_was_not() {
    let team = Team::set().await;
    team.plan().await;
    let one = team.fairies[1].clone();
    team.answer(&one, 1, r#"{"_type":"mark-my-task-done"}"#)
        .await;
    // From here on no model answers: it is woken, and waits on for the other; that one gives its task
    // back; it is woken again.
    let error = || ModelError::Auth {
        model: "sketch".to_owned(),
        detail: "no such key".to_owned(),
    };
    let (leader, two) = (&team.fairies[0], &team.fairies[2]);
    let woken = team.request(leader, 2).await;
    team.stage.model.tell_to(woken, Err(error()));
    team.stage
        .wait("it waits on", || {
            let fairy = team.stage.deps.workspace.fairy(leader);
            fairy.is_some_and(|fairy| fairy.mode == "orchestrating-waiting")
        })
        .await;
    let working = team.request(two, 1).await;
    team.stage.model.tell_to(working, Err(error()));
    let woken = team.request(leader, 3).await;
    team.stage.model.tell_to(woken, Err(error()));
    let over = team.until_over().await;
    assert_eq!(over.status, "failed");
    let summary = over.summary.unwrap();
    assert!(summary.ends_with("Done: a. Not done: b."), "{summary}");
    team.stage
        .wait("everyone is idle", || {
            let fairies = team.stage.deps.workspace.snapshot().fairies;
            fairies.iter().all(|fairy| fairy.mode == "idling")
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_goes_on_after_a_crash_where_it_was() {
    let team = Team::set().await;
    team.plan().await;
    let (one, two) = (team.fairies[1].clone(), team.fairies[2].clone());
    let done = r#"{"_type":"mark-my-task-done"}"#;
    team.answer(&one, 1, done).await;
    team.request(&team.fairies[0], 2).await;
    team.request(&two, 1).await;
    let stage = team.stage.crash().await;
    let after = Team {
        stage,
        fairies: team.fairies.clone(),
        project: team.project.clone(),
    };
    let held = after.stage.deps.workspace.project(&team.project).unwrap();
    assert!(held.project.is_active());
    assert_eq!(held.waits.len(), 1, "{:?}", held.waits);
    assert_eq!(after.task("a").status, TaskStatus::Done);
    assert_eq!(after.task("b").status, TaskStatus::InProgress);
    // The drone that was at work is asked again; the leader, which was thinking, too; nobody else.
    after.answer(&two, 1, done).await;
    after
        .answer(
            &team.fairies[0],
            1,
            r#"{"_type":"message","text":"one more"}"#,
        )
        .await;
    let mut number = 1;
    let held = || after.stage.deps.workspace.project(&team.project).unwrap();
    while held().project.is_active() {
        if let Some(at) = after.requests(&team.fairies[0]).get(number) {
            let end = r#"{"actions":[{"_type":"end-project"}]}"#;
            after.stage.model.answer_to(*at, end);
            number += 1;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let over = after.until_over().await;
    assert_eq!(over.status, "done");
    assert_eq!(
        after.requests(&one),
        Vec::<usize>::new(),
        "what was done is not done again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_that_waited_long_enough_is_woken_with_that_news() {
    let rules = Rules {
        wait_ms: 300,
        ..Rules::default()
    };
    let team = Team::ruled(Teams {
        rules,
        ..Teams::default()
    })
    .await;
    team.plan().await;
    // Both drones are silent: nothing else will ever happen here.
    let woken = team.request(&team.fairies[0], 2).await;
    let prompt = team.stage.model.prompts.lock().unwrap()[woken].clone();
    let told = &prompt.messages.last().unwrap().content;
    let name = |fairy: &str| team.stage.deps.workspace.fairy(fairy).unwrap().name;
    for (task, fairy) in [("a", &team.fairies[1]), ("b", &team.fairies[2])] {
        let late = format!(
            "The task \"{task}\" ({task}) is not done in time; {} still works on it.",
            name(fairy)
        );
        assert!(told.contains(&late), "{told}");
    }
    // It waits for an event now, which a drone's words bring at once, before any time is over.
    team.answer(
        &team.fairies[0],
        2,
        r#"{"_type":"await-event","eventName":"ready"}"#,
    )
    .await;
    team.answer(
        &team.fairies[1],
        1,
        r#"{"_type":"raise-event","eventName":"ready"},{"_type":"mark-my-task-done"}"#,
    )
    .await;
    let woken = team.request(&team.fairies[0], 3).await;
    let prompt = team.stage.model.prompts.lock().unwrap()[woken].clone();
    let told = &prompt.messages.last().unwrap().content;
    assert!(
        told.contains("What you waited for has come: ready."),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_margin_and_the_budget_are_those_of_the_settings() {
    let teams = Teams {
        rules: Rules {
            margin: 200.0,
            ..Rules::default()
        },
        budget: Budget {
            steps: 3,
            ..Budget::default()
        },
    };
    let team = Team::ruled(teams).await;
    team.plan().await;
    let one = team.fairies[1].clone();
    // Areas 100 apart overlap when each is 200 wider: the second was not begun, and the leader hears why.
    team.answer(
        &one,
        1,
        &format!(
            "{},{}",
            a_box(-150.0, 0.0),
            r#"{"_type":"mark-my-task-done"}"#
        ),
    )
    .await;
    let leader = team.fairies[0].clone();
    let mut number = 2;
    while team.stage.deps.workspace.project_of(&leader).is_some() {
        if team.requests(&leader).len() >= number {
            team.answer(&leader, number, r#"{"_type":"message","text":"hm"}"#)
                .await;
            number += 1;
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let over = team.until_over().await;
    assert_eq!(over.status, "failed");
    let summary = over.summary.unwrap();
    assert!(
        summary.starts_with("The project has made 3 requests, as many as it may."),
        "{summary}"
    );
    let area = team.task("a").bounds.unwrap();
    assert_eq!(team.boxes().await, [(area.x - 150.0, area.y)]);
}
