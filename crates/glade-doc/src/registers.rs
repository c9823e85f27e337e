//! The layers of one register: which pending rows wrote it, one over the other.
//!
//! Nothing here knows Loro. A layer remembers the value that it covered, so undoing any of them in
//! any order is a matter of passing that value on to the right place: to the register if the layer
//! shows, to the layer above if not.

use serde_json::Value;

use crate::{PeerId, TouchKey};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layer {
    pub key: TouchKey,
    pub peer: PeerId,
    pub derived: bool,
    pub before: Option<Value>,
    pub before_by: Option<PeerId>,
}

/// A register's layers from the bottom up, nobody's deliberate write among or above them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Layers {
    pub layers: Vec<Layer>,
    /// Somebody's derived write lies on top.
    pub derived_over: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct UndoOutcome {
    /// The value to write, if any: `Some(None)` where there was none before.
    pub write: Option<Option<Value>>,
    /// Chosen layers whose effect cannot show, and who lies over them.
    pub kept: Vec<(TouchKey, PeerId)>,
}

impl Layers {
    /// Take the chosen layers out.
    ///
    /// Derived layers do not protect what is below them: with the last deliberate layer go all
    /// derived ones above it. A derived layer itself gives way to any later derived write, which
    /// was computed from a newer state.
    pub(crate) fn undo(&mut self, chosen: &dyn Fn(&TouchKey) -> bool) -> UndoOutcome {
        let mut outcome = UndoOutcome::default();
        loop {
            let last_deliberate = self.layers.iter().rposition(|layer| !layer.derived);
            let top = match last_deliberate {
                Some(at) if chosen(&self.layers[at].key) => at,
                _ => match self.layers.last() {
                    Some(top) if top.derived && !self.derived_over && chosen(&top.key) => {
                        self.layers.len() - 1
                    }
                    _ => break,
                },
            };
            outcome.write = Some(self.layers[top].before.clone());
            self.layers.truncate(top);
            self.derived_over = false;
        }
        self.splice(chosen, &mut outcome);
        outcome
    }

    /// Take out chosen layers that something covers: what they covered is what their cover covers.
    fn splice(&mut self, chosen: &dyn Fn(&TouchKey) -> bool, outcome: &mut UndoOutcome) {
        let mut at = 0;
        while at < self.layers.len() {
            if !chosen(&self.layers[at].key) {
                at += 1;
                continue;
            }
            let gone = self.layers.remove(at);
            if !gone.derived
                && let Some(cover) = self.layers[at..].iter().find(|layer| !layer.derived)
            {
                outcome.kept.push((gone.key, cover.peer));
            }
            if let Some(cover) = self.layers.get_mut(at) {
                cover.before = gone.before;
                cover.before_by = gone.before_by;
            }
        }
    }

    /// Take one layer out from under another; nothing shows.
    pub(crate) fn undo_covered(&mut self, key: &TouchKey) {
        self.splice(&|other| other == key, &mut UndoOutcome::default());
    }

    /// Let the chosen layers stand for good. Answers the layers that are thereby covered for good,
    /// and by whom.
    pub(crate) fn keep(&mut self, chosen: &dyn Fn(&TouchKey) -> bool) -> Vec<(TouchKey, PeerId)> {
        let mut covered = Vec::new();
        while let Some(at) = self.layers.iter().rposition(|layer| chosen(&layer.key)) {
            let kept = self.layers.remove(at);
            if kept.derived {
                // On top it goes on being a derived write that does not count.
                self.derived_over |= at == self.layers.len() && at > 0;
                continue;
            }
            for below in self.layers.drain(..at) {
                if !chosen(&below.key) {
                    covered.push((below.key, kept.peer));
                }
            }
        }
        covered
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(run: &str) -> TouchKey {
        TouchKey {
            element: "e".into(),
            property: "x".into(),
            run: run.into(),
            action: 0,
        }
    }

    fn layer(run: &str, peer: PeerId, before: i32) -> Layer {
        Layer {
            key: key(run),
            peer,
            derived: false,
            before: Some(json!(before)),
            before_by: None,
        }
    }

    fn derived(run: &str, peer: PeerId, before: i32) -> Layer {
        Layer {
            derived: true,
            ..layer(run, peer, before)
        }
    }

    fn undo(layers: &mut Layers, runs: &[&str]) -> UndoOutcome {
        layers.undo(&|key| runs.contains(&key.run.as_str()))
    }

    #[test]
    fn undoing_the_top_layer_shows_what_it_covered() {
        let mut layers = Layers {
            layers: vec![layer("a", 1, 0), layer("b", 2, 1)],
            derived_over: true,
        };
        assert_eq!(undo(&mut layers, &["b"]).write, Some(Some(json!(1))));
        assert_eq!(
            layers,
            Layers {
                layers: vec![layer("a", 1, 0)],
                derived_over: false
            }
        );
    }

    #[test]
    fn undoing_a_covered_layer_changes_only_what_its_cover_covers() {
        let mut layers = Layers {
            layers: vec![layer("a", 1, 0), layer("b", 2, 1)],
            derived_over: false,
        };
        assert_eq!(
            undo(&mut layers, &["a"]),
            UndoOutcome {
                write: None,
                kept: vec![(key("a"), 2)]
            }
        );
        assert_eq!(layers.layers, vec![layer("b", 2, 0)]);
    }

    #[test]
    fn a_derived_layer_protects_nothing_below_it() {
        let mut layers = Layers {
            layers: vec![layer("a", 1, 0), derived("b", 2, 1)],
            derived_over: false,
        };
        assert_eq!(
            undo(&mut layers, &["a"]),
            UndoOutcome {
                write: Some(Some(json!(0))),
                kept: vec![]
            }
        );
        assert_eq!(layers.layers, vec![]);
    }

    #[test]
    fn a_derived_layer_gives_way_to_a_later_derived_write() {
        let mut layers = Layers {
            layers: vec![derived("a", 1, 0)],
            derived_over: true,
        };
        assert_eq!(undo(&mut layers, &["a"]), UndoOutcome::default());
        assert_eq!(layers.layers, vec![]);

        let mut layers = Layers {
            layers: vec![derived("a", 1, 0), derived("b", 2, 1)],
            derived_over: false,
        };
        assert_eq!(undo(&mut layers, &["a"]), UndoOutcome::default());
        assert_eq!(layers.layers, vec![derived("b", 2, 0)]);
    }

    #[test]
    fn a_kept_layer_covers_those_below_it_for_good() {
        let mut layers = Layers {
            layers: vec![layer("a", 1, 0), layer("b", 2, 1), layer("c", 3, 2)],
            derived_over: false,
        };
        assert_eq!(
            layers.keep(&|key| key == &self::key("b")),
            vec![(key("a"), 2)]
        );
        assert_eq!(layers.layers, vec![layer("c", 3, 2)]);
    }
}
