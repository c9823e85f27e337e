//! Makes the crate compile before the studio has been built, and again after. While it is being built, waits for it.

#![allow(clippy::print_stdout)] // how a build script talks to cargo

use std::fs::{self, File};
use std::io;
use std::path::Path;

const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Glade</title>
<h1>The studio has not been built into this binary</h1>
<p>Run <code>cargo xtask serve</code>, which builds it first,
or run <code>npm install &amp;&amp; npm run build</code> in <code>web/</code> and build again.</p>
</html>
";

/// Held by whoever builds the studio right now (`xtask/src/web.rs`), and free again when they end, however they end.
const BEING_BUILT: &str = "../../web/node_modules/.glade/build.lock";

fn main() -> io::Result<()> {
    if let Ok(being_built) = File::open(BEING_BUILT) {
        being_built.lock_shared()?;
    }
    let dist = Path::new("../../web/dist");
    let page = dist.join("index.html");
    // A file, not only a folder: a missing path would make cargo run this
    // script, and compile the crate, every time.
    if !page.exists() {
        fs::create_dir_all(dist)?;
        fs::write(&page, PLACEHOLDER)?;
    }
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
