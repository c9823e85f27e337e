//! A host in miniature: cores, a board, queues of orders, and everything that can happen to them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glade_agent::projects::{
    Board, Budget, Leaving, Member, News, Order, Project, ProjectCommand, Raised, Role, Rules,
    Spending,
};
use glade_agent::{
    Agent, AgentConfig, Checkpoint, Effect, Event, Failure, Input, Mode, Outcome, Source, Status,
    StopReason, Usage,
};
use glade_canvas::{Element, Rect, Scene, bounds};
use glade_doc::{Edit, PageId, RunId};

use super::model::{self, Answer, Temper};

/// Bugs that the laws must find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    Nothing,
    /// Now and then, whoever waits is not told.
    LostWait,
    /// Now and then, a task is begun by two.
    DoubleStart,
}

/// SplitMix64.
pub struct Dice(u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides.max(1) as u64) as usize
    }
}

struct Fairy {
    agent: Agent,
    /// As a crash would find it.
    stored: Checkpoint,
    temper: Temper,
    asking: Option<u32>,
    wake: Option<u32>,
    queue: VecDeque<Order>,
    command: Option<ProjectCommand>,
    modes: Vec<(Mode, Option<String>)>,
    steps: u32,
}

pub struct World {
    dice: Dice,
    plant: Plant,
    fairies: BTreeMap<String, Fairy>,
    pub board: Board,
    scene: Scene,
    page: PageId,
    runs: u32,
    pub events: u32,
    /// A person changed where tasks lie: they may overlap from then on.
    moved: bool,
    wrong: Option<String>,
}

/// How many things happen before everyone is left to finish.
const TURMOIL: u32 = 90;
/// A team that is not done by then never will be.
const PATIENCE: u32 = 6_000;

impl World {
    pub fn new(seed: u64, plant: Plant) -> Self {
        let mut dice = Dice(seed);
        let count = 2 + dice.roll(19);
        let ids: Vec<String> = (0..count).map(|at| format!("fy_{at:02}")).collect();
        let lead = if count == 2 {
            Role::DuoOrchestrator
        } else {
            Role::Orchestrator
        };
        let mut board = Board {
            project: Project {
                id: "pj_1".to_owned(),
                page: "pg_1".to_owned(),
                message: "make something large".to_owned(),
                members: ids
                    .iter()
                    .enumerate()
                    .map(|(at, fairy)| Member {
                        fairy: fairy.clone(),
                        role: if at == 0 { lead } else { Role::Drone },
                    })
                    .collect(),
                budget: Budget {
                    steps: 30,
                    ..Budget::default()
                },
                ..Project::default()
            },
            rules: Rules {
                wait_ms: 5_000,
                ..Rules::default()
            },
            ..Board::default()
        };
        let mut fairies = BTreeMap::new();
        for id in &ids {
            let agent = Agent::new(AgentConfig {
                fairy_id: id.clone(),
                name: format!("Name {id}"),
                personality: String::new(),
                view: Rect::new(0.0, 0.0, 1000.0, 1000.0),
            });
            board.meet(id, &format!("Name {id}"), Mode::Idling);
            let temper = model::temper(&mut dice);
            let fairy = Fairy {
                stored: agent.checkpoint(),
                agent,
                temper,
                asking: None,
                wake: None,
                queue: VecDeque::new(),
                command: None,
                modes: Vec::new(),
                steps: 0,
            };
            fairies.insert(id.clone(), fairy);
        }
        let mut world = Self {
            dice,
            plant,
            fairies,
            board,
            scene: Scene::new(),
            page: PageId::from("pg_1"),
            runs: 0,
            events: 0,
            moved: false,
            wrong: None,
        };
        let orders = world.board.begin();
        world.give(orders);
        world
    }

    /// Lives until nothing more can happen; says which law was broken, if one was.
    pub fn live(&mut self) -> Result<(), String> {
        while self.events < PATIENCE {
            self.events += 1;
            let turmoil = self.events < TURMOIL;
            if turmoil && self.dice.roll(12) == 0 {
                self.disturb();
            } else if !self.go_on() && !self.time_passes() {
                if !turmoil || self.dice.roll(4) == 0 {
                    break;
                }
                self.board.now += 1;
            }
            self.laws()?;
        }
        self.end_laws()
    }

