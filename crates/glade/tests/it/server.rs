//! `glade serve` as a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    pub token: String,
}

impl Server {
    pub fn start(data: &Path) -> Self {
        Self::with(data, &[], Stdio::null())
    }

    /// With more flags, and somewhere for what it logs.
    pub fn with(data: &Path, flags: &[&str], log: Stdio) -> Self {
        Self::run(Self::command(data, flags).stderr(log))
    }

    /// With more flags and variables.
    pub fn in_environment(data: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Self::command(data, flags);
        command
            .envs(variables.iter().copied())
            .stderr(Stdio::null());
        Self::run(&mut command)
    }

    /// As if the system allowed it so many open files.
    pub fn with_open_files(data: &Path, files: u32) -> Self {
        let mut command = Command::new("sh");
        let limited = format!(
            "ulimit -n {files}; exec \"$0\" serve --listen 127.0.0.1:0 --no-open --data \"$1\""
        );
        command
            .args(["-c", &limited, env!("CARGO_BIN_EXE_glade")])
            .arg(data)
            .stderr(Stdio::null());
        Self::run(&mut command)
    }

    /// Memory in use, in MB.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|rest| rest.split_whitespace().next());
        kilobytes.unwrap().parse::<u64>().unwrap() / 1024
    }

    fn command(data: &Path, flags: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glade"));
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"])
            .arg(data)
            .args(flags);
        command
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let link = line.trim().split(' ').next_back().unwrap();
        let (address, token) = link
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/#key="))
            .unwrap_or_else(|| panic!("no link in {line:?}"));
        Self {
            child,
            address: address.parse().unwrap(),
            token: token.to_owned(),
        }
    }

    pub fn kill(mut self) {
        // SIGKILL: the process has no say in it.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the process to end, and waits; answers its exit code and how long that took.
    pub fn terminate(mut self) -> (Option<i32>, Duration) {
        let started = Instant::now();
        let asked = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        assert!(asked.unwrap().success());
        let status = self.child.wait().unwrap();
        (status.code(), started.elapsed())
    }

    /// One request, as plain as can be; answers status and body.
    pub fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let (kind, body) = ("application/json", body.to_string());
        self.request(method, path, token, kind, body.as_bytes())
    }

    /// One request of the owner's with bytes of some kind.
    pub fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> (u16, Value) {
        self.request(method, path, &self.token, kind, body)
    }

    fn request(
        &self,
        method: &str,
        path: &str,
        token: &str,
        kind: &str,
        body: &[u8],
    ) -> (u16, Value) {
        let mut line = TcpStream::connect(self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len(),
        );
        line.write_all(head.as_bytes()).unwrap();
        line.write_all(body).unwrap();
        let mut answer = Vec::new();
        line.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (status, serde_json::from_str(body).unwrap_or_default())
    }
}

/// A test that ends early leaves no process behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ended_before = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Runs the binary to its end.
pub fn glade(args: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glade"))
        .args(args)
        .args(paths)
        .output()
        .unwrap()
}

/// Everything that a process said.
pub fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(text).unwrap()
}
