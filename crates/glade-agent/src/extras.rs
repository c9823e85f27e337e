//! Actions and parts of somebody else's making, beside the fairy's own.

use crate::action::AnyAction;
use crate::mode::ModeRow;
use crate::part::Part;

/// What a host adds to a fairy; see [`crate::Settings::extras`]. Extra actions and parts are there in
/// every mode in which a model is asked at all; a name of the fairy's own keeps its meaning.
#[derive(Clone, Copy, Default)]
pub struct Extras {
    pub actions: &'static [&'static dyn AnyAction],
    pub parts: &'static [&'static dyn Part],
}

impl std::fmt::Debug for Extras {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let actions: Vec<&str> = self.actions.iter().map(|action| action.name()).collect();
        let parts: Vec<&str> = self.parts.iter().map(|part| part.name()).collect();
        f.debug_struct("Extras")
            .field("actions", &actions)
            .field("parts", &parts)
            .finish()
    }
}

impl Extras {
    /// All actions of a mode: its own, then the extra ones.
    pub fn actions_of(self, row: &ModeRow) -> impl Iterator<Item = &'static dyn AnyAction> {
        let active = !row.parts.is_empty();
        let extra = self.actions.iter().copied();
        crate::action::allowed(row).chain(extra.filter(move |_| active))
    }
}
