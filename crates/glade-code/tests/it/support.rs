//! A project in a folder of its own.

use std::fs;
use std::path::Path;
use std::time::Duration;

use glade_code::{Call, Cancel, Code, Project, Seen, ToolContext, run_calls};
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct TestProject {
    pub folder: TempDir,
    pub project: Project,
    pub seen: Seen,
    pub cancel: Cancel,
}

impl TestProject {
    pub fn with(files: &[(&str, &str)]) -> TestProject {
        let folder = TempDir::new().unwrap();
        // The project is a folder inside, so that there is an outside to escape to.
        let root = folder.path().join("project");
        fs::create_dir(&root).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        TestProject {
            project: Project::open(&root).unwrap(),
            seen: Seen::new(),
            cancel: Cancel::new(),
            folder,
        }
    }

    pub fn root(&self) -> &Path {
        self.project.root()
    }

    pub fn context(&self) -> ToolContext<'_> {
        ToolContext {
            project: &self.project,
            seen: &self.seen,
            cancel: &self.cancel,
        }
    }

    pub fn call(&self, tool: &str, input: Value) -> Result<Value, Code> {
        let call = call("1", tool, input);
        let mut carried = run_calls(self.context(), &[call], Duration::from_secs(5), &|_, _| {
            Ok(())
        });
        carried.remove(0).outcome.map_err(|error| error.code)
    }

    pub fn words(&self, tool: &str, input: Value) -> String {
        let call = call("1", tool, input);
        let mut carried = run_calls(self.context(), &[call], Duration::from_secs(5), &|_, _| {
            Ok(())
        });
        carried.remove(0).outcome.unwrap_err().to_string()
    }

    pub fn read(&self, path: &str) -> Result<Value, Code> {
        self.call("read-file", json!({"path": path}))
    }

    pub fn on_disk(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root().join(path)).ok()
    }

    pub fn put(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }
}

pub fn call(id: &str, tool: &str, input: Value) -> Call {
    Call {
        id: id.to_owned(),
        tool: tool.to_owned(),
        input,
    }
}
