import { Schema, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, type TagParseRule } from "prosemirror-model";

/**
 * The browser's half of the agreement about text pages; the other half is `crates/glade-doc/src/text.rs`.
 *
 * A page is a list of blocks, each a mergeable map below the root `doc`. Offsets into a block's words count UTF-16
 * units, and so do the editor's positions: a line break is one unit in both.
 */
export const ROOT = "doc";
export const TEXT = "originalText";
export const PENDING = "agent-pending";

/** Block kinds whose words people edit. */
export const WORDY = ["paragraph", "heading", "listItem", "blockquote", "callout", "codeBlock", "formula"] as const;

/** What each kind keeps as registers, with the value that an absent one reads as. */
export const ATTRIBUTES: Record<string, Record<string, unknown>> = {
  paragraph: { indent: 0, quote: 0 },
  heading: { level: 1, indent: 0, quote: 0 },
  listItem: { list: "bullet", checked: false, start: null, anew: false, indent: 0, quote: 0 },
  blockquote: { indent: 0, quote: 0 },
  callout: { tone: "note", indent: 0, quote: 0 },
  codeBlock: { lang: "", indent: 0, quote: 0 },
  divider: { indent: 0, quote: 0 },
  image: { fileId: null, src: null, alt: "", title: "", href: null, quote: 0 },
  formula: { quote: 0 },
  embed: { href: "", title: "" },
  table: { header: true, quote: 0 },
};

const attrs = (kind: string, extra: NodeSpec["attrs"] = {}): NodeSpec["attrs"] => ({
  id: { default: null },
  ...Object.fromEntries(Object.entries(ATTRIBUTES[kind] ?? {}).map(([name, value]) => [name, { default: value }])),
  ...extra,
});

const frame = (node: Node, more: Record<string, string> = {}): Record<string, string> => ({
  "data-block": node.attrs.id ?? "",
  ...(node.attrs.indent ? { "data-indent": String(node.attrs.indent) } : {}),
  ...(node.attrs.quote ? { "data-quote": String(node.attrs.quote) } : {}),
  ...(marginOf(node) ? { style: `margin-left:${marginOf(node)}` } : {}),
  ...more,
});

/** How far to the right a block stands: in lists, and in quotes. */
export function marginOf({ attrs: { indent = 0, quote = 0 } }: Node): string {
  return indent || quote ? `${indent * 1.6 + quote}em` : "";
}

function wordy(
  kind: string,
  toDOM: (node: Node) => DOMOutputSpec,
  parseDOM: readonly TagParseRule[],
  more: Partial<NodeSpec> = {},
): NodeSpec {
  return { group: "block", content: "inline*", attrs: attrs(kind), toDOM, parseDOM: parseDOM?.map(standing), ...more };
}

/** A rule that also reads how far to the right its block stands, as `frame` says it. */
function standing(rule: TagParseRule): TagParseRule {
  const { attrs: fixed, getAttrs, ...rest } = rule;
  return {
    ...rest,
    getAttrs: (dom) => {
      const own = getAttrs ? getAttrs(dom) : null;
      const place = (name: string) => Math.min(8, Number(dom.dataset[name]) || 0);
      return own === false ? false : { indent: place("indent"), quote: place("quote"), ...fixed, ...own };
    },
  };
}

const headings = [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } }));

