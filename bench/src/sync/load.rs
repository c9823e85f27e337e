//! Rooms of clients that edit at a given rate, and how long their edits take to the others.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use super::marker;
use super::server::{Server, own_cpu};
use super::websocket::{self, Inbox, Kind};

/// What is asked of a server.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    pub rooms: usize,
    pub clients: usize,
    /// Edits a second, of all clients in all rooms together.
    pub rate: usize,
    pub warm_up: Duration,
    pub measured: Duration,
}

/// What came of it. Times are milliseconds; infinite where too much never arrived.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    pub p50: f64,
    pub p99: f64,
    /// Durable acknowledgements, where the server gives them.
    pub ack: Option<(f64, f64)>,
    /// Deliveries that were due and never came, as a share.
    pub lost: f64,
    /// The server's processor time for an edit to reach one receiver, in microseconds.
    pub cpu_per_delivery: f64,
    /// How busy the client's core was: near 1, the client is what is measured.
    pub client: f64,
}

/// How long to wait for what is still on its way.
const DRAIN: Duration = Duration::from_secs(1);
const STEP: Duration = Duration::from_millis(1);
const SETTLE: Duration = Duration::from_millis(300);

pub fn run(server: &Server, load: Load) -> Result<Outcome> {
    block_on(async {
        let rooms = server.rooms(load.rooms).await?;
        drive(server, &rooms, load).await
    })
}

/// In rooms that are there already.
pub fn run_in(server: &Server, rooms: &[String], load: Load) -> Result<Outcome> {
    block_on(drive(server, rooms, load))
}

fn block_on(work: impl Future<Output = Result<Outcome>>) -> Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    LocalSet::new().block_on(&runtime, work)
}

/// What all tasks share; there is one thread.
struct Field {
    load: Load,
    started: Option<Instant>,
    /// For each receiver and each sender of its room: the next edit it has not seen.
    next: Vec<Vec<usize>>,
    latencies: Vec<u32>,
    acks: Vec<u32>,
    problem: Option<anyhow::Error>,
}

impl Field {
    fn people(&self) -> usize {
        self.load.rooms * self.load.clients
    }

    /// When, after the start, an edit is due.
    fn due(&self, who: usize, count: usize) -> Duration {
        let at = count * self.people() + who;
        Duration::from_secs_f64(at as f64 / self.load.rate as f64)
    }

    fn latency(&self, who: usize, count: usize, now: Duration) -> Option<u32> {
        let due = self.due(who, count);
        (due >= self.load.warm_up).then(|| micros(now.saturating_sub(due)))
    }

