//! The board of a project: what members may do, what they are told when they may not, what follows.

use glade_agent::projects::{
    Board, Budget, Leaving, Member, News, Order, Progress, Project, ProjectCommand, ProjectStatus,
    Raised, Role, Spending,
};
use glade_agent::waits::{Wait, WaitOn};
use glade_agent::{Mode, Status};
use glade_canvas::Rect;
use serde_json::json;

fn board(count: usize) -> Board {
    let lead = if count == 2 {
        Role::DuoOrchestrator
    } else {
        Role::Orchestrator
    };
    let members = (0..count).map(|at| Member {
        fairy: format!("fy_{at}"),
        role: if at == 0 { lead } else { Role::Drone },
    });
    let mut board = Board {
        project: Project {
            id: "pj_1".to_owned(),
            page: "pg_1".to_owned(),
            members: members.collect(),
            progress: Progress {
                led: true,
                ..Progress::default()
            },
            ..Project::default()
        },
        ..Board::default()
    };
    for (at, name) in ["Pip", "Fern", "Moth"].iter().enumerate().take(count) {
        let mode = if at == 0 {
            lead.active()
        } else {
            Mode::StandingBy
        };
        board.meet(&format!("fy_{at}"), name, mode);
    }
    board
}

fn start() -> ProjectCommand {
    ProjectCommand::StartProject {
        name: "Board".to_owned(),
        description: String::new(),
        color: "green".to_owned(),
        plan: "draw".to_owned(),
    }
}

fn create(handle: &str, owner: &str, x: f64) -> ProjectCommand {
    ProjectCommand::CreateTask {
        id: format!("tk_{handle}"),
        handle: handle.to_owned(),
        title: format!("Title {handle}"),
        text: format!("Do {handle}"),
        bounds: Rect::new(x, 0.0, 300.0, 300.0),
        assigned_to: Some(owner.to_owned()),
    }
}

fn direct(fairy: &str, task: &str) -> ProjectCommand {
    ProjectCommand::Direct {
        fairy: fairy.to_owned(),
        task: task.to_owned(),
    }
}

fn wait(tasks: &[&str]) -> ProjectCommand {
    ProjectCommand::Await {
        tasks: tasks.iter().map(|task| (*task).to_owned()).collect(),
    }
}

/// Three fairies, two tasks under way, the leader waiting for both.
pub fn under_way() -> Board {
    let mut board = board(3);
    for deed in [
        start(),
        create("a", "fy_1", 0.0),
        create("b", "Moth", 400.0),
        direct("fy_1", "a"),
        direct("moth", "b"),
        wait(&["a", "b", "a"]),
    ] {
        board.act("fy_0", &deed).unwrap();
    }
    for drone in ["fy_1", "fy_2"] {
        let (fairy, mode) = (drone.to_owned(), Mode::WorkingDrone);
        board.happened(News::Mode {
            fairy,
            mode,
            why: None,
        });
    }
    board
}

fn wakes(orders: &[Order]) -> Vec<(&str, &str)> {
    let wakes = orders.iter().filter_map(|order| match order {
        Order::Wake { fairy, message, .. } => Some((fairy.as_str(), message.as_str())),
        _ => None,
    });
    wakes.collect()
}

#[test]
fn a_finished_task_wakes_its_waiter_once_with_its_words_and_bounds() {
    let mut board = under_way();
    assert_eq!(board.waits.len(), 2, "waiting twice is waiting once");
    let orders = board.act("fy_1", &ProjectCommand::MarkDone).unwrap();
    assert_eq!(
        orders,
        [Order::Wake {
            fairy: "fy_0".to_owned(),
            mode: Mode::OrchestratingActive,
            message: "The task \"a\" (Title a) is done, by Fern. It was: Do a".to_owned(),
            bounds: Some(Rect::new(0.0, 0.0, 300.0, 300.0)),
        }]
    );
    let twice = board.act("fy_1", &ProjectCommand::MarkDone).unwrap_err();
    assert_eq!(twice.0, "you are not working on a task");
    assert_eq!(board.waits.len(), 1);
}