const nodes: Record<string, NodeSpec> = {
  doc: { content: "block*" },
  paragraph: wordy("paragraph", (node) => ["p", frame(node), 0], [{ tag: "p" }]),
  heading: wordy("heading", (node) => [`h${Math.min(6, Math.max(1, node.attrs.level))}`, frame(node), 0], headings, { defining: true }),
  listItem: wordy(
    "listItem",
    (node) => [
      "div",
      frame(node, {
        class: "text-item",
        "data-list": node.attrs.list,
        ...(node.attrs.checked ? { "data-checked": "true" } : {}),
        ...(node.attrs.start === null ? {} : { "data-start": String(node.attrs.start) }),
      }),
      ...(node.attrs.list === "task"
        ? [
            [
              "input",
              { type: "checkbox", contenteditable: "false", "aria-label": "Done", ...(node.attrs.checked ? { checked: "" } : {}) },
            ] as DOMOutputSpec,
          ]
        : []),
      ["div", { class: "text-item-words" }, 0],
    ],
    [
      { tag: "ol > li", attrs: { list: "ordered" } },
      { tag: "li", attrs: { list: "bullet" } },
      {
        tag: "div.text-item",
        getAttrs: (dom) => ({
          list: dom.dataset.list ?? "bullet",
          checked: dom.dataset.checked === "true",
          start: Number(dom.dataset.start ?? NaN) >= 0 ? Number(dom.dataset.start) : null,
        }),
      },
    ],
    { defining: true },
  ),
  blockquote: wordy("blockquote", (node) => ["blockquote", frame(node), 0], [{ tag: "blockquote" }], { defining: true }),
  callout: wordy(
    "callout",
    (node) => ["div", frame(node, { class: "text-callout", role: "note", "data-tone": node.attrs.tone }), 0],
    [{ tag: "div.text-callout", getAttrs: (dom) => ({ tone: dom.dataset.tone || "note" }) }],
    { defining: true },
  ),
  formula: wordy(
    "formula",
    (node) => ["pre", frame(node, { class: "text-formula" }), 0],
    [{ tag: "pre.text-formula", preserveWhitespace: "full" }],
    { content: "text*", marks: PENDING, code: true, defining: true },
  ),
  codeBlock: wordy(
    "codeBlock",
    (node) => ["pre", frame(node, { "data-lang": node.attrs.lang }), ["code", 0]],
    [{ tag: "pre", preserveWhitespace: "full", getAttrs: (dom) => ({ lang: dom.dataset.lang ?? "" }) }],
    { content: "text*", marks: PENDING, code: true, defining: true },
  ),
  divider: { group: "block", attrs: attrs("divider"), toDOM: (node) => ["hr", frame(node)], parseDOM: [{ tag: "hr" }] },
  image: {
    group: "block",
    attrs: attrs("image"),
    toDOM: (node) => [
      "figure",
      frame(node, { class: "text-image", "data-file": node.attrs.fileId ?? "" }),
      leading(node.attrs.href, [
        "img",
        {
          src: node.attrs.fileId ? `/api/blobs/${encodeURIComponent(node.attrs.fileId)}` : (node.attrs.src ?? ""),
          alt: node.attrs.alt,
          ...titled(node.attrs.title),
        },
      ]),
    ],
    parseDOM: [
      {
        tag: "figure.text-image[data-file]",
        getAttrs: (dom) => (dom.dataset.file ? { fileId: dom.dataset.file, alt: dom.querySelector("img")?.alt ?? "" } : false),
      },
    ],
  },
  embed: {
    group: "block",
    attrs: attrs("embed"),
    toDOM: (node) => [
      "div",
      frame(node, { class: "text-embed" }),
      [
        "a",
        { href: safeLink(node.attrs.href) ?? "#", rel: "noopener noreferrer", target: "_blank" },
        ["strong", node.attrs.title || node.attrs.href],
        ["span", hostOf(node.attrs.href)],
      ],
    ],
    parseDOM: [
      {
        tag: "div.text-embed",
        getAttrs: (dom) => {
          const href = dom.querySelector("a")?.getAttribute("href");
          return safeLink(href) ? { href, title: dom.querySelector("strong")?.textContent ?? "" } : false;
        },
      },
    ],
  },
  table: {
    group: "block",
    content: "tableRow+",
    isolating: true,
    allowGapCursor: false,
    attrs: attrs("table", { columns: { default: [] } }),
    toDOM: (node) => ["table", frame(node), ["tbody", 0]],
    parseDOM: [{ tag: "table" }],
  },
  tableRow: {
    content: "tableCell+",
    allowGapCursor: false,
    attrs: { id: { default: null } },
    toDOM: () => ["tr", 0],
    parseDOM: [{ tag: "tr" }],
  },
  // A cell's words stand where its column says; that is not the cell's to change.
  tableCell: {
    content: "inline*",
    isolating: true,
    attrs: { align: { default: null } },
    toDOM: (node) => ["td", node.attrs.align ? { style: `text-align:${node.attrs.align}` } : {}, 0],
    parseDOM: [{ tag: "td" }, { tag: "th" }],
  },
  text: { group: "inline" },
  hardBreak: {
    group: "inline",
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    toDOM: () => ["br"],
    parseDOM: [{ tag: "br" }],
  },
};

const simple = (tag: string, parse: MarkSpec["parseDOM"]): MarkSpec => ({ toDOM: () => [tag, 0], parseDOM: parse });

