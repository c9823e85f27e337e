//! Working with others: a request of many parts becomes tasks with areas of their own, each is drawn
//! by one fairy, and whoever leads directs, waits, looks it over and ends.
//!
//! It goes by what the project looks like now, not by what it remembers: so it goes on rightly after a
//! crash, after a task came back, and after a person changed the plan.

use glade_agent::parts::current_project::{CurrentProject, MemberLine, ProjectTaskLine};
use glade_agent::projects::Role;
use glade_agent::{Mode, Status};
use glade_canvas::{Rect, space};
use serde_json::{Value, json};

use super::answer::{clearance, drawn, say};
use super::names::unquote;
use super::sight::{Sight, bounds};
use super::table;

mod naming;

use naming::{heading, headline};

/// Between two areas.
const GUTTER: f64 = 120.0;
/// Around a drawing, inside of its area: arrows bend, notes grow.
const PAD: f64 = 80.0;
/// Areas are not narrower, so that a drawing has the same shape wherever it is laid out.
const WIDTH: f64 = 900.0;
const COLUMNS: usize = 3;
/// How often an area is made larger until its drawing fits.
const TRIES: usize = 6;
/// A task that came back this often is given up.
const GIVE_UP: u32 = 3;

/// The answer of a fairy that is in a project, in the modes of projects.
pub fn answer(sight: &Sight) -> Option<Vec<Value>> {
    match sight.mode? {
        Mode::WorkingDrone => Some(work(sight, "mark-my-task-done")),
        Mode::WorkingOrchestrator => Some(work(sight, "mark-duo-task-done")),
        Mode::OrchestratingActive | Mode::DuoOrchestratingActive => {
            sight.project.as_ref().map(|project| lead(project, sight))
        }
        _ => None,
    }
}

/// Draws what the task says, in its area, and marks it as done.
fn work(sight: &Sight, done: &str) -> Vec<Value> {
    let words = if sight.from_person {
        sight.message.clone()
    } else {
        let task = sight.task.as_ref();
        task.map(|task| task.text.clone()).unwrap_or_default()
    };
    // Asked again because it was not marked as done, or something was refused: rules do not learn.
    let made = if sight.from_person {
        drawn(words.trim(), sight)
    } else {
        None
    };
    let mut actions: Vec<Value> = made.unwrap_or_default();
    // Nobody listens to a fairy at work: it talks to itself.
    for action in &mut actions {
        if action["_type"] == "message" {
            action["_type"] = json!("think");
        }
    }
    actions.extend(heading(&actions, sight));
    actions.push(json!({"_type": done}));
    actions
}

fn lead(project: &CurrentProject, sight: &Sight) -> Vec<Value> {
    let names = Names::of(project.role);
    let mut actions = Vec::new();
    let mut tasks = project.tasks.clone();
    let extra = sight.from_person && !sight.from_fairy && project.started;
    if !project.started || extra {
        let words = if extra {
            sight.message.as_str()
        } else {
            project.request.as_str()
        };
        let (title, mut parts) = split(words);
        // A crash cut the answer that planned this, and it is asked again: what is planned already
        // stays planned.
        let again = extra && words.trim() == project.request.trim();
        if again {
            let planned = |part: &String| project.tasks.iter().any(|task| task.text == *part);
            parts.retain(|part| !planned(part));
        }
        if parts.is_empty() && again {
            // Nothing is left to plan.
        } else if parts.is_empty() && extra {
            actions.push(say(
                "That is not something I can draw; the project goes on.".to_owned(),
            ));
        } else if parts.is_empty() {
            actions.push(say("I can find nothing in that which I could draw. I draw flows, mind maps, tables, timelines, notes and single shapes, one to a line.".to_owned()));
            actions.push(json!({"_type": names.abort, "reason": "nothing in the request is something that sketch can draw"}));
            return actions;
        }
        if !extra {
            actions.push(start(&title, &parts, project, &names));
        }
        let new = plan(&parts, project, sight, tasks.len());
        for task in &new {
            actions.push(create(task, &names));
        }
        tasks.extend(new);
    }
    for task in tasks.iter().filter(|task| is_lost(task)) {
        actions.push(json!({"_type": names.delete, "taskId": task.task_id, "reason": "it came back too often"}));
    }
    tasks.retain(|task| !is_lost(task));
    direct(project, &mut tasks, &names, &mut actions);
    let own = |task: &&ProjectTaskLine| {
        project.role == Role::DuoOrchestrator
            && task.status != Status::Done
            && task
                .assigned_to
                .as_deref()
                .is_none_or(|owner| owner == project.you)
    };
    if let Some(task) = tasks.iter().find(own) {
        actions.push(json!({"_type": "start-duo-task", "taskId": task.task_id}));
        return actions;
    }
    let busy: Vec<&str> = tasks
        .iter()
        .filter(|task| task.status == Status::InProgress)
        .map(|task| task.task_id.as_str())
        .collect();
    if !busy.is_empty() {
        actions.push(json!({"_type": names.wait, "taskIds": busy}));
        return actions;
    }
    let open = tasks.iter().any(|task| task.status != Status::Done);
    if open && project.members.iter().any(|one| one.role == Role::Drone) {
        // Everyone is busy with what people asked: whoever is free again will be nudged to.
        actions.push(say(
            "Everybody is busy with something else; I try again.".to_owned()
        ));
        return actions;
    }
    finish(&tasks, sight, &names, &mut actions);
    actions
}

