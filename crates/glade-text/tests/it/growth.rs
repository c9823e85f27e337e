//! Nothing that reads or writes Markdown grows faster than what it is given.

use std::time::Duration;

use glade_doc::ElementId;
use glade_text::{Block, InsertAt, NewBlock, Page, html, markdown, write};
use rustix::time::{ClockId, clock_gettime};

/// Bytes of the smaller input of two; the other is four times as long. `GLADE_SOAK` takes more of both.
fn small() -> usize {
    match std::env::var_os("GLADE_SOAK") {
        Some(_) => 256 << 10,
        None => 12 << 10,
    }
}
/// How much longer four times as much may take: the square would be sixteen times.
const MOST: f64 = 9.0;
/// Below this a measurement says nothing.
const SHORT: Duration = Duration::from_millis(8);

/// Files that somebody could write to keep a server busy.
fn hostile(bytes: usize) -> Vec<(&'static str, String)> {
    let times = |piece: &str| piece.repeat(bytes.div_ceil(piece.len()));
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut out = String::new();
        let mut number = 0;
        while out.len() < bytes {
            out.push_str(&line(number));
            number += 1;
        }
        out
    };
    let half = |first: &str, then: &str| {
        first.repeat(bytes / 2 / first.len()) + &then.repeat(bytes / 2 / then.len())
    };
    vec![
        ("paragraphs", times("a\n\n")),
        ("one long line", times("word ")),
        ("quotes in quotes", times("> ")),
        ("lists in lists", times("- ")),
        ("lists in lists, then empty lines", half("- ", "\n")),
        ("quotes in quotes, then lines", half(">", "\n> a")),
        ("numbered lists in lists, then words", half("1. ", "\na")),
        ("brackets that open", times("[")),
        ("brackets that open and close", half("[", "]")),
        ("pictures that open", times("![")),
        ("links in one paragraph", times("[a](b) ")),
        ("links and code in one paragraph", times("[a`b`](c) `d` ")),
        ("pictures in one paragraph", times("![](b) ")),
        ("stars", times("*")),
        ("stars and letters", times("*a ")),
        ("emphasis in emphasis", half("*a **b ", " b** a*")),
        ("emphasis side by side", times("*a* **b** ")),
        ("underscores", times("_a__")),
        (
            "backticks of growing length",
            numbered(&|n| "`".repeat(n % 200) + "a"),
        ),
        ("code", times("`a` ")),
        ("formulas", times("$a$ ")),
        ("dollars", times("$")),
        ("HTML that opens", times("<u>")),
        ("HTML that opens, then links", half("<u>", "[a](b) ")),
        ("comments that open", times("<!-- ")),
        ("declarations that open", times("<?")),
        ("angles", times("<a ")),
        ("entities", times("&amp;")),
        ("ampersands", times("&a")),
        ("tables", times("|a|b|\n|-|-|\n|c|d|\n\n")),
        (
            "a long table",
            // Rows so long that both lengths stay under the limit of a table's cells.
            format!("|a|b|\n|-|-|\n{}", times("|cccccccccccccccc|d|\n")),
        ),
        (
            "a wide table",
            half("|a", "|-").replacen("a|-", "a\n|-", 1) + "\n",
        ),
        ("bars", times("|")),
        ("rows that become no table", times("|a|b\n")),
        ("definitions", numbered(&|n| format!("[a{n}]: /b\n"))),
        (
            "definitions and uses",
            numbered(&|n| format!("[a{n}]: /b\n\n[a{n}] ")),
        ),
        (
            "footnotes",
            numbered(&|n| format!("[^a{n}]: b\n\n[^a{n}] ")),
        ),
        ("values", times("a, b, \"c\"\n")),
        ("quotes around values", times("\" ")),
        ("hashes", times("# ")),
        ("hashes at a line's end", format!("# a{}b", times(" #"))),
        ("dots", times("1.")),
        ("rules", times("---\n")),
        ("underlines", times("a\n-\n")),
        ("fences", times("```\n")),
        ("tildes", times("~~a~~ ")),
        ("spaces", times(" ")),
        ("tabs", times("\t-")),
        ("escapes", times("\\*")),
        ("task lists", times("- [ ] a\n")),
        ("items apart", times("- a\n\n+ b\n\n")),
        ("addresses", times("<http://a.b> ")),
    ]
}

/// Time on a processor: others may be busy on this machine. Not read from `/proc`, which is brought up to date every few
/// milliseconds only.
fn cpu() -> Duration {
    let spent = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(spent).unwrap_or_default()
}

fn took(work: impl Fn()) -> Duration {
    let before = cpu();
    work();
    cpu() - before
}

fn page(blocks: &[NewBlock]) -> Page {
    let blocks = blocks.iter().enumerate();
    Page {
        blocks: blocks
            .map(|(at, block)| Block {
                id: ElementId(at.to_string()),
                ..block.as_block()
            })
            .collect(),
        ..Page::default()
    }
}

/// A name, and the work done there.
type Door<'a> = (&'static str, Box<dyn Fn() + 'a>);

/// What a file passes through, from the door to the page and back.
fn doors(source: &str) -> [Door<'_>; 4] {
    let blocks = markdown::from_markdown(source);
    let shown = page(&blocks);
    let (again, shown_again) = (blocks.clone(), shown.clone());
    [
        ("read", Box::new(|| drop(markdown::from_markdown(source)))),
        (
            "put onto a page",
            Box::new(move || {
                let mut id = || "id".to_owned();
                drop(write(&Page::default(), InsertAt::End, &again, &mut id));
            }),
        ),
        (
            "written",
            Box::new(move || drop(markdown::to_markdown(&shown))),
        ),
        (
            "written as HTML",
            Box::new(move || drop(html::to_html(&shown_again))),
        ),
    ]
}

#[test]
fn four_times_as_much_takes_about_four_times_as_long() {
    let mut slow = Vec::new();
    let files = hostile(small()).into_iter().zip(hostile(4 * small()));
    for ((name, small), (_, large)) in files {
        for ((door, small), (_, large)) in doors(&small).into_iter().zip(doors(&large)) {
            // What looks slow once may only have been held up.
            let slow_each_time = (0..3).all(|_| {
                let took_large = took(&large);
                took_large > SHORT && took_large > took(&small).mul_f64(MOST)
            });
            if slow_each_time {
                slow.push(format!("{name}, {door}"));
            }
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
