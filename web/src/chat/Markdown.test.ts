import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

const html = (text: string, links = true) =>
  renderToStaticMarkup(createElement(Markdown, { text, onOpen: links ? () => undefined : undefined }));

test("headings, lists, tables and code are shown as such", () => {
  const shown = html(
    "# Plan\n\n1. one\n2. two\n   - [x] done\n\n| a | b |\n| - | -: |\n| 1 | **2** |\n\n```rust\nlet a = 1 < 2;\n```\n\n> said",
  );
  for (const part of [
    "<h4>Plan</h4>",
    '<ol start="1"><li>one</li>',
    'type="checkbox"',
    "<th>a</th>",
    "<strong>2</strong>",
    "let a = 1 &lt; 2;",
    "<blockquote><p>said</p></blockquote>",
  ])
    expect(shown).toContain(part);
});

test("nothing in an answer becomes markup, runs or is fetched", () => {
  const shown = html(
    '<img src=x onerror=alert(1)> <script>alert(1)</script>\n\n<div onclick="x()">words</div>\n\n[go](javascript:alert(1)) ![cat](https://evil.example/cat.png) <https://x.org>',
  );
  expect(shown).not.toMatch(/<(img|script|div onclick|iframe)/);
  expect(shown).not.toContain("javascript:");
  expect(shown).not.toContain('src="');
  expect(shown).toContain("&lt;script&gt;");
  expect(shown).toContain('<a href="https://x.org/" target="_blank" rel="noopener noreferrer">');
});

test("names of places are links where a file can be opened", () => {
  const text = "Look at `src/a.rs:3`, src/b.rs and [the guide](docs/guide.md#L4).";
  expect(html(text).match(/place-link/g)).toHaveLength(3);
  expect(html(text)).toContain('title="Open docs/guide.md at line 4"');
  expect(html(text, false)).not.toContain("place-link");
});

test("words of one line stay one line of words, and new lines stay", () => {
  expect(html("Just words & more.")).toBe('<div class="words markdown"><p>Just words &amp; more.</p></div>');
  expect(html("one\ntwo")).toContain("one<br/>two");
});