/// What actions are called in a project and in a duo.
struct Names {
    start: &'static str,
    end: &'static str,
    abort: &'static str,
    create: &'static str,
    delete: &'static str,
    direct: &'static str,
    wait: &'static str,
}

impl Names {
    fn of(role: Role) -> Self {
        if role == Role::DuoOrchestrator {
            Self {
                start: "start-duo-project",
                end: "end-duo-project",
                abort: "abort-duo-project",
                create: "create-duo-task",
                delete: "delete-duo-task",
                direct: "direct-to-start-duo-task",
                wait: "await-duo-tasks-completion",
            }
        } else {
            Self {
                start: "start-project",
                end: "end-project",
                abort: "abort-project",
                create: "create-project-task",
                delete: "delete-project-task",
                direct: "direct-to-start-project-task",
                wait: "await-tasks-completion",
            }
        }
    }
}

fn is_lost(task: &ProjectTaskLine) -> bool {
    task.status == Status::Todo && task.given_back >= GIVE_UP
}

fn start(title: &str, parts: &[String], project: &CurrentProject, names: &Names) -> Value {
    let name = match title {
        "" => parts.first().map(|part| headline(part)).unwrap_or_default(),
        title => title.to_owned(),
    };
    let color = project
        .free_colors
        .first()
        .map_or(project.color.as_str(), String::as_str);
    json!({
        "_type": names.start,
        "projectName": name,
        "projectColor": color,
        "projectDescription": drawings(parts.len()),
        "projectPlan": format!("Everyone draws one part at a time: {}.", parts.iter().map(|part| headline(part)).collect::<Vec<_>>().join("; ")),
    })
}

fn drawings(count: usize) -> String {
    match count {
        1 => "One drawing, in an area of its own".to_owned(),
        count => format!("{count} drawings, each in an area of its own"),
    }
}

fn create(task: &ProjectTaskLine, names: &Names) -> Value {
    let Rect { x, y, w, h } = task.bounds.unwrap_or_default();
    json!({
        "_type": names.create, "taskId": task.task_id, "title": task.title, "text": task.text,
        "assignedTo": task.assigned_to, "x": x, "y": y, "w": w, "h": h,
    })
}

/// Sets every member that is free on something, its own tasks first.
fn direct(
    project: &CurrentProject,
    tasks: &mut [ProjectTaskLine],
    names: &Names,
    actions: &mut Vec<Value>,
) {
    let free = |one: &&MemberLine| {
        let mode = Mode::parse(&one.mode).unwrap_or_default();
        one.role == Role::Drone && one.task_id.is_none() && !mode.serves_a_person()
    };
    for member in project.members.iter().filter(free) {
        let todo = |task: &&mut ProjectTaskLine| task.status == Status::Todo;
        let owner = |task: &ProjectTaskLine| task.assigned_to.clone();
        let mine = tasks
            .iter_mut()
            .filter(todo)
            .find(|task| owner(task).as_ref() == Some(&member.fairy_id));
        let next = match mine {
            Some(task) => Some(task),
            None => tasks.iter_mut().filter(todo).find(|task| {
                // A task of somebody who is busy is taken over; the leader's own is not.
                owner(task).is_none_or(|owner| owner != project.you)
            }),
        };
        let Some(task) = next else {
            continue;
        };
        task.status = Status::InProgress;
        task.assigned_to = Some(member.fairy_id.clone());
        actions.push(
            json!({"_type": names.direct, "otherFairyId": member.fairy_id, "taskId": task.task_id}),
        );
    }
}