#[test]
fn mistakes_are_told_in_words_that_help() {
    let mut board = under_way();
    board.act("fy_0", &create("c", "fy_1", 800.0)).unwrap();
    let mut told = |by: &str, deed: ProjectCommand| board.act(by, &deed).unwrap_err().0;
    assert_eq!(
        told("fy_0", start()),
        "the project \"Board\" is started already: create its tasks and direct fairies to them"
    );
    assert_eq!(
        told("fy_0", direct("fy_0", "c")),
        "you cannot direct yourself to do a task: direct another fairy"
    );
    assert_eq!(
        told("fy_0", direct("fy_1", "c")),
        "Fern is busy with the task \"a\": await its completion, or direct another fairy"
    );
    assert_eq!(
        told("fy_0", direct("fy_2", "a")),
        "Fern works on the task \"a\" already: await its completion"
    );
    assert_eq!(
        told("fy_0", direct("Bramble", "c")),
        "there is no fairy \"Bramble\" in the project; there are: fy_1 (Fern), fy_2 (Moth)"
    );
    assert_eq!(
        told("fy_0", direct("fy_1", "z")),
        "there is no task \"z\" in the project; there are: a, b, c"
    );
    assert_eq!(
        told("fy_0", wait(&["c"])),
        "nobody works on the task \"c\" yet: direct a fairy to it first"
    );
    assert_eq!(
        told("fy_0", create("a", "fy_1", 0.0)),
        "there is a task \"a\" already"
    );
    assert_eq!(
        told("fy_0", create("d", "", 0.0)),
        "the task \"d\" has no owner: set assignedTo to one of fy_1 (Fern), fy_2 (Moth)"
    );
    assert_eq!(
        told("fy_0", create("d", "fy_0", 0.0)),
        "you cannot give a task to yourself, you direct: set assignedTo to one of fy_1 (Fern), fy_2 (Moth)"
    );
    assert_eq!(
        told("fy_0", ProjectCommand::EndProject),
        "not done are: a, b, c; await or direct them, or delete what is not needed, before you end the project"
    );
    assert_eq!(
        told(
            "fy_0",
            ProjectCommand::AbortProject {
                reason: String::new()
            }
        ),
        "the project is under way and can no longer be aborted: finish or delete its tasks, then end it"
    );
    assert_eq!(
        told("fy_1", ProjectCommand::EndProject),
        "only the orchestrator of a project can do that"
    );
    assert_eq!(
        told("fy_9", ProjectCommand::MarkDone),
        "you are not in a project"
    );
}

#[test]
fn projects_have_colours_of_their_own() {
    let mut board = board(3);
    board.taken_colors.insert("green".to_owned());
    let told = board.act("fy_0", &start()).unwrap_err().0;
    assert!(
        told.starts_with("the colour \"green\" is another project's; free are: violet,"),
        "{told}"
    );
    let told = board.act("fy_0", &create("a", "fy_1", 0.0)).unwrap_err().0;
    assert_eq!(told, "start the project before you create its tasks");
}

#[test]
fn tasks_whose_areas_overlap_are_not_under_way_together() {
    let mut board = board(3);
    for deed in [
        start(),
        create("a", "fy_1", 0.0),
        create("b", "fy_2", 310.0),
        direct("fy_1", "a"),
    ] {
        board.act("fy_0", &deed).unwrap();
    }
    let told = board.act("fy_0", &direct("fy_2", "b")).unwrap_err().0;
    assert!(told.contains("overlaps that of \"a\""), "{told}");
    board.act("fy_1", &ProjectCommand::MarkDone).unwrap();
    board.act("fy_0", &direct("fy_2", "b")).unwrap();
}

#[test]
fn a_stopped_drone_gives_its_task_back_and_the_leader_hears_of_it_once() {
    let mut board = under_way();
    let (fairy, why) = ("fy_1".to_owned(), Leaving::Stopped);
    let orders = board.happened(News::Left { fairy, why });
    assert_eq!(
        wakes(&orders),
        [(
            "fy_0",
            "A person stopped Fern: it left the project and gave the task \"a\" (Title a) back."
        )]
    );
    assert_eq!(board.waits.len(), 1, "it still waits for the other task");
    let job = board.job("a").unwrap();
    assert_eq!((job.status, &job.assignee), (Status::Todo, &None));
}

