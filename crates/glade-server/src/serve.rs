//! Starting and stopping.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use glade_access::{AccessError, Keys};
use glade_model::Model;
use glade_sketch::SketchModel;
use glade_store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::access::Access;
use crate::allowance::Allowances;
use crate::app::App;
use crate::closing::Closing;
use crate::config::Config;
use crate::edge::cookie::SessionCookie;
use crate::edge::host::HostPolicy;
use crate::http;
use crate::listen::owner::{self, OwnerSocket};
use crate::listen::slots::Slots;
use crate::listen::{self, Connections, Door};
use crate::readiness::Readiness;
use crate::revocation::{self, Revocations};
use crate::sessions::Sessions;
use crate::work::{PROCESSING, SENDING, Work};
use glade_host::audit::{CheckpointSigner, Refusals};
use glade_host::clock::ClockError;
use glade_host::code::{self, CodeHost};
use glade_host::fairies::{COMMITS_A_SECOND, Deps, Host, HostError, Web};
use glade_host::models::{Models, NoModel, SettingsError};
use glade_host::rooms::Rooms;
use glade_host::runs::Runs;
use glade_host::workspace::{MAIN, Run, Workspace};
use glade_host::{first_start, set_aside, traces};

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("the fairies could not be woken: {0}")]
    Host(String),
    #[error(transparent)]
    NoModel(#[from] NoModel),
    #[error(transparent)]
    Network(#[from] glade_model::ClientError),
    #[error(transparent)]
    Models(#[from] SettingsError),
    #[error(
        "cannot listen on {address}: {source}. Is another server there? Choose another port with --listen"
    )]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("the revoked tokens in the data folder could not be read: {0}")]
    Revocations(std::io::Error),
    #[error(transparent)]
    Clock(#[from] ClockError),
    #[error(transparent)]
    Code(#[from] code::StartError),
    #[error("the server stopped: {0}")]
    Serve(std::io::Error),
}

impl From<HostError> for ServeError {
    fn from(error: HostError) -> Self {
        Self::Host(error.to_string())
    }
}

/// A server that listens, ready to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    owner_socket: Option<OwnerSocket>,
    door: Arc<Door>,
    owner_token: String,
    app: Arc<App>,
    watching: Vec<AbortHandle>,
}

/// How long open requests may take to end when the server stops …
const GRACE: Duration = Duration::from_secs(2);
/// … and how long the rooms may take to fold their logs.
const FOLDING: Duration = Duration::from_secs(5);

