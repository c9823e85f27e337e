//! Drawing a diagram, and changing one: the model says the structure, the layout engine places it.

use glade_canvas::Element;
use glade_canvas::diagram::draw::Laid;
use glade_canvas::diagram::{self as drawn, read};
use glade_canvas::{Rect, Scene};
use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::diagram::ask::{self, Asked};
use crate::diagram::merge::{self, Outside};
use crate::diagram::place::{self, Known};
use crate::diagram::{Found, Meant, Work, put};
use crate::facts::{Facts, Impact, On, Work as Kind};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, short};

pub struct Draw;

static FACTS: Facts = Facts::new(
    "diagram",
    "🗺️",
    "draw anything with structure (flows, org charts, mind maps, sequences, timelines, boards, grids) by saying its nodes, \
     edges and groups: it is laid out for you, beside what is there. To change one that is there, say its diagramId and no \
     kind, and only what is new or other, by the ids of its nodes; remove takes nodes, groups, or edges as \"a->b\"",
    On::Canvas,
    Kind::Edit,
    Impact::Edits,
)
.live()
.once();

pub struct Clean {
    id: String,
    asked: Asked,
    known: Known,
}

impl Described for Draw {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent()];
        fields.extend(ask::fields());
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        ask::OPTIONAL
    }
}

impl Action for Draw {
    type Clean = Clean;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Clean>, Refusal> {
        let asked = Asked::read(given);
        let is_whole = given.is_complete();
        // The kind comes before what is drawn, if it is said at all.
        let said = ["groups", "nodes", "edges", "remove"];
        let settled = is_whole || said.iter().any(|key| given.has(key));
        let id = asked.id.clone().filter(|_| settled);
        if asked.is_empty() && is_whole {
            return Err(Refusal::new("the diagram has no nodes, edges or changes"));
        }
        let id = match id {
            Some(id) => id,
            None if is_whole => "diagram".to_owned(),
            None => return Ok(None),
        };
        if asked.is_empty() {
            return Ok(None);
        }
        // Who says a kind means a new one, whatever it is called, unless it is the very id of one that is there.
        let meant = match asked.kind {
            Some(_) => Meant::ByItsId,
            None => Meant::ByAnyName,
        };
        if ctx
            .diagram()
            .as_ref()
            .is_none_or(|work| work.meant != meant)
        {
            let found = find(ctx, &id, meant);
            *ctx.diagram() = Some(Work {
                found,
                last: None,
                meant,
            });
        }
        Ok(Some(Clean {
            id,
            asked,
            known: if is_whole {
                Known::Wholly
            } else {
                Known::Partly
            },
        }))
    }

    fn apply(&self, clean: &Clean, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let mut work = ctx.diagram().clone().unwrap_or_default();
        let found = work.found.as_ref().map(|found| &found.diagram);
        let own_id = match found {
            Some(found) => found.id.clone(),
            None => ctx.part_id(&clean.id),
        };
        let mut wanted = merge::merge(&own_id, found, &clean.asked, &Page { ctx });
        if wanted.diagram.nodes.is_empty() && wanted.removed.is_empty() {
            return Err(Refusal::new(format!(
                "there is no diagram \"{}\" to change",
                clean.id
            )));
        }
        place::fit_words(ctx, &work, &mut wanted);
        place::heed_people(ctx, &work, &mut wanted);
        let placed = place::place(ctx, &work, &mut wanted, clean.known)?;
        let laid = Laid {
            diagram: &wanted.diagram,
            layout: placed.layout(),
            by: placed.by(),
        };
        let orphans = work.found.as_ref().map_or(&[][..], |found| &found.orphans);
        let elements = put::put(ctx, &wanted, &laid, orphans);
        let place = laid.extent();
        let name = name_of(&wanted.diagram);
        let verb = match work.found {
            Some(_) => ("changing", "changed"),
            None => ("drawing", "drew"),
        };
        work.last = Some(placed);
        *ctx.diagram() = Some(work);
        Ok(Shown {
            doing: format!("{} {name}", verb.0),
            done: format!("{} {name}", verb.1),
            place,
            elements,
            ..Shown::default()
        })
    }
}

fn name_of(diagram: &drawn::Diagram) -> String {
    let kind = drawn::name_of_kind(diagram.manner.kind).replace('-', " ");
    match diagram
        .title
        .as_ref()
        .filter(|title| !title.text.is_empty())
    {
        Some(title) => format!("the {kind} {}", short(&title.text)),
        None => {
            let texts = diagram.nodes.iter().map(|node| node.text.trim());
            let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
            match texts.as_slice() {
                [] => format!("a {kind} of {}", diagram.nodes.len()),
                texts => format!("a {kind}: {}", short(&texts.join(", "))),
            }
        }
    }
}

/// The diagram that the model means: by its id, by the id that it was asked for under, or by a shape of it.
fn find(ctx: &ActionContext<'_, '_>, word: &str, meant: Meant) -> Option<Found> {
    let ids = read::ids(ctx.draft.live());
    let by_shape = || {
        let element = ctx.draft.get(&ctx.resolve(word)?)?;
        Some(drawn::mark::Mark::of(element)?.of)
    };
    // The newest lies uppermost.
    let asked = || ids.iter().rfind(|id| is_made_of(id, word)).cloned();
    let exact = ids.iter().find(|id| *id == word).cloned();
    let known = match meant {
        Meant::ByItsId => exact?,
        Meant::ByAnyName => exact.or_else(asked).or_else(by_shape)?,
    };
    let own = |element: &&Element| {
        let mark = drawn::mark::Mark::of(element);
        mark.is_some_and(|mark| mark.of == known)
    };
    let elements: Vec<ElementId> = ctx
        .draft
        .live()
        .filter(own)
        .map(|it| it.id.clone())
        .collect();
    let scene: Scene = ctx.before(&elements);
    let found = read::diagram(&scene, &known)?;
    Some(Found {
        diagram: found.diagram,
        orphans: found.orphans,
    })
}

/// Whether an id was made from this name.
fn is_made_of(id: &str, name: &str) -> bool {
    let stem = id.rsplit_once('-').map_or(id, |(stem, _)| stem);
    stem == crate::ids::stem(name)
}

/// The page as the words of a model mean it.
struct Page<'c, 'a, 'w> {
    ctx: &'c ActionContext<'a, 'w>,
}

impl Outside for Page<'_, '_, '_> {
    fn guest(&self, word: &str) -> Option<drawn::Node> {
        let id = self.ctx.resolve(word)?;
        let element = self.ctx.draft.get(&id)?;
        if self.ctx.is_own(&id) || !put::can_be_led_to(element) {
            return None;
        }
        let scene = self.ctx.draft.around([&id]);
        Some(read::guest_node(&scene, element))
    }

    fn element(&self, word: &str) -> Option<ElementId> {
        self.ctx.resolve(word)
    }
}

/// Everything that the diagram of this id must not lie on.
impl ActionContext<'_, '_> {
    pub(crate) fn obstacles(&self, diagram: &str) -> Vec<Rect> {
        let is_of_it =
            |element: &Element| drawn::mark::Mark::of(element).is_some_and(|it| it.of == diagram);
        let others = self.draft.live().filter(|element| {
            !self.is_own(&element.id) && element.container_id().is_none() && !is_of_it(element)
        });
        others.map(glade_canvas::bounds::bounds).collect()
    }
}