    fn any(&mut self, which: impl Fn(&Fairy) -> bool) -> Option<String> {
        let fit: Vec<&String> = self
            .fairies
            .iter()
            .filter(|(_, one)| which(one))
            .map(|(id, _)| id)
            .collect();
        let at = self.dice.roll(fit.len());
        fit.get(at).map(|id| (*id).clone())
    }

    /// Something that would have happened anyway; false: nothing is left to happen.
    fn go_on(&mut self) -> bool {
        let something =
            |one: &Fairy| one.asking.is_some() || one.wake.is_some() || !one.queue.is_empty();
        let Some(id) = self.any(something) else {
            return false;
        };
        let fairy = &mut self.fairies.get_mut(&id).unwrap();
        if let Some(order) = fairy.queue.pop_front() {
            self.deliver(&id, order);
        } else if let Some(step) = fairy.wake.take() {
            self.feed(&id, Event::Woken { step });
        } else if let Some(step) = fairy.asking {
            self.answer(&id, step);
        }
        true
    }

    /// Nothing happens until somebody has waited long enough; false: nobody waits.
    fn time_passes(&mut self) -> bool {
        let Some(next) = self.board.waits.iter().filter_map(|wait| wait.until).min() else {
            return false;
        };
        self.board.now = self.board.now.max(next);
        let orders = self.board.happened(News::Tick);
        if orders.is_empty() {
            self.wrong = Some(format!(
                "a wait is over and nobody is told: {:?}",
                self.board.waits
            ));
        }
        self.give(orders);
        true
    }

    fn answer(&mut self, id: &str, step: u32) {
        let fairy = &self.fairies[id];
        let (mode, temper) = (fairy.agent.mode(), fairy.temper);
        let board = self.board.project.member(id).map(|_| &self.board);
        let said = model::answer(id, mode, board, temper, &mut self.dice);
        match said {
            Answer::Fails { retryable } => {
                self.fairies.get_mut(id).unwrap().asking = None;
                self.used(id);
                self.feed(
                    id,
                    Event::Failed {
                        step,
                        failure: Failure::generic("no answer"),
                        retryable,
                    },
                );
            }
            Answer::Text(text) => {
                let cut = self.dice.roll(text.len() + 1);
                let cut = (0..=cut)
                    .rev()
                    .find(|at| text.is_char_boundary(*at))
                    .unwrap_or(0);
                for piece in [&text[..cut], &text[cut..]] {
                    if self.fairies[id].asking == Some(step) {
                        self.feed(
                            id,
                            Event::Delta {
                                step,
                                text: piece.to_owned(),
                            },
                        );
                    }
                }
                if self.fairies[id].asking == Some(step) {
                    self.fairies.get_mut(id).unwrap().asking = None;
                    self.used(id);
                    let (usage, stop) = (Usage::default(), StopReason::Stop);
                    self.feed(id, Event::Answered { step, usage, stop });
                }
            }
        }
    }

    fn used(&mut self, id: &str) {
        self.fairies.get_mut(id).unwrap().steps += 1;
    }

