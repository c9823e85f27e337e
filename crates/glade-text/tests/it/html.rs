//! No page becomes an HTML file that does anything.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use glade_text::markdown::{from_markdown, to_markdown};
use glade_text::{Block, Page, html};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::work::page_of;

/// All that an exported file may be made of.
const TAGS: [&str; 36] = [
    "html",
    "head",
    "meta",
    "title",
    "body",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "a",
    "img",
    "blockquote",
    "pre",
    "code",
    "ol",
    "ul",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "em",
    "strong",
    "del",
    "u",
    "mark",
    "br",
    "hr",
    "input",
    "span",
    "sup",
];
const ATTRIBUTES: [&str; 13] = [
    "charset",
    "http-equiv",
    "content",
    "href",
    "title",
    "src",
    "alt",
    "class",
    "style",
    "start",
    "type",
    "disabled",
    "checked",
];
const HEAD: &str = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;\"><title>";

/// Reads a file by a grammar much narrower than HTML's: what it takes, every browser reads the same
/// way. Says what does not fit.
fn is_harmless(html: &str) -> Result<(), String> {
    let mut rest = html.strip_prefix(HEAD).ok_or("its head is another")?;
    while let Some(at) = rest.find(['<', '>', '"', '\'']) {
        let (_, tag) = rest.split_at(at);
        let tag = tag
            .strip_prefix('<')
            .ok_or_else(|| format!("a sign at {tag:.40}"))?;
        let end = tag
            .find('>')
            .ok_or_else(|| format!("no end of {tag:.40}"))?;
        let (inside, after) = (&tag[..end], &tag[end + 1..]);
        element(inside.strip_prefix('/').unwrap_or(inside))?;
        rest = after;
    }
    Ok(())
}

