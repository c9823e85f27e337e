//! Everybody known to the workspace: what they are called, whether they are here, and where.
//!
//! A person is known from the first time they come in. What others may see of them is decided for
//! each viewer ([`Person::seen_by`]): a page that the viewer may not read is not said to exist by
//! saying who is on it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use glade_access::{Capability, Op, PageRef};
use glade_store::{Listed, PersonRow, Unreadable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names;
use crate::rooms::ConnId;

/// A person as one viewer sees them.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub subject: String,
    pub name: String,
    pub online: bool,
    /// When they were last here, in milliseconds since 1970; absent while they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<i64>,
    /// The page that they look at.
    #[schema(required)]
    pub page: Option<String>,
    /// What the token that they last came with allows.
    pub ops: BTreeSet<Op>,
    #[serde(skip)]
    reach: Reach,
}

/// Who said something in a chat, by the name that they had then.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asker {
    pub subject: String,
    pub name: String,
}

/// Which pages a person can get to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Reach {
    pages: Option<BTreeSet<String>>,
    tiers: Option<BTreeSet<String>>,
}

impl Reach {
    fn holds(&self, page: &PageRef<'_>) -> bool {
        let within = |limit: &Option<BTreeSet<String>>, name: &str| {
            limit.as_ref().is_none_or(|names| names.contains(name))
        };
        within(&self.pages, page.id) && within(&self.tiers, page.tier)
    }
}

/// How a person's rights lie in their row.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Rights {
    #[serde(default)]
    ops: BTreeSet<Op>,
    #[serde(flatten)]
    reach: Reach,
}

impl Rights {
    pub fn of(row: &PersonRow) -> Result<Self, Unreadable> {
        Unreadable::exact_json("person", &row.subject, "rights_json", &row.rights_json)
    }
}

impl Person {
    /// Somebody of whom nothing is known but the subject: as far as anybody can tell, they reach
    /// no page. Only the owner is known to reach all.
    pub fn of(subject: &str) -> Self {
        let name = subject.split_once(':').map_or(subject, |(_, name)| name);
        let mut letters = name.chars();
        let name = letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect()
        });
        Self {
            subject: subject.to_owned(),
            name,
            online: false,
            last_seen: None,
            page: None,
            ops: BTreeSet::new(),
            reach: match subject {
                glade_access::OWNER => Reach::default(),
                _ => Reach {
                    pages: Some(BTreeSet::new()),
                    tiers: None,
                },
            },
        }
    }

    /// As `viewer` may see them; `None` when the two share no page.
    pub fn seen_by<'a>(
        mut self,
        viewer: &Capability,
        pages: impl IntoIterator<Item = PageRef<'a>>,
    ) -> Option<Person> {
        let mut shared = viewer.sees_all() || self.subject == viewer.subject;
        let mut looks_at_readable = false;
        for page in pages {
            if viewer.allows(Op::Read, &page) {
                shared |= self.reach.holds(&page);
                looks_at_readable |= self.page.as_deref() == Some(page.id);
            }
        }
        self.page = self.page.filter(|_| looks_at_readable);
        shared.then_some(self)
    }
}

#[derive(Default)]
pub(super) struct People {
    known: BTreeMap<String, Known>,
    /// Whose rows cannot be read: they are strangers, and the rows stay as they are.
    set_aside: BTreeSet<String>,
}

struct Known {
    person: Person,
    /// Event streams that they listen to.
    streams: usize,
    /// The pages that they have open, the newest last.
    open: Vec<(ConnId, String)>,
    /// Forgotten when they leave: whoever handed on their link has handed on enough.
    passing: bool,
}

/// Names that are remembered of those to whom one person handed a link on: anybody can make names of
/// their own below theirs, as many as they like.
const MOST_BELOW_ONE: usize = 200;

impl People {
    pub(super) fn open(found: Listed<PersonRow>) -> Self {
        let mut people = Self {
            set_aside: found.unreadable.into_iter().map(|one| one.key).collect(),
            ..Self::default()
        };
        people.meet(glade_access::OWNER);
        // Whoever came with the owner's name before there was a rule gives way.
        let (owners, others): (Vec<_>, Vec<_>) = found
            .rows
            .into_iter()
            .partition(|row| row.subject == glade_access::OWNER);
        for row in owners.into_iter().chain(others) {
            let Ok(rights) = Rights::of(&row) else {
                people.set_aside.insert(row.subject);
                continue;
            };
            let name = people.free_name(&row.name, &row.subject);
            let person = &mut people.meet(&row.subject).person;
            person.name = name;
            person.last_seen = Some(row.seen_ms);
            person.ops = rights.ops;
            person.reach = rights.reach;
        }
        people
    }

