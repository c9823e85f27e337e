import { lexer, type Token, type Tokens } from "marked";
import { Fragment, Slice, type Mark, type Node, type ResolvedPos } from "prosemirror-model";
import { type } from "./kinds";
import { safeLink, schema } from "./schema";
import type { Barred } from "./useBarred";

/** Where a block stands: in how many lists, and in how many quotes. */
interface Standing {
  indent: number;
  quote: number;
}

/** No block stands further in. */
const DEEPEST = 8;

/**
 * Plain text as blocks, if it reads as Markdown: headings, lists, fenced code, tables. None for prose, whatever signs
 * stand among its words: who wrote it may have meant them.
 */
export function blocksOfMarkdown(text: string): Node[] | null {
  const tokens = lexer(text, { gfm: true });
  return tokens.some(isStructure) ? tokens.flatMap((token) => blocksOf(token, { indent: 0, quote: 0 })) : null;
}

/** A Markdown file as blocks, whatever is in it. */
export function blocksOfFile(text: string): Node[] {
  return lexer(text, { gfm: true }).flatMap((token) => blocksOf(token, { indent: 0, quote: 0 }));
}

/**
 * What text that is pasted becomes, on lines of its own; none if it is to be taken for what it is: when that is asked for
 * (Ctrl+Shift+V), in a cell, and where some of it would be of a plugin that is off.
 */
export function pastedText(text: string, $at: ResolvedPos, literally: boolean, barred: Barred): Slice | null {
  const blocks = literally || $at.depth > 1 ? null : blocksOfMarkdown(text);
  if (!blocks) return null;
  let fits = true;
  const page = Fragment.from(blocks);
  page.descendants((node) => {
    fits &&= !barred.blocks.has(node.type.name) && !node.marks.some(({ type }) => barred.marks.has(type.name));
  });
  return fits ? new Slice(page, 0, 0) : null;
}

/** What nobody writes by chance. One line with a dash or a number is still a line. */
function isStructure(token: Token): boolean {
  switch (token.type) {
    case "heading":
      return token.raw.startsWith("#");
    case "list":
      return token.items.length > 1 || token.items.some((item: Tokens.ListItem) => item.task);
    case "code":
      return token.codeBlockStyle !== "indented";
    case "table":
      return true;
    default:
      return false;
  }
}

function blocksOf(token: Token, at: Standing): Node[] {
  const words = () => inline(within(token), []);
  switch (token.type) {
    case "heading":
      return [type("heading").create({ ...at, level: token.depth }, words())];
    case "paragraph":
    case "text": {
      const inside = "tokens" in token ? words() : plain(token.text, []);
      // A quote of several paragraphs is several quotes.
      return [at.quote > 0 ? type("blockquote").create({ ...at, quote: at.quote - 1 }, inside) : type("paragraph").create(at, inside)];
    }
    case "list":
      return token.items.flatMap((item: Tokens.ListItem, nth: number) => itemOf(token as Tokens.List, item, nth, at));
    case "blockquote":
      return within(token).flatMap((inside) => blocksOf(inside, { ...at, quote: deeper(at.quote) }));
    case "code":
      return [type("codeBlock").create({ ...at, lang: token.lang?.split(/\s/)[0] ?? "" }, token.text ? schema.text(token.text) : null)];
    case "table":
      return [tableOf(token as Tokens.Table, at)];
    case "hr":
      return [type("divider").create(at)];
    case "html":
      return token.raw.trim() ? [type("paragraph").create(at, plain(token.raw.trim(), []))] : [];
    default:
      return [];
  }
}

const within = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

const deeper = (depth: number) => Math.min(DEEPEST, depth + 1);

/** An item's first words are its own; what else stands in it stands below it, further in. */
function itemOf(list: Tokens.List, item: Tokens.ListItem, nth: number, at: Standing): Node[] {
  const [first, ...rest] = item.tokens.filter(({ type }) => type !== "space");
  const own = first && (first.type === "text" || first.type === "paragraph") ? first : undefined;
  const below = own || !first ? rest : [first, ...rest];
  const start = nth === 0 && typeof list.start === "number" && list.start !== 1 ? list.start : null;
  const kind = item.task
    ? { list: "task", checked: item.checked === true }
    : list.ordered
      ? { list: "ordered", start }
      : { list: "bullet" };
  const made = type("listItem").create({ ...at, ...kind }, own ? inline(within(own), []) : []);
  return [made, ...below.flatMap((token) => blocksOf(token, { ...at, indent: deeper(at.indent) }))];
}

function tableOf(table: Tokens.Table, at: Standing): Node {
  const row = (cells: readonly Tokens.TableCell[]) =>
    type("tableRow").create(
      null,
      cells.map((cell, column) => type("tableCell").create({ align: table.align[column] ?? null }, inline(cell.tokens, []))),
    );
  return type("table").create({ quote: at.quote }, [table.header, ...table.rows].map(row));
}

/** Words with what they wear. */
function inline(tokens: readonly Token[], worn: readonly Mark[]): Node[] {
  const wearing = (name: string, attrs?: Record<string, unknown>) => schema.marks[name]!.create(attrs).addToSet(worn);
  return tokens.flatMap((token): Node[] => {
    const inside = (marks: readonly Mark[]) => inline(within(token), marks);
    switch (token.type) {
      case "strong":
        return inside(wearing("bold"));
      case "em":
        return inside(wearing("italic"));
      case "del":
        return inside(wearing("strike"));
      case "codespan":
        // Code and links exclude each other.
        return plain(token.text, schema.marks.code!.create().addToSet(worn.filter((mark) => mark.type.name !== "link")));
      case "link":
      case "image": {
        const href = safeLink(token.href);
        const marks = href === null ? worn : wearing("link", { value: token.title ? { href, title: token.title } : href });
        return token.type === "image" ? plain(token.text || token.href, marks) : inside(marks);
      }
      case "br":
        return [type("hardBreak").create(null, null, worn)];
      case "text":
        return within(token).length > 0 ? inside(worn) : lines(token.text, worn);
      case "escape":
        return plain(token.text, worn);
      default:
        return plain(token.raw, worn);
    }
  });
}

const plain = (text: string, marks: readonly Mark[]): Node[] => (text ? [schema.text(text, marks)] : []);

/** How the lines of a paragraph are broken in Markdown does not show. */
const lines = (text: string, marks: readonly Mark[]): Node[] => plain(decoded(text.replace(/[ \t]*\n[ \t]*/g, " ")), marks);

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Letters that are written as HTML has them; a name that is not among the usual ones stays as it is. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