fn element(inside: &str) -> Result<(), String> {
    let (name, mut attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    if !TAGS.contains(&name) {
        return Err(format!("<{inside:.60}>"));
    }
    while !attributes.is_empty() {
        let wrong = || format!("an attribute at {attributes:.60}");
        let (name, value) = attributes.split_once("=\"").ok_or_else(wrong)?;
        let (value, after) = value.split_once('"').ok_or_else(wrong)?;
        if !ATTRIBUTES.contains(&name) || value.contains(['<', '>', '\'']) {
            return Err(wrong());
        }
        if matches!(name, "href" | "src") {
            address(value)?;
        }
        attributes = after.strip_prefix(' ').unwrap_or(after);
    }
    Ok(())
}

fn address(value: &str) -> Result<(), String> {
    let read = value.replace("&#39;", "'").replace("&quot;", "\"");
    let read: String = read.chars().filter(|c| !c.is_control()).collect();
    let read = read.trim().to_ascii_lowercase();
    let scheme: String = read
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    if read[scheme.len()..].starts_with(':') && !scheme.is_empty() {
        let known = ["http", "https", "mailto"].contains(&scheme.as_str());
        if !known && !read.starts_with("data:image/") {
            return Err(format!("the address {value:.60}"));
        }
    }
    Ok(())
}

/// Blocks as a client of its own making may write them.
fn page_with(blocks: &[Value]) -> Page {
    let word = |block: &Value, name: &str| block[name].as_str().unwrap_or_default().to_owned();
    let blocks = blocks.iter().enumerate().map(|(at, block)| Block {
        id: ElementId::from(format!("b{at}").as_str()),
        kind: word(block, "type"),
        index: format!("a{at}"),
        text: word(block, "text"),
        marks: Vec::new(),
        props: serde_json::from_value(block.clone()).unwrap(),
        table: None,
    });
    Page {
        blocks: blocks.collect(),
        ..Page::default()
    }
}

const EVIL: &str = "<script>alert(1)</script>";

#[test]
fn what_was_found_to_put_script_into_a_file_no_longer_does() {
    let found = [
        json!({"type": "formula", "text": format!("x\n$$\n\n{EVIL}\n\n$$")}),
        json!({"type": "formula", "text": format!("a\n\n{EVIL}\n\nb")}),
        json!({"type": "callout", "tone": format!("note]\n\n{EVIL}\n\n["), "text": "a"}),
        json!({"type": "codeBlock", "lang": format!("js\n```\n\n{EVIL}\n"), "text": "a"}),
        json!({"type": "codeBlock", "lang": "\"><script>", "text": "a"}),
        json!({"type": "image", "src": "javascript:alert(1)", "alt": "\"><script>", "title": "\"><script>"}),
        json!({"type": "image", "src": "x\" onerror=\"alert(1)", "href": "javascript:alert(1)"}),
        json!({"type": "embed", "href": "java\tscript:alert(1)", "title": EVIL}),
    ];
    for block in found {
        let page = page_with(std::slice::from_ref(&block));
        let written = html::to_html(&page);
        assert_eq!(is_harmless(&written), Ok(()), "{block}\n{written}");
        // Nor does the Markdown hold HTML that nobody wrote as such.
        let markdown = to_markdown(&page);
        let raw = pulldown_cmark::Parser::new_ext(&markdown, pulldown_cmark::Options::all());
        let raw = raw.filter(|event| {
            use pulldown_cmark::Event::{Html, InlineHtml};
            matches!(event, Html(_) | InlineHtml(_))
        });
        assert_eq!(raw.count(), 0, "{block}\n{markdown}");
    }
}

#[test]
fn pictures_from_elsewhere_become_links_and_nothing_is_loaded() {
    let body = |source: &str| {
        let written = html::to_html(&page_of(&from_markdown(source)));
        let (_, body) = written.split_once("<body>\n").unwrap();
        body.trim_end_matches("\n</body></html>\n").to_owned()
    };
    assert_eq!(
        body("![a cat](https://a.example/c.png \"Cat\")"),
        "<p><a href=\"https://a.example/c.png\" title=\"Cat\">a cat</a></p>"
    );
    assert_eq!(
        body("![](//a.example/c.png)"),
        "<p><a href=\"//a.example/c.png\">//a.example/c.png</a></p>"
    );
    assert_eq!(
        body("[![a cat](https://a.example/c.png)](https://b.example)"),
        "<p><a href=\"https://b.example\">a cat</a></p>"
    );
}

#[test]
fn a_page_reads_as_it_should() {
    let source = "# A & B\n\nSome **bold** <u>words</u> with [a link](https://a.example) and $x^2$.\n\n> [!TIP]\n> Mind.\n\n- [x] done\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n```rust\nlet a = 1 < 2;\n```\n\n![alt](/a.png)\n";
    let written = html::to_html(&page_of(&from_markdown(source)));
    assert_eq!(is_harmless(&written), Ok(()), "{written}");
    let body = written.split_once("<body>\n").unwrap().1;
    assert_eq!(
        body,
        "<h1>A &amp; B</h1>\n<p>Some <strong>bold</strong> <u>words</u> with <a href=\"https://a.example\">a link</a> and <span class=\"math math-inline\">x^2</span>.</p>\n<blockquote class=\"markdown-alert-tip\">\n<p>Mind.</p>\n</blockquote>\n<ul>\n<li><input disabled=\"\" type=\"checkbox\" checked=\"\">done</li>\n</ul>\n<table><thead><tr><th>a</th><th style=\"text-align: right\">b</th></tr></thead><tbody>\n<tr><td>1</td><td style=\"text-align: right\">2</td></tr>\n</tbody></table>\n<pre><code class=\"language-rust\">let a = 1 &lt; 2;\n</code></pre>\n<p><a href=\"/a.png\">alt</a></p>\n</body></html>\n"
    );
}

/// Words with what means something in Markdown or HTML.
fn words() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("<script>alert(1)</script>".to_owned()),
        Just("<img src=x onerror=alert(1)>".to_owned()),
        Just("javascript:alert(1)".to_owned()),
        Just("data:text/html,x".to_owned()),
        Just("$$".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("```".to_owned()),
        Just("](javascript:x)".to_owned()),
        Just("\" onload=\"x".to_owned()),
        Just("&lt;".to_owned()),
        "[a-z<>\"'&$`\\[\\]()!:#\\\\ \r\t\u{1}]{0,6}",
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

fn block() -> impl Strategy<Value = Value> {
    let kinds = [
        "paragraph",
        "heading",
        "listItem",
        "blockquote",
        "callout",
        "codeBlock",
        "formula",
        "image",
        "embed",
        "divider",
        "iframe",
    ];
    let names = [
        "tone", "lang", "src", "href", "title", "alt", "fileId", "list", "raw",
    ];
    let props = prop::collection::btree_map(prop::sample::select(names.to_vec()), words(), 0..6);
    (prop::sample::select(kinds.to_vec()), words(), props).prop_map(|(kind, text, props)| {
        let props: BTreeMap<&str, String> = props;
        let mut block = json!({"type": kind, "text": text});
        for (name, value) in props {
            block[name] = json!(value);
        }
        block
    })
}

proptest! {
    #[test]
    fn no_page_becomes_a_file_that_does_anything(blocks in prop::collection::vec(block(), 1..5)) {
        let written = html::to_html(&page_with(&blocks));
        prop_assert_eq!(is_harmless(&written), Ok(()), "{}", written);
    }

    #[test]
    fn nor_does_any_markdown(source in words()) {
        let written = html::to_html(&page_of(&from_markdown(&source)));
        prop_assert_eq!(is_harmless(&written), Ok(()), "{}", written);
    }
}
