import { lexer, type Token, type Tokens } from "marked";
import { createElement, memo, useMemo, type ReactNode } from "react";
import { strings } from "../strings";
import { CodeBlock } from "./CodeBlock";
import { inWords, placeOf, safeAddress, type Place } from "./places";

interface MarkdownProps {
  text: string;
  /** Opens a file of the code project; without it names of files are words like others. */
  onOpen?: ((path: string, line?: number) => void) | undefined;
}

type Open = MarkdownProps["onOpen"];

/**
 * What a model wrote, as it meant it: headings, lists, tables, coloured code, links. Elements are made of tokens one by
 * one, so nothing in the text becomes markup that is not on this page; pictures are named and never fetched.
 */
export const Markdown = memo(function Markdown({ text, onOpen }: MarkdownProps) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text]);
  return <div className="words markdown">{blocks(tokens, onOpen)}</div>;
});

const blocks = (tokens: readonly Token[], onOpen: Open): ReactNode =>
  tokens.map((token, at) => <Block key={at} token={token} onOpen={onOpen} />);

/** A chat has headings of its own: those of an answer stand below them. */
const headingAt = (depth: number) => `h${Math.min(depth + 3, 6)}`;

function Block({ token, onOpen }: { token: Token; onOpen: Open }) {
  const inside = () => inline(token, onOpen);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return createElement(headingAt((token as Tokens.Heading).depth), null, inside());
    case "code":
      return <CodeBlock text={(token as Tokens.Code).text} lang={(token as Tokens.Code).lang?.split(/\s/)[0] ?? ""} />;
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, onOpen)}</blockquote>;
    case "hr":
      return <hr />;
    case "list":
      return <List list={token as Tokens.List} onOpen={onOpen} />;
    case "table":
      return <Table table={token as Tokens.Table} onOpen={onOpen} />;
    // A tight list's item is text without a paragraph.
    case "text":
      return <>{inside()}</>;
    default:
      return <p>{inside()}</p>;
  }
}

function List({ list, onOpen }: { list: Tokens.List; onOpen: Open }) {
  const items = list.items.map((item, at) => (
    <li key={at} data-task={item.task || undefined}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} disabled aria-label={strings.chat.task} />}
      {blocks(item.tokens, onOpen)}
    </li>
  ));
  return list.ordered ? <ol start={list.start || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, onOpen }: { table: Tokens.Table; onOpen: Open }) {
  const align = (at: number) => ({ textAlign: table.align[at] ?? undefined });
  return (
    <div className="markdown-table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at} style={align(at)}>
                {spans(cell.tokens, onOpen)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, nth) => (
            <tr key={nth}>
              {row.map((cell, at) => (
                <td key={at} style={align(at)}>
                  {spans(cell.tokens, onOpen)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const spans = (tokens: readonly Token[], onOpen: Open): ReactNode =>
  tokens.map((token, at) => <Span key={at} token={token} onOpen={onOpen} />);

function inline(token: Token, onOpen: Open): ReactNode {
  const inside = (token as { tokens?: Token[] }).tokens;
  return inside ? spans(inside, onOpen) : ((token as { text?: string }).text ?? token.raw);
}

function Span({ token, onOpen }: { token: Token; onOpen: Open }) {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token, onOpen)}</strong>;
    case "em":
      return <em>{inline(token, onOpen)}</em>;
    case "del":
      return <del>{inline(token, onOpen)}</del>;
    case "br":
      return <br />;
    case "codespan": {
      const { text } = token as Tokens.Codespan;
      const place = onOpen && placeOf(text);
      return place ? <ToPlace place={place} words={<code>{text}</code>} onOpen={onOpen} /> : <code>{text}</code>;
    }
    case "link":
      return <ToAddress link={token as Tokens.Link} onOpen={onOpen} />;
    case "image":
      return <span>{strings.chat.picture((token as Tokens.Image).text || (token as Tokens.Image).href)}</span>;
    case "escape":
      return <>{(token as Tokens.Escape).text}</>;
    case "text": {
      const { text } = token as Tokens.Text;
      if ((token as Tokens.Text).tokens || !onOpen) return <>{inline(token, onOpen)}</>;
      return <Words text={text} onOpen={onOpen} />;
    }
    // Markup is shown as it was written.
    default:
      return <>{token.raw}</>;
  }
}

/** Words, with the names of places in files as links. */
function Words({ text, onOpen }: { text: string; onOpen: NonNullable<Open> }) {
  return inWords(text).map((part, at) =>
    typeof part === "string" ? part : <ToPlace key={at} place={part.place} words={part.words} onOpen={onOpen} />,
  );
}

function ToPlace({ place, words, onOpen }: { place: Place; words: ReactNode; onOpen: NonNullable<Open> }) {
  return (
    <button
      type="button"
      className="link-button place-link"
      title={strings.chat.openPlace(place.path, place.line)}
      onClick={() => onOpen(place.path, place.line)}
    >
      {words}
    </button>
  );
}

function ToAddress({ link, onOpen }: { link: Tokens.Link; onOpen: Open }) {
  const words = inline(link, undefined);
  const address = safeAddress(link.href);
  if (address)
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {words}
      </a>
    );
  const place = onOpen && placeOf(link.href);
  return place ? <ToPlace place={place} words={words} onOpen={onOpen} /> : words;
}