    fn meet(&mut self, subject: &str) -> &mut Known {
        let person = self.get(subject).unwrap_or_else(|| self.stranger(subject));
        let passing = self.is_one_too_many(subject);
        self.known
            .entry(subject.to_owned())
            .or_insert_with(|| Known {
                person,
                streams: 0,
                open: Vec::new(),
                passing,
            })
    }

    /// Whether enough are known already of those whose links come from the same person.
    fn is_one_too_many(&self, subject: &str) -> bool {
        let Some((root, _)) = subject.split_once('/') else {
            return false;
        };
        let below = format!("{root}/");
        let known = self.known.range(below.clone()..);
        known.take_while(|(it, _)| it.starts_with(&below)).count() >= MOST_BELOW_ONE
    }

    /// Somebody who never came in, under a name that nobody else has.
    pub(super) fn stranger(&self, subject: &str) -> Person {
        let mut person = Person::of(subject);
        person.name = self.free_name(&person.name, subject);
        person
    }

    /// Whether somebody else is called that, or something that looks like it.
    pub(super) fn is_taken(&self, name: &str, subject: &str) -> bool {
        let mut others = self.known.iter().filter(|(other, _)| *other != subject);
        others.any(|(_, known)| names::alike(&known.person.name, name))
    }

    /// The name, told apart from everybody else's.
    pub(super) fn free_name(&self, name: &str, subject: &str) -> String {
        // Once for all numbers that are tried: many may have the same name.
        let others = self.known.iter().filter(|(other, _)| *other != subject);
        let taken: HashSet<String> = others
            .map(|(_, known)| names::look(&known.person.name))
            .collect();
        names::told_apart(name, |name| taken.contains(&names::look(name)))
    }

    pub(super) fn all(&self) -> Vec<Person> {
        self.known
            .values()
            .map(|known| known.person.clone())
            .collect()
    }

    pub(super) fn get(&self, subject: &str) -> Option<Person> {
        self.known.get(subject).map(|known| known.person.clone())
    }

    pub(super) fn name(&self, subject: &str) -> Option<String> {
        let known = self.known.get(subject);
        known.map(|known| known.person.name.clone())
    }

    /// The row of somebody who is here or was until now.
    pub(super) fn row(&self, subject: &str, now_ms: i64) -> Option<PersonRow> {
        let known = self.known.get(subject).filter(|known| !known.passing)?;
        if self.set_aside.contains(subject) {
            return None;
        }
        let person = &known.person;
        let rights = Rights {
            ops: person.ops.clone(),
            reach: person.reach.clone(),
        };
        Some(PersonRow {
            subject: subject.to_owned(),
            name: person.name.clone(),
            rights_json: serde_json::to_string(&rights).unwrap_or_default(),
            seen_ms: now_ms,
        })
    }

    /// Lets `change` happen to somebody; the person, if it made a difference to see.
    pub(super) fn change(
        &mut self,
        subject: &str,
        now_ms: i64,
        change: impl FnOnce(&mut Seat<'_>),
    ) -> Option<Person> {
        let known = self.meet(subject);
        let before = known.person.clone();
        change(&mut Seat(known));
        let here = known.streams > 0 || !known.open.is_empty();
        known.person.page = known.open.last().map(|(_, page)| page.clone());
        match (before.online, here) {
            (_, true) => known.person.last_seen = None,
            (true, false) => known.person.last_seen = Some(now_ms),
            (false, false) => {}
        }
        known.person.online = here;
        let changed = (known.person != before).then(|| known.person.clone());
        if known.passing && !here {
            self.known.remove(subject);
        }
        changed
    }
}

/// What can happen to a person.
pub(super) struct Seat<'a>(&'a mut Known);