impl Server {
    /// Opens the data folder, wakes the fairies and takes the port.
    pub async fn start(config: Config) -> Result<Self, ServeError> {
        let store = Store::open(&config.data)?;
        set_aside::check_settings(&*store)?;
        let clock = config.network.clock.clone();
        clock.go_on_from(&store)?;
        let connections = Connections {
            in_all: listen::connections_in_all(config.network.connections.in_all),
            ..config.network.connections
        };
        let keys = Keys::load_or_create(&config.data.join("owner.key"))?;
        let owner_token = keys.owner_token()?;
        let sketch: Arc<dyn Model> = Arc::new(SketchModel::new(config.sketch_pace));
        let environment = Box::new(|name: &str| std::env::var(name).ok());
        let models = Models::find([sketch], &config.model, &config.data, environment)?;
        models.need_default()?;
        let models = Arc::new(models.asking_at_once(config.at_once));
        // The first fairy names no model: it thinks with whatever `--model` says.
        store.keep_checkpoints(MAIN, Box::new(CheckpointSigner::of(&config.data)?))?;
        first_start::furnish(&store, "")?;
        code::recover(&store, config.project.as_deref())?;

        traces::start(&|name: &str| std::env::var(name).ok());
        let listener =
            TcpListener::bind(config.listen)
                .await
                .map_err(|source| ServeError::Listen {
                    address: config.listen,
                    source,
                })?;
        let address = listener.local_addr().map_err(ServeError::Serve)?;
        let owner_socket = owner::open(&config.data);

        let sessions = Sessions::open(store.clone())?;
        let revoked = Revocations::open(store.clone(), sessions.clone())?;
        let folder = config.data.join(revocation::FOLDER);
        // Before anyone can come in.
        revoked
            .take_in(&folder)
            .await
            .map_err(ServeError::Revocations)?;
        let watching = tokio::spawn(revoked.clone().watch_folder(folder)).abort_handle();
        let cookie = SessionCookie::new(&keys.fingerprint());
        let workspace = Arc::new(Workspace::open(store.clone())?.with_teams(config.teams));
        let rows = Arc::clone(&workspace);
        let heard = Arc::new(move |row| match Run::from_rows(row, Vec::new()) {
            Ok(run) => rows.show_run(run),
            Err(unreadable) => rows.set_aside(unreadable),
        });
        let deps = Deps {
            store: store.clone(),
            rooms: Arc::new(
                Rooms::tuned(store.clone(), config.rooms, heard)
                    .with_clock(clock.clone())
                    .recorded_in(config.record_rooms),
            ),
            workspace,
            models: Arc::clone(&models),
            commits_a_second: COMMITS_A_SECOND,
            outside: if config.outside_data {
                Some(Arc::new(Web::new(glade_model::Client::new()?)))
            } else {
                None
            },
        };
        deps.rooms.keep_tidy();
        deps.rooms.plug(deps.workspace.plugins().enabled);
        let host = Host::start(deps.clone()).await?;
        let code = match &config.project {
            Some(folder) => Some(CodeHost::open(
                folder,
                code::Deps {
                    data: config.data.clone(),
                    store: store.clone(),
                    workspace: Arc::clone(&deps.workspace),
                    models: Arc::clone(&models),
                    sketch_pace: config.sketch_pace,
                },
            )?),
            None => None,
        };
        let access = Arc::new(Access::new(keys, cookie, sessions, revoked, clock));
        let timing = tokio::spawn(Arc::clone(&access).keep_time(store.clone())).abort_handle();
        host.watch_validity(Arc::<Access>::clone(&access));
        let runs = Runs {
            store: store.clone(),
            workspace: Arc::clone(&deps.workspace),
            rooms: Arc::clone(&deps.rooms),
            fairies: Arc::clone(&host),
            code,
        };
        let app = Arc::new(App {
            access,
            refusals: Refusals::new(store.clone()),
            store,
            rooms: deps.rooms,
            workspace: deps.workspace,
            host,
            runs,
            models,
            closing: Closing::default(),
            fragments: Arc::default(),
            queued: Arc::default(),
            readiness: Readiness::default(),
            allowances: Allowances::default(),
            work: Arc::new(Work::new(PROCESSING)),
            sending: Arc::new(Work::new(SENDING)),
        });
        let policy = HostPolicy::new(address, config.host_names);
        let door = Arc::new(Door {
            router: http::router(Arc::clone(&app), policy, config.studio),
            proxies: config.network.trusted_proxies,
            slots: Arc::new(Slots::new(connections)),
            closing: app.closing.clone(),
        });
        Ok(Self {
            listener,
            address,
            owner_socket,
            door,
            owner_token,
            app,
            watching: vec![watching, timing],
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The owner's way in. Whoever has it can do everything.
    pub fn owner_link(&self) -> String {
        let host = match self.address {
            SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
            SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
            other => other.to_string(),
        };
        format!("http://{host}/#key={}", self.owner_token)
    }

    pub fn owner_token(&self) -> &str {
        &self.owner_token
    }

    /// Serves until `stop` resolves, then ends in order: takes no more connections, tells those that
    /// are open (WebSocket code 1001), lets the fairies go, folds the rooms' logs, signs the audit
    /// chain. Takes some seconds at the most: whatever was acknowledged is on disk already.
    pub async fn run(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let serving = listen::serve(self.door, self.listener, self.owner_socket);
        let mut serving = tokio::spawn(serving);
        stop.await;
        tracing::info!("the server stops");
        self.app.closing.begin();
        if tokio::time::timeout(GRACE, &mut serving).await.is_err() {
            tracing::debug!("some connections did not end in time");
            serving.abort();
        }
        for task in self.watching {
            task.abort();
        }
        self.app.access.clock.keep(&self.app.store).await?;
        self.app.host.end();
        self.app.rooms.close_all(FOLDING).await;
        self.app.store.seal()?;
        Ok(())
    }
}