/// Looks everything over, then ends.
fn finish(tasks: &[ProjectTaskLine], sight: &Sight, names: &Names, actions: &mut Vec<Value>) {
    let areas: Vec<Rect> = tasks.iter().filter_map(|task| task.bounds).collect();
    let all = areas.iter().copied().reduce(|all, one| all.union(&one));
    let looked = sight.message.starts_with("Review what is in your view now");
    if let (Some(Rect { x, y, w, h }), false) = (all, looked) {
        actions.push(json!({"_type": "review", "intent": "see that every area has its drawing", "x": x, "y": y, "w": w, "h": h}));
        return;
    }
    let done = tasks.iter().filter(|task| task.status == Status::Done);
    let empty: Vec<&str> = done
        .clone()
        .filter(|task| {
            let area = task.bounds.unwrap_or_default();
            !sight
                .shapes
                .iter()
                .any(|shape| bounds(shape).intersects(&area))
        })
        .map(|task| task.title.as_str())
        .collect();
    let count = done.count();
    actions.push(say(match (count, empty.is_empty()) {
        (0, _) => "Nothing was finished.".to_owned(),
        (1, true) => "We are done: the drawing is where it was planned.".to_owned(),
        (count, true) => format!("We are done: {count} drawings, each where it was planned."),
        (_, false) => format!(
            "We are done, but I see nothing where these should be: {}.",
            empty.join(", ")
        ),
    }));
    actions.push(json!({"_type": names.end}));
}

/// The parts of a request that can be drawn, and what it calls itself.
fn split(request: &str) -> (String, Vec<String>) {
    let mut blocks: Vec<String> = Vec::new();
    for line in request.lines().filter(|line| !line.trim().is_empty()) {
        let indented = line.starts_with([' ', '\t']);
        match blocks.last_mut() {
            Some(last) if indented => {
                last.push('\n');
                last.push_str(line);
            }
            _ => blocks.push(line.trim().to_owned()),
        }
    }
    let blocks: Vec<String> = blocks.iter().map(|block| bare(block)).collect();
    // A line that ends in a colon is about those that follow it.
    let is_title = |head: &String| head.ends_with(':') || !can(head);
    let (title, rest) = match blocks.split_first() {
        Some((head, rest)) if !rest.is_empty() && is_title(head) => {
            (head.trim_end_matches([':', '.']).to_owned(), rest)
        }
        _ => (String::new(), &blocks[..]),
    };
    let parts = rest.iter().flat_map(|block| pieces(block));
    (title, parts.collect())
}

/// Without a bullet or a number.
fn bare(block: &str) -> String {
    let text = block.trim_start();
    let text = text.strip_prefix(['-', '*', '•']).unwrap_or(text);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = match (digits, text[digits..].chars().next()) {
        (1..=2, Some('.' | ')')) => &text[digits + 1..],
        _ => text,
    };
    text.trim().to_owned()
}

/// One line may hold several drawings.
fn pieces(block: &str) -> Vec<String> {
    // Its rows are divided in the same way.
    if table::parse(block).is_some() {
        return vec![block.to_owned()];
    }
    for between in ["; ", ", and ", " and then ", ". ", " and "] {
        let parts: Vec<String> = block
            .split(between)
            .map(|part| unquote(part.trim().trim_end_matches(['.', ';'])).to_owned())
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() > 1 && parts.iter().all(|part| can(part)) {
            return parts;
        }
    }
    Some(block.to_owned())
        .filter(|block| can(block))
        .into_iter()
        .collect()
}

fn can(part: &str) -> bool {
    let empty = Sight {
        view: Rect::new(0.0, 0.0, WIDTH, WIDTH),
        from_person: true,
        ..Sight::default()
    };
    drawn(part, &empty).is_some_and(|actions| actions.iter().any(|one| one["_type"] == "create"))
}

/// Tasks with areas that no other overlaps, clear of what is there, dealt out in turn.
fn plan(
    parts: &[String],
    project: &CurrentProject,
    sight: &Sight,
    before: usize,
) -> Vec<ProjectTaskLine> {
    let sizes: Vec<(f64, f64)> = parts.iter().map(|part| size(part)).collect();
    let columns = match sizes.len() {
        0..=1 => 1,
        2 | 4 => 2,
        _ => COLUMNS,
    };
    let widths: Vec<f64> = (0..columns)
        .map(|column| {
            let own = sizes.iter().skip(column).step_by(columns);
            own.map(|size| size.0).fold(0.0, f64::max)
        })
        .collect();
    let mut areas = Vec::new();
    let mut y = 0.0;
    for row in sizes.chunks(columns) {
        let mut x = 0.0;
        for (column, (_, h)) in row.iter().enumerate() {
            areas.push(Rect::new(x, y, widths[column], *h));
            x += widths[column] + GUTTER;
        }
        y += row.iter().map(|size| size.1).fold(0.0, f64::max) + GUTTER;
    }
    let Some(whole) = areas.iter().copied().reduce(|all, one| all.union(&one)) else {
        return Vec::new();
    };
    let mut taken = sight.obstacles.clone();
    taken.extend(project.tasks.iter().filter_map(|task| task.bounds));
    let wanted = Rect::centered(sight.view.center(), whole.size());
    let wanted = Rect::new(wanted.x.round(), wanted.y.round(), wanted.w, wanted.h);
    let free = space::free_rect(&taken, wanted, clearance());
    let hands: Vec<&MemberLine> = match project.role {
        // The partner first: it can begin at once.
        Role::DuoOrchestrator => {
            let mut hands: Vec<&MemberLine> = project.members.iter().collect();
            hands.sort_by_key(|one| one.role != Role::Drone);
            hands
        }
        _ => project
            .members
            .iter()
            .filter(|one| one.role == Role::Drone)
            .collect(),
    };
    let tasks = parts.iter().zip(areas).enumerate();
    tasks
        .map(|(at, (part, area))| ProjectTaskLine {
            task_id: format!("part-{}", before + at + 1),
            title: headline(part),
            text: part.clone(),
            status: Status::Todo,
            assigned_to: hands
                .get(at % hands.len().max(1))
                .map(|one| one.fairy_id.clone()),
            bounds: Some(area.translate(free.x - whole.x, free.y - whole.y)),
            given_back: 0,
        })
        .collect()
}