impl Seat<'_> {
    pub(super) fn came(&mut self, capability: &Capability) {
        self.0.streams += 1;
        self.holds(capability);
    }

    pub(super) fn left(&mut self) {
        self.0.streams = self.0.streams.saturating_sub(1);
    }

    pub(super) fn opened(&mut self, conn: ConnId, page: &str, capability: &Capability) {
        self.closed(conn, page);
        self.0.open.push((conn, page.to_owned()));
        self.holds(capability);
    }

    pub(super) fn closed(&mut self, conn: ConnId, page: &str) {
        self.0.open.retain(|(at, open)| *at != conn || open != page);
    }

    pub(super) fn called(&mut self, name: &str, capability: &Capability) {
        self.0.person.name = name.to_owned();
        self.holds(capability);
    }

    fn holds(&mut self, capability: &Capability) {
        self.0.person.ops = capability.ops().clone();
        self.0.person.reach = Reach {
            pages: capability.pages().cloned(),
            tiers: capability.tiers().cloned(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: PageRef<'static> = PageRef {
        id: "pg_p",
        tier: "public",
    };
    const SECRET: PageRef<'static> = PageRef {
        id: "pg_s",
        tier: "secret",
    };

    fn holder(subject: &str, tier: Option<&str>) -> Capability {
        let whole = Capability::local("main", subject).unwrap();
        let Some(tier) = tier else { return whole };
        let narrower = glade_access::Narrower {
            tiers: Some(BTreeSet::from([tier.to_owned()])),
            ..Default::default()
        };
        whole.narrow(&narrower).unwrap()
    }

    #[test]
    fn who_looks_at_a_page_is_told_only_to_those_who_may_read_it() {
        let mut people = People::default();
        let ann = holder("person:ann", None);
        people.change("person:ann", 1, |seat| {
            seat.opened(ConnId(1), "pg_s", &ann);
        });
        let ann = people.get("person:ann").unwrap();
        let seen = |tier| {
            let viewer = holder("person:guest", tier);
            let person = ann.clone().seen_by(&viewer, [PUBLIC, SECRET]).unwrap();
            (person.online, person.page)
        };
        assert_eq!(seen(None), (true, Some("pg_s".to_owned())));
        assert_eq!(seen(Some("public")), (true, None));
    }

    #[test]
    fn who_shares_no_page_with_a_viewer_is_not_shown_to_them() {
        let mut people = People::default();
        let mole = holder("person:mole", Some("secret"));
        people.change("person:mole", 1, |seat| seat.came(&mole));
        let mole = people.get("person:mole").unwrap();
        let seen = |tier| {
            mole.clone()
                .seen_by(&holder("person:guest", tier), [PUBLIC, SECRET])
        };
        assert_eq!(seen(None), Some(mole.clone()));
        assert_eq!(seen(Some("public")), None);
    }

    #[test]
    fn a_person_is_here_while_anything_of_theirs_is_open_and_was_seen_when_it_closed() {
        let mut people = People::default();
        let ann = holder("person:ann", None);
        let state = |people: &People| {
            let ann = people.get("person:ann").unwrap();
            (ann.online, ann.page, ann.last_seen)
        };
        people.change("person:ann", 1, |seat| seat.came(&ann));
        people.change("person:ann", 2, |seat| {
            seat.opened(ConnId(1), "pg_p", &ann);
        });
        people.change("person:ann", 3, |seat| {
            seat.opened(ConnId(2), "pg_s", &ann);
        });
        assert_eq!(state(&people), (true, Some("pg_s".to_owned()), None));
        people.change("person:ann", 4, |seat| seat.closed(ConnId(2), "pg_s"));
        assert_eq!(state(&people), (true, Some("pg_p".to_owned()), None));
        people.change("person:ann", 5, |seat| seat.closed(ConnId(1), "pg_p"));
        assert_eq!(people.change("person:ann", 6, |_| {}), None);
        people.change("person:ann", 7, |seat| seat.left());
        assert_eq!(state(&people), (false, None, Some(7)));
    }

    #[test]
    fn names_made_up_below_ones_own_are_forgotten_when_there_are_many() {
        let mut people = People::default();
        for n in 0..MOST_BELOW_ONE + 50 {
            let subject = format!("person:eve/{n:04}");
            let eve = holder(&subject, None);
            people.change(&subject, 1, |seat| seat.came(&eve));
            assert!(people.get(&subject).is_some_and(|person| person.online));
            people.change(&subject, 2, |seat| seat.left());
        }
        let rows = people.all().into_iter();
        let rows = rows.filter_map(|person| people.row(&person.subject, 3));
        assert_eq!(rows.count(), MOST_BELOW_ONE);
        assert_eq!(people.all().len(), MOST_BELOW_ONE);
        let ann = holder("person:ann", None);
        people.change("person:ann", 1, |seat| seat.came(&ann));
        assert!(people.row("person:ann", 1).is_some());
    }

    #[test]
    fn what_is_known_of_a_person_survives_in_their_row() {
        let mut people = People::default();
        let ann = holder("person:ann", Some("public"));
        people.change("person:ann", 1, |seat| {
            seat.came(&ann);
            seat.called("Ann B.", &ann);
        });
        people.change("person:ann", 9, |seat| seat.left());
        let row = people.row("person:ann", 9).unwrap();
        let again = People::open(Listed {
            rows: vec![row],
            unreadable: Vec::new(),
        });
        assert_eq!(again.get("person:ann"), people.get("person:ann"));
    }
}