#[test]
fn a_drone_whose_model_fails_gives_its_task_back_three_times_at_most() {
    let mut board = under_way();
    for time in 1..=3 {
        let (fairy, mode) = ("fy_1".to_owned(), Mode::Idling);
        let why = Some("no answer".to_owned());
        let orders = board.happened(News::Mode { fairy, mode, why });
        assert_eq!(
            wakes(&orders),
            [(
                "fy_0",
                "Fern gave the task \"a\" (Title a) back: no answer."
            )]
        );
        let again = board.act("fy_0", &direct("fy_1", "a"));
        assert_eq!(again.is_ok(), time < 3, "{again:?}");
        let (fairy, mode) = ("fy_1".to_owned(), Mode::WorkingDrone);
        board.happened(News::Mode {
            fairy,
            mode,
            why: None,
        });
    }
}

#[test]
fn an_orchestrator_that_fails_ends_the_project_with_what_was_and_was_not_done() {
    let mut board = under_way();
    board.act("fy_1", &ProjectCommand::MarkDone).unwrap();
    let (fairy, mode) = ("fy_0".to_owned(), Mode::Idling);
    let why = Some("the model is gone".to_owned());
    let orders = board.happened(News::Mode { fairy, mode, why });
    let rests: Vec<&str> = orders.iter().map(Order::fairy).collect();
    assert_eq!(rests, ["fy_1", "fy_2"]);
    assert_eq!(board.project.status, ProjectStatus::Failed);
    assert_eq!(
        board.project.summary.as_deref(),
        Some("Pip could not go on: the model is gone. Done: Title a. Not done: Title b.")
    );
}

#[test]
fn a_project_ends_when_it_has_used_what_it_may() {
    let mut board = under_way();
    board.project.budget = Budget {
        tokens: 100,
        ..Budget::default()
    };
    let used = |tokens| {
        News::Spent(Spending {
            input_tokens: tokens,
            ..Spending::default()
        })
    };
    assert_eq!(board.happened(used(60)), []);
    let orders = board.happened(used(60));
    assert_eq!(orders.len(), 3, "everyone rests: {orders:?}");
    assert_eq!(board.project.status, ProjectStatus::Failed);
}

#[test]
fn what_can_never_come_wakes_with_that_news() {
    let mut board = under_way();
    let until = |on: WaitOn, until| Wait {
        fairy: "fy_0".to_owned(),
        on,
        until,
    };
    let custom = WaitOn::Custom {
        name: "tea".to_owned(),
        matching: [("sugar".to_owned(), json!(2))].into(),
    };
    let mode = |fairy: &str| WaitOn::ModeTransition {
        fairy: fairy.to_owned(),
        mode: Mode::Sleeping,
    };
    board.waits = vec![until(custom.clone(), Some(50)), until(mode("fy_2"), None)];
    let raised = |sugar: i32| {
        let data = json!({"sugar": sugar});
        News::Raised(Raised {
            name: "tea".to_owned(),
            data,
        })
    };
    assert_eq!(board.happened(raised(1)), []);
    let orders = board.happened(raised(2));
    assert_eq!(
        wakes(&orders),
        [("fy_0", "What you waited for has come: tea, {\"sugar\":2}.")]
    );
    board.waits.push(until(custom, Some(50)));
    board.now = 51;
    let orders = board.happened(News::Tick);
    assert_eq!(
        wakes(&orders),
        [("fy_0", "What you waited for did not come in time: tea.")]
    );
    let (fairy, why) = ("fy_2".to_owned(), Leaving::Taken);
    let orders = board.happened(News::Left { fairy, why });
    let now = board.now;
    let had = |at| board.project.had("fy_2", at);
    assert_eq!([had(now - 1), had(now), had(now + 1)], [true, true, false]);
    let told: Vec<&str> = wakes(&orders).into_iter().map(|(_, words)| words).collect();
    assert!(
        told.contains(&"Moth is no longer in the project."),
        "{told:?}"
    );
    assert_eq!(board.waits, []);
}