/** A mark's value in the document is its attribute `value`; true where there is nothing to say. */
const marks: Record<string, MarkSpec> = {
  [PENDING]: {
    inclusive: false,
    attrs: { value: {} },
    // The page sets a property for each run: its fairy's colour may become known later than its words.
    toDOM: ({ attrs: { value } }) => [
      "span",
      { class: "text-pending", "data-run": value, style: `--run-color: var(${runProperty(value)}, var(--focus))` },
      0,
    ],
  },
  "comment-anchor": {
    inclusive: false,
    attrs: { value: {} },
    toDOM: (mark) => ["span", { class: "text-anchor", "data-comment": mark.attrs.value }, 0],
  },
  link: {
    inclusive: false,
    excludes: "link code",
    attrs: { value: {} },
    toDOM: (mark) => {
      const { href, title } = linkOf(mark.attrs.value);
      return ["a", { href, rel: "noopener noreferrer", ...titled(title) }, 0];
    },
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (dom) => {
          const [href, title] = [safeLink(dom.getAttribute("href")), dom.title.slice(0, 1024)];
          return href === null ? false : { value: title ? { href, title } : href };
        },
      },
    ],
  },
  bold: simple("strong", [
    { tag: "strong" },
    { tag: "b", getAttrs: (dom) => dom.style.fontWeight !== "normal" && null },
    { style: "font-weight", getAttrs: (weight) => /^(bold(er)?|[6-9]\d\d)$/.test(weight) && null },
  ]),
  italic: simple("em", [{ tag: "em" }, { tag: "i" }, { style: "font-style=italic" }]),
  underline: simple("u", [{ tag: "u" }]),
  strike: simple("s", [{ tag: "s" }, { tag: "del" }, { tag: "strike" }, { style: "text-decoration=line-through" }]),
  highlight: { attrs: { value: { default: true } }, toDOM: () => ["mark", 0], parseDOM: [{ tag: "mark" }] },
  mention: {
    inclusive: false,
    attrs: { value: {} },
    toDOM: (mark) => ["span", { class: "text-mention", "data-mention": JSON.stringify(mark.attrs.value) }, 0],
    parseDOM: [{ tag: "span.text-mention[data-mention]", getAttrs: (dom) => ({ value: parsed(dom.dataset.mention) }) }],
  },
  // HTML of a Markdown file, shown as it is written.
  html: { inclusive: false, toDOM: () => ["span", { class: "text-html" }, 0], parseDOM: [{ tag: "span.text-html" }] },
  tex: {
    inclusive: false,
    excludes: "tex code link html",
    toDOM: () => ["span", { class: "text-tex" }, 0],
    parseDOM: [{ tag: "span.text-tex" }],
  },
  code: { excludes: "code link tex html", toDOM: () => ["code", 0], parseDOM: [{ tag: "code" }] },
};

export const schema = new Schema({ nodes, marks });

/** What may be followed from a page: http, https, mailto, or a place on this server. */
export function safeLink(href: unknown): string | null {
  if (typeof href !== "string" || href.length > 4096 || /[\u0000-\u001f\u007f-\u009f]/.test(href)) return null;
  // What is no scheme to a browser is a part of a path.
  const scheme = /^\s*([a-z][a-z0-9+.-]*)\s*:/i.exec(href)?.[1];
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme.toLowerCase()) ? href : null;
}

/** Where a link's mark leads, and what it is called. */
export function linkOf(value: unknown): { href: string; title: string } {
  const { href, title } = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { href: value, title: "" };
  return { href: safeLink(href) ?? "#", title: typeof title === "string" ? title : "" };
}

const titled = (title: string): Record<string, string> => (title ? { title } : {});

/** What is shown, and leads somewhere when it is pressed. */
const leading = (href: unknown, shown: DOMOutputSpec): DOMOutputSpec =>
  typeof href === "string" && safeLink(href) ? ["a", { href, rel: "noopener noreferrer", target: "_blank" }, shown] : shown;

/** The custom property that holds the colour of a run's words. */
export const runProperty = (run: unknown): string => `--of-${String(run).replace(/[^\w-]/g, "")}`;

function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "");
  } catch {
    return json ?? "";
  }
}

function hostOf(href: string): string {
  try {
    return new URL(href).host;
  } catch {
    return href;
  }
}

export function blockId(): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  return `bk_${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => alphabet[byte % 36]).join("")}`;
}
