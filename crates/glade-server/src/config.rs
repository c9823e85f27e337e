//! What a server is told at its start.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::edge::assets::Studio;
use crate::listen::Network;
use glade_host::models::AtOnce;
use glade_host::rooms::Tuning;
use glade_host::workspace::Teams;

#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    pub data: PathBuf,
    /// The model of fairies that name none.
    pub model: String,
    /// Words a second of the built-in model; 0: as fast as it can.
    pub sketch_pace: f64,
    /// Names besides localhost under which the server may be called.
    pub host_names: Vec<String>,
    /// The folder of the code project, if one is open.
    pub project: Option<PathBuf>,
    /// Whether fairies may look things up outside: Wikipedia and restcountries.com.
    pub outside_data: bool,
    /// When rooms tidy up.
    pub rooms: Tuning,
    /// Where every room's inputs are recorded, if they are; for `glade replay`.
    pub record_rooms: Option<PathBuf>,
    /// What projects are held to.
    pub teams: Teams,
    /// How many requests to models may be under way.
    pub at_once: AtOnce,
    /// Who is let in, and how many at once.
    pub network: Network,
    /// The studio's files; without them the server has its interface alone.
    pub studio: Studio,
}

impl Config {
    /// A server on a free port of this machine, with the built-in model as fast as it can, without a studio.
    pub fn in_folder(data: impl Into<PathBuf>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: data.into(),
            model: "sketch".to_owned(),
            sketch_pace: 0.0,
            host_names: Vec::new(),
            project: None,
            outside_data: false,
            rooms: Tuning::default(),
            record_rooms: None,
            teams: Teams::default(),
            at_once: AtOnce::default(),
            network: Network::default(),
            studio: |_| None,
        }
    }
}