#[test]
fn a_person_who_finishes_deletes_or_moves_a_task_is_heard() {
    let mut board = under_way();
    let mut job = board.job("a").unwrap().clone();
    job.bounds = Some(Rect::new(0.0, 600.0, 300.0, 300.0));
    let orders = board.happened(News::JobChanged(job.clone()));
    assert_eq!(
        orders,
        [Order::Rescope {
            fairy: "fy_1".to_owned()
        }]
    );
    job.status = Status::Done;
    let orders = board.happened(News::JobChanged(job));
    assert_eq!(wakes(&orders).len(), 1);
    let rest = Order::Rest {
        fairy: "fy_1".to_owned(),
        mode: Mode::StandingBy,
    };
    assert!(orders.contains(&rest), "{orders:?}");
    let orders = board.happened(News::JobGone {
        task: "tk_b".to_owned(),
    });
    assert_eq!(
        wakes(&orders),
        [("fy_0", "The task you waited for (tk_b) is gone.")]
    );
}

#[test]
fn after_a_restart_nobody_is_set_on_anything_twice() {
    let mut board = under_way();
    let at_work = ["fy_1".to_owned()].into();
    let orders = board.happened(News::Restarted { at_work });
    let again: Vec<&str> = orders.iter().map(Order::fairy).collect();
    assert_eq!(
        again,
        ["fy_2"],
        "one is at work, one waits, one had its order lost"
    );
    assert!(matches!(&orders[0], Order::Work { task: Some(task), .. } if task == "tk_b"));
}

#[test]
fn an_order_lost_in_a_crash_is_given_again_to_a_fairy_that_works_for_a_person() {
    let mut board = under_way();
    board.project.progress.taken.clear();
    board.meet("fy_2", "Moth", Mode::OneShotting);
    let at_work = ["fy_1".to_owned(), "fy_2".to_owned()].into();
    let orders = board.happened(News::Restarted { at_work });
    let again: Vec<&str> = orders.iter().map(Order::fairy).collect();
    assert_eq!(again, ["fy_2"]);
}

#[test]
fn an_answer_that_comes_too_late_wakes_whoever_gave_it() {
    let mut board = under_way();
    board.waits.clear();
    for drone in ["fy_1", "fy_2"] {
        board.act(drone, &ProjectCommand::MarkDone).unwrap();
    }
    let orders = board.act_late("fy_0", &wait(&["a", "b"]));
    assert_eq!(
        wakes(&orders),
        [(
            "fy_0",
            "That was not carried out: there is nothing to wait for: these tasks are done."
        )]
    );
}

#[test]
fn a_project_is_stored_as_one_flat_object() {
    let stored = json!({
        "id": "pj_1", "name": "Shop", "description": "", "color": "violet", "plan": "Draw it.",
        "page": "pg_1", "status": "active",
        "members": [{"fairy": "fy_0", "role": "orchestrator"}], "former": {"fy_9": 5},
        "message": "draw", "bounds": {"x": 1.0, "y": 2.0, "w": 3.0, "h": 4.0}, "titled": true,
        "createdAt": 3, "endedAt": null,
        "cost": {"inputTokens": 1, "outputTokens": 2, "usd": 0.5, "steps": 3},
        "budget": {"tokens": 9, "usd": 1.0, "steps": 4},
        "tasks": ["tk_a"], "names": {"a": "tk_a"}, "tries": {"tk_a": 2}, "taken": ["tk_a"],
        "led": true, "unheard": [{"name": "ready", "data": {"n": 1}}], "summary": null,
    });
    let project: Project = serde_json::from_value(stored.clone()).unwrap();
    let progress = Progress {
        tasks: vec!["tk_a".to_owned()],
        names: [("a".to_owned(), "tk_a".to_owned())].into(),
        tries: [("tk_a".to_owned(), 2)].into(),
        taken: ["tk_a".to_owned()].into(),
        led: true,
        unheard: vec![Raised {
            name: "ready".to_owned(),
            data: json!({"n": 1}),
        }],
    };
    assert_eq!(project.progress, progress);
    assert_eq!(
        serde_json::to_string(&project).unwrap(),
        stored.to_string(),
        "key by key, in the same order"
    );
}
