//! The host through its own doors: a real store, real rooms, a model that says what it is told.

mod actions;
mod beside;
mod commenting;
mod drawing;
mod finding_out;
mod hidden;
mod looping;
mod people;
mod recovering;
mod seeing;
mod stage;
mod stopping;
mod storing;
mod teams;