    fn seen(&mut self, receiver: usize, who: usize, count: usize, now: Duration) {
        let room = receiver / self.load.clients;
        if who == receiver || who / self.load.clients != room {
            return;
        }
        let slot = who % self.load.clients;
        // A server may merge a sender's edits: the last one stands for all before it.
        while self.next[receiver][slot] <= count {
            let latency = self.latency(who, self.next[receiver][slot], now);
            self.latencies.extend(latency);
            self.next[receiver][slot] += 1;
        }
    }
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

/// One client: its socket and what it has yet to send.
struct Client {
    stream: Rc<TcpStream>,
    edits: Vec<Vec<u8>>,
    unsent: Vec<u8>,
    /// Messages before the first edit.
    before: u64,
}

impl Client {
    fn send(&mut self, frame: &[u8]) -> Result<()> {
        self.unsent.extend(frame);
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.try_write(&self.unsent) {
                Ok(written) => drop(self.unsent.drain(..written)),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

async fn drive(server: &Server, rooms: &[String], load: Load) -> Result<Outcome> {
    let field = Rc::new(RefCell::new(Field {
        load,
        started: None,
        next: vec![vec![0; load.clients]; load.rooms * load.clients],
        latencies: Vec::new(),
        acks: Vec::new(),
        problem: None,
    }));
    let people = load.rooms * load.clients;
    let seconds = (load.warm_up + load.measured).as_secs_f64();
    let each = ((load.rate as f64 * seconds) / people as f64).ceil() as usize;
    let mut clients = Vec::with_capacity(people);
    for who in 0..people {
        let room = &rooms[who / load.clients];
        clients.push(join(server, room, who, each, &field).await?);
    }
    tokio::time::sleep(SETTLE).await;

    let start = Instant::now();
    field.borrow_mut().started = Some(start);
    let mut measured_from = None;
    let (all, mut sent) = (each * people, 0);
    let mut tick = tokio::time::interval(STEP);
    while sent < all {
        tick.tick().await;
        let now = start.elapsed();
        if now >= load.warm_up && measured_from.is_none() {
            measured_from = Some((server.cpu()?, own_cpu()?, Instant::now()));
        }
        while sent < all && field.borrow().due(sent % people, sent / people) <= now {
            let client = &mut clients[sent % people];
            let frame = std::mem::take(&mut client.edits[sent / people]);
            client.send(&frame)?;
            sent += 1;
        }
        for client in &mut clients {
            client.flush()?;
        }
        if let Some(problem) = field.borrow_mut().problem.take() {
            return Err(problem);
        }
    }
    let (cpu, own, since) = measured_from.context("the load ended before it was measured")?;
    let busy = own_cpu()? - own;
    let client = busy.as_secs_f64() / since.elapsed().as_secs_f64();

    let ended = Instant::now();
    let arrived = |field: &Field| {
        let seen = |(at, next): (usize, &Vec<usize>)| {
            let mine = at % load.clients;
            let others = next.iter().enumerate().filter(|(slot, _)| *slot != mine);
            others.map(|(_, count)| count).all(|&count| count == each)
        };
        field.next.iter().enumerate().all(seen)
    };
    while !arrived(&field.borrow()) && ended.elapsed() < DRAIN {
        for client in &mut clients {
            client.flush()?;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        if let Some(problem) = field.borrow_mut().problem.take() {
            return Err(problem);
        }
    }
    let cpu = server.cpu()? - cpu;
    let field = field.borrow();
    let due = (0..people)
        .flat_map(|who| (0..each).map(move |count| (who, count)))
        .filter(|&(who, count)| field.due(who, count) >= load.warm_up)
        .count();
    let expected = due * (load.clients - 1);
    let lost = expected.saturating_sub(field.latencies.len()) as f64 / expected as f64;
    let at = |share| percentile(&field.latencies, expected, share);
    let ack = (!field.acks.is_empty()).then(|| {
        (
            percentile(&field.acks, due, 0.5),
            percentile(&field.acks, due, 0.99),
        )
    });
    Ok(Outcome {
        p50: at(0.5),
        p99: at(0.99),
        ack,
        lost,
        cpu_per_delivery: cpu.as_secs_f64() * 1e6 / field.latencies.len().max(1) as f64,
        client,
    })
}

/// Of `expected` times, of which those not noted never came. In milliseconds.
fn percentile(times: &[u32], expected: usize, share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = ((share * expected as f64).ceil() as usize).max(1) - 1;
    sorted
        .get(rank)
        .map_or(f64::INFINITY, |micros| f64::from(*micros) / 1000.0)
}

/// Joins, puts its element there, makes its edits, and listens from then on.
async fn join(
    server: &Server,
    room: &str,
    who: usize,
    edits: usize,
    field: &Rc<RefCell<Field>>,
) -> Result<Client> {
    let wire = &server.wire;
    let (mut stream, mut inbox) = websocket::connect(server.address, &wire.path(room)).await?;
    for message in wire.greeting(room)? {
        write(&mut stream, &websocket::frame(wire.kind(), &message)).await?;
    }
    let mut joining = wire.joining();
    websocket::read_until(&mut stream, &mut inbox, |frame| joining.takes(frame)).await?;

    let mut writer = wire.writer(room, who)?;
    let setup = writer.put(who, who + 1)?;
    for message in &setup {
        write(&mut stream, &websocket::frame(wire.kind(), message)).await?;
    }
    let edits = (0..edits)
        .map(|count| {
            let message = writer.edit(count + 1, &marker::marker(who, count))?;
            Ok(websocket::frame(wire.kind(), &message))
        })
        .collect::<Result<_>>()?;
    let client = Client {
        stream: Rc::new(stream),
        edits,
        unsent: Vec::new(),
        before: setup.len() as u64,
    };
    listen(server, who, &client, inbox, field);
    Ok(client)
}

async fn write(stream: &mut TcpStream, bytes: &[u8]) -> Result<()> {
    use tokio::io::AsyncWriteExt;
    Ok(stream.write_all(bytes).await?)
}

fn listen(
    server: &Server,
    who: usize,
    client: &Client,
    mut inbox: Inbox,
    field: &Rc<RefCell<Field>>,
) {
    let stream = Rc::clone(&client.stream);
    let (field, before) = (Rc::clone(field), client.before);
    let acknowledged = server.wire.acknowledging();
    tokio::task::spawn_local(async move {
        let outcome = async {
            loop {
                take(&mut inbox, &stream, &field, who, before, acknowledged)?;
                stream.readable().await?;
                let buffer = inbox.buffer();
                buffer.reserve(1 << 16);
                match stream.try_read_buf(buffer) {
                    Ok(0) => bail!("the server hung up on client {who}"),
                    Ok(_) => {}
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error.into()),
                }
            }
        };
        let outcome: Result<()> = outcome.await;
        if let Err(problem) = outcome {
            field.borrow_mut().problem.get_or_insert(problem);
        }
    });
}

/// Notes what has come in.
fn take(
    inbox: &mut Inbox,
    stream: &TcpStream,
    field: &RefCell<Field>,
    who: usize,
    before: u64,
    acknowledged: fn(&[u8]) -> Result<Option<u64>>,
) -> Result<()> {
    let mut field = field.borrow_mut();
    let now = field.started.map(|started| started.elapsed());
    while let Some((kind, payload)) = inbox.take()? {
        match kind {
            Kind::Text | Kind::Binary => {}
            Kind::Ping => {
                // One that does not fit is not missed: the next comes in half a minute.
                let _sent = stream.try_write(&websocket::frame(Kind::Pong, payload));
                continue;
            }
            Kind::Pong => continue,
            Kind::Close => bail!(
                "the server closed client {who}'s socket: {}",
                String::from_utf8_lossy(payload.get(2..).unwrap_or_default())
            ),
        }
        let own = acknowledged(payload)?;
        let Some(now) = now else { continue };
        if let Some(count) = own.and_then(|own| own.checked_sub(before)) {
            let latency = field.latency(who, count as usize, now);
            field.acks.extend(latency);
            continue;
        }
        marker::find(payload, |from, count| field.seen(who, from, count, now));
    }
    Ok(())
}