    fn feed(&mut self, id: &str, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let board = self.board.project.is_active().then_some(&self.board);
            let board = board.filter(|board| board.project.member(id).is_some());
            let world = glade_agent::World {
                board: &|| board,
                ..glade_agent::World::new(&self.scene, &self.page)
            };
            let fairy = self.fairies.get_mut(id).unwrap();
            let effects = fairy.agent.step(event, &world);
            for effect in effects {
                if let Some(event) = self.carry_out(id, effect) {
                    events.push_back(event);
                }
            }
        }
        // As the host: whatever a command led to is stored at its end.
        self.store(id, None);
    }

    fn carry_out(&mut self, id: &str, effect: Effect) -> Option<Event> {
        let fairy = self.fairies.get_mut(id).unwrap();
        match effect {
            Effect::Ask { step, .. } => {
                fairy.asking = Some(step);
                self.store(id, None);
            }
            Effect::CancelAsk { step } if fairy.asking == Some(step) => {
                fairy.asking = None;
                self.used(id);
            }
            Effect::Wake { step, .. } => {
                fairy.wake = Some(step);
                self.store(id, None);
            }
            Effect::Mode { to, .. } => {
                fairy.modes.push((to, None));
                let name = format!("Name {id}");
                self.board.meet(id, &name, to);
            }
            Effect::EndRun { outcome, .. } => self.store(id, Some(&outcome)),
            Effect::Project { action, command } => {
                if command.ends_an_answer() {
                    fairy.command = Some(command);
                    return None;
                }
                return match self.board.act(id, &command) {
                    Ok(orders) => {
                        self.double_start(&command);
                        self.give(orders);
                        None
                    }
                    Err(refusal) => Some(Event::Refused {
                        action,
                        reason: refusal.0,
                    }),
                };
            }
            Effect::Edit { action, edits, .. } => {
                if !self.may_draw(id, &edits) {
                    return Some(Event::Refused {
                        action,
                        reason: "outside of your task".to_owned(),
                    });
                }
                self.scene.apply(&edits);
            }
            _ => {}
        }
        None
    }

    /// Stores what a fairy has to tell its project together with its own state.
    fn store(&mut self, id: &str, outcome: Option<&Outcome>) {
        let fairy = self.fairies.get_mut(id).unwrap();
        let (command, mut modes) = (fairy.command.take(), std::mem::take(&mut fairy.modes));
        let steps = std::mem::take(&mut fairy.steps);
        fairy.stored = fairy.agent.checkpoint();
        if let Some(Outcome::Failed(Failure {
            message: reason, ..
        })) = outcome
        {
            for (_, why) in &mut modes {
                *why = Some(reason.clone());
            }
        }
        if self.board.project.member(id).is_none() {
            return;
        }
        let mut orders = Vec::new();
        if let Some(command) = command {
            orders.extend(self.board.act_late(id, &command));
        }
        for (mode, why) in modes {
            let fairy = id.to_owned();
            orders.extend(self.board.happened(News::Mode { fairy, mode, why }));
        }
        if steps > 0 {
            let spent = Spending {
                steps,
                ..Spending::default()
            };
            orders.extend(self.board.happened(News::Spent(spent)));
        }
        self.give(orders);
    }

    fn give(&mut self, orders: Vec<Order>) {
        for order in orders {
            let lost = matches!(order, Order::Wake { .. });
            if self.plant == Plant::LostWait && lost && self.dice.roll(3) == 0 {
                continue;
            }
            let fairy = self.fairies.get_mut(order.fairy()).unwrap();
            fairy.queue.push_back(order);
        }
    }

    fn double_start(&mut self, command: &ProjectCommand) {
        let ProjectCommand::Direct { task, .. } = command else {
            return;
        };
        if self.plant != Plant::DoubleStart || self.dice.roll(3) > 0 {
            return;
        }
        let Some(mut twin) = self.board.job(task).cloned() else {
            return;
        };
        let other = self
            .board
            .project
            .drones()
            .map(|one| one.fairy.clone())
            .find(|one| Some(one) != twin.assignee.as_ref());
        twin.assignee = other;
        self.board.jobs.push(twin);
    }

    fn deliver(&mut self, id: &str, order: Order) {
        let mode = self.fairies[id].agent.mode();
        match order {
            Order::Work {
                mode: to,
                task,
                message,
                page,
                bounds,
                ..
            } => {
                let stands = match &task {
                    Some(task) => self.board.job_of(id).is_some_and(|job| job.id == *task),
                    None => {
                        self.board.project.is_active() && self.board.project.member(id).is_some()
                    }
                };
                if !stands {
                    return;
                }
                if task.is_some() && mode.serves_a_person() {
                    let news = News::Undelivered {
                        fairy: id.to_owned(),
                        why: "busy".to_owned(),
                    };
                    let orders = self.board.happened(news);
                    return self.give(orders);
                }
                let input = Input {
                    page: Some(PageId::from(page)),
                    bounds,
                    mode: Some(to),
                    ordered: true,
                    source: Source::OtherAgent,
                    ..Input::message(message)
                };
                self.prompt(id, input);
                let now = self.fairies[id].agent.mode();
                if now != to && self.fairies[id].agent.run().is_some() {
                    self.wrong = Some(format!(
                        "{id} was interrupted into {to:?} and is in {now:?}"
                    ));
                }
            }
            Order::Wake {
                mode: to,
                message,
                bounds,
                ..
            } => {
                if !self.board.project.is_active() || self.board.project.member(id).is_none() {
                    return;
                }
                let input = Input {
                    bounds,
                    mode: Some(to),
                    ordered: true,
                    source: Source::OtherAgent,
                    ..Input::message(message)
                };
                self.runs += 1;
                let (run, seed) = (
                    RunId::from(format!("run_{}", self.runs)),
                    u64::from(self.runs),
                );
                self.feed(id, Event::Schedule { run, input, seed });
            }
            Order::Rest { mode: to, .. } => {
                let project = &self.board.project;
                let stands = match to {
                    Mode::Idling => mode.is_of_a_project(),
                    _ => project.is_active() && project.member(id).is_some(),
                };
                if !stands {
                    return;
                }
                self.quiet(id);
                self.feed(id, Event::Rest { mode: to });
            }
            Order::Rescope { .. } => {}
        }
    }

    fn quiet(&mut self, id: &str) {
        let fairy = self.fairies.get_mut(id).unwrap();
        fairy.asking = None;
        fairy.wake = None;
    }

    fn prompt(&mut self, id: &str, input: Input) {
        self.quiet(id);
        self.runs += 1;
        let (run, seed) = (
            RunId::from(format!("run_{}", self.runs)),
            u64::from(self.runs),
        );
        self.feed(
            id,
            Event::Prompt {
                run: run.clone(),
                input,
                seed,
            },
        );
        // A message always wins: what runs now is that, or nothing.
        let now = self.fairies[id].agent.run().cloned();
        if now.is_some_and(|now| now != run) {
            self.wrong = Some(format!("{id} was interrupted and works on something else"));
        }
    }

    /// People, and the machine.
    fn disturb(&mut self) {
        let Some(id) = self.any(|_| true) else {
            return;
        };
        if !self.board.project.is_active() {
            return self.crash();
        }
        match self.dice.roll(15) {
            0..=4 => self.prompt(&id, Input::message("something else")),
            5..=6 => {
                let news = News::Left {
                    fairy: id.clone(),
                    why: Leaving::Stopped,
                };
                let orders = self.board.happened(news);
                self.give(orders);
                self.quiet(&id);
                self.feed(&id, Event::Stop);
                if self.fairies[&id].agent.run().is_some() || self.board.job_of(&id).is_some() {
                    self.wrong = Some(format!("{id} was stopped and still works"));
                }
            }
            7 if self.dice.roll(3) == 0 => {
                let orders = self.board.happened(News::Disbanded);
                self.give(orders);
            }
            8..=9 => self.crash(),
            10..=11 => self.change_a_task(),
            12 => {
                self.board.now += 1_000;
                let orders = self.board.happened(News::Tick);
                self.give(orders);
            }
            13 => {
                let (name, data) = (
                    "tea".to_owned(),
                    serde_json::json!({"sugar": self.dice.roll(3)}),
                );
                let orders = self.board.happened(News::Raised(Raised { name, data }));
                self.give(orders);
            }
            _ => {}
        }
    }

    fn change_a_task(&mut self) {
        let at = self.dice.roll(self.board.jobs.len());
        let Some(mut job) = self.board.jobs.get(at).cloned() else {
            return;
        };
        let news = match self.dice.roll(5) {
            0 => News::JobGone { task: job.id },
            1 => {
                job.status = Status::Done;
                News::JobChanged(job)
            }
            2 => {
                job.status = Status::Todo;
                job.assignee = None;
                News::JobChanged(job)
            }
            3 => {
                let members = &self.board.project.members;
                let at = self.dice.roll(members.len());
                job.assignee = members.get(at).map(|one| one.fairy.clone());
                News::JobChanged(job)
            }
            _ => {
                self.moved = true;
                job.bounds = Some(Rect::new(self.dice.roll(900) as f64, 0.0, 200.0, 200.0));
                News::JobChanged(job)
            }
        };
        let orders = self.board.happened(news);
        self.give(orders);
    }

    /// Whatever is not stored is gone; then everything starts again.
    fn crash(&mut self) {
        let text = serde_json::to_string(&self.board.project).unwrap();
        self.board.project = serde_json::from_str(&text).unwrap();
        let text = serde_json::to_string(&self.board.waits).unwrap();
        self.board.waits = serde_json::from_str(&text).unwrap();
        let ids: Vec<String> = self.fairies.keys().cloned().collect();
        let mut at_work = BTreeSet::new();
        for id in &ids {
            let fairy = self.fairies.get_mut(id).unwrap();
            let text = serde_json::to_string(&fairy.stored).unwrap();
            let stored = serde_json::from_str(&text).unwrap();
            fairy.agent = Agent::restore(fairy.agent.settings.config.clone(), stored);
            fairy.asking = None;
            fairy.wake = None;
            fairy.queue.clear();
            fairy.command = None;
            fairy.modes.clear();
            let mode = fairy.agent.mode();
            if fairy.agent.run().is_some() {
                at_work.insert(id.clone());
            }
            self.board.meet(id, &format!("Name {id}"), mode);
        }
        for id in &at_work {
            self.runs += 1;
            let seed = u64::from(self.runs);
            self.feed(id, Event::Resume { seed });
        }
        let orders = self.board.happened(News::Restarted { at_work });
        self.give(orders);
        // As the host: whoever was still to hear that its project is over hears it now.
        for id in ids {
            let member = self.board.project.is_active() && self.board.project.member(&id).is_some();
            if !member && self.fairies[&id].agent.mode().is_of_a_project() {
                let mode = Mode::Idling;
                self.give(vec![Order::Rest { fairy: id, mode }]);
            }
        }
    }

    /// The room, as far as it matters here.
    fn may_draw(&self, id: &str, edits: &[Edit]) -> bool {
        let mode = self.fairies[id].agent.mode();
        if !matches!(mode, Mode::WorkingDrone | Mode::WorkingOrchestrator) {
            return true;
        }
        let Some(region) = self
            .board
            .job_of(id)
            .and_then(|job| self.board.rules.region(job))
        else {
            return false;
        };
        let mut after = self.scene.clone();
        after.apply(edits);
        let written = edits.iter().filter_map(|edit| after.any(edit.id()));
        let bodies = written.filter(|element: &&Element| element.container_id().is_none());
        bodies
            .into_iter()
            .all(|element| region.contains_rect(&bounds::bounds(element)))
    }

    /// What must hold at every moment.
    fn laws(&mut self) -> Result<(), String> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let board = &self.board;
        let mut at_work: BTreeMap<&str, &str> = BTreeMap::new();
        let mut begun: BTreeSet<&str> = BTreeSet::new();
        let busy = board
            .jobs
            .iter()
            .filter(|job| job.status == Status::InProgress);
        let busy: Vec<_> = busy.collect();
        for job in &busy {
            let Some(fairy) = job.assignee.as_deref() else {
                return Err(format!("{} is under way and nobody's", job.id));
            };
            if !begun.insert(&job.id) {
                return Err(format!("{} is owned by two", job.id));
            }
            if let Some(other) = at_work.insert(fairy, &job.id) {
                return Err(format!("{fairy} works on {other} and {}", job.id));
            }
            if board.project.member(fairy).is_none() {
                return Err(format!("{fairy} works on {} and is no member", job.id));
            }
        }
        for (at, one) in busy.iter().enumerate() {
            for other in &busy[at + 1..] {
                let meet = match (board.rules.region(one), board.rules.region(other)) {
                    (Some(a), Some(b)) => a.intersects(&b),
                    _ => true,
                };
                if meet && !self.moved {
                    return Err(format!("{} and {} overlap", one.id, other.id));
                }
            }
        }
        let at_rest = board.waits.is_empty() && busy.is_empty();
        if !(board.project.is_active() || at_rest) {
            return Err("a project is over and somebody works or waits for it".to_owned());
        }
        for wait in &board.waits {
            if wait.until.is_none() {
                return Err(format!("{} waits for ever", wait.fairy));
            }
            if board.project.member(&wait.fairy).is_none() {
                return Err(format!("{} waits and is no member", wait.fairy));
            }
        }
        Ok(())
    }

    /// What must hold when nothing more can happen.
    fn end_laws(&self) -> Result<(), String> {
        if self.events >= PATIENCE {
            return Err("it never came to an end".to_owned());
        }
        if self.board.project.is_active() {
            let modes: Vec<_> = self
                .fairies
                .iter()
                .map(|(id, one)| (id, one.agent.mode()))
                .collect();
            return Err(format!(
                "the project never ends; waits: {:?}; jobs: {:?}; modes: {modes:?}",
                self.board.waits, self.board.jobs
            ));
        }
        for (id, fairy) in &self.fairies {
            if fairy.agent.run().is_some() {
                return Err(format!("{id} has a run that never ends"));
            }
            let mode = fairy.agent.mode();
            let out = [Mode::Idling, Mode::Pausing, Mode::Sleeping];
            if !out.contains(&mode) {
                return Err(format!("{id} is left behind in {mode:?}"));
            }
        }
        if self.board.project.summary.is_none() {
            return Err("the project says nothing of how it ended".to_owned());
        }
        Ok(())
    }
}