/// How large an area a part needs: it is drawn, unseen, until it fits.
fn size(part: &str) -> (f64, f64) {
    let mut area = Rect::new(0.0, 0.0, WIDTH, 300.0);
    for _ in 0..TRIES {
        let alone = Sight {
            view: area,
            from_person: true,
            ..Sight::default()
        };
        let actions = drawn(part, &alone).unwrap_or_default();
        let Some(extent) = extent(&actions) else {
            break;
        };
        let needed = extent.expand(PAD);
        if area.contains_rect(&needed) {
            break;
        }
        area = Rect::new(
            0.0,
            0.0,
            area.w.max(needed.w.ceil()),
            area.h.max(needed.h.ceil()),
        );
    }
    (area.w, area.h)
}

/// What a drawing covers.
fn extent(actions: &[Value]) -> Option<Rect> {
    let shapes = actions.iter().filter_map(|action| action.get("shape"));
    shapes
        .filter_map(|shape| {
            let number = |key: &str| shape[key].as_f64();
            if let (Some(x1), Some(y1), Some(x2), Some(y2)) =
                (number("x1"), number("y1"), number("x2"), number("y2"))
            {
                return Some(Rect::new(
                    x1.min(x2),
                    y1.min(y2),
                    (x2 - x1).abs(),
                    (y2 - y1).abs(),
                ));
            }
            let (x, y) = (number("x")?, number("y")?);
            let (w, h) = match shape["_type"].as_str()? {
                "note" => (200.0, 260.0),
                "text" => {
                    let letters = shape["text"].as_str().unwrap_or_default().chars().count();
                    (number("maxWidth").unwrap_or(letters as f64 * 12.0), 40.0)
                }
                _ => (0.0, 0.0),
            };
            Some(Rect::new(
                x,
                y,
                number("w").unwrap_or(w),
                number("h").unwrap_or(h),
            ))
        })
        .reduce(|all, one| all.union(&one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_falls_into_the_parts_that_can_be_drawn() {
        let (title, parts) = split(
            "A launch board:\n1. Draw a flow: Plan -> Build -> Ship\n- Mind map of Launch: people, press, party\n\
             2) Timeline: 2024 Idea, 2025 Beta\nTable: Who, What; Ann, Press",
        );
        assert_eq!(title, "A launch board");
        assert_eq!(
            parts,
            [
                "Draw a flow: Plan -> Build -> Ship",
                "Mind map of Launch: people, press, party",
                "Timeline: 2024 Idea, 2025 Beta",
                "Table: Who, What; Ann, Press",
            ]
        );
        let (_, parts) =
            split("Draw a flow: A -> B; Sticky notes: x, y; Timeline: 1999 One, 2000 Two");
        assert_eq!(parts.len(), 3, "{parts:?}");
        assert_eq!(split("Write me a poem about rain").1, Vec::<String>::new());
    }

    #[test]
    fn every_part_fits_into_its_area() {
        for part in [
            "Draw a flow: Order -> Pay? -> Pack -> Ship -> Done",
            "Mind map of Party: food, music, guests, games, garden",
            "Timeline: 2019 Founded, 2021 Sold, 2022 Again",
            "Table: Name, Age; Ann, 31; Bob, 40",
            "Sticky notes: plan, build, test, ship, rest, repeat, again",
            "Add a green circle called Start",
        ] {
            let (w, h) = size(part);
            let area = Rect::new(-3000.0, 500.0, w, h);
            let alone = Sight {
                view: area,
                from_person: true,
                ..Sight::default()
            };
            let actions = drawn(part, &alone).unwrap();
            let extent = extent(&actions).unwrap();
            assert!(
                area.contains_rect(&extent),
                "{part}: {extent:?} in {area:?}"
            );
        }
    }
}
