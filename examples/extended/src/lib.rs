//! A Glade of one's own. What `docs/extending.md` shows is this code, a file for each thing.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod census;
mod dimming;
mod fade;
mod shout;

use glade_agent::Extensions;

// docs: register
pub static EXTENSIONS: Extensions = Extensions {
    actions: &[&fade::Fade, &shout::Shout],
    parts: &[&census::CensusPart],
    modes: &[&dimming::ROW],
    plugins: &[&shout::PLUGIN],
};
// docs: end
