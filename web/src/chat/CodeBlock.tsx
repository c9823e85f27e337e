import { useEffect, useState, type ReactNode } from "react";
import { strings } from "../strings";
import { flatten } from "../text/colored";

type Highlighter = typeof import("../text/languages").lowlight;

/** Longer code is shown plain: an answer that grows is coloured anew with every piece. */
const LONGEST = 20_000;

let highlighter: Highlighter | null = null;

/** The highlighter, fetched with the first code that says its language. */
function useHighlighter(wanted: boolean): Highlighter | null {
  const [light, setLight] = useState(highlighter);
  useEffect(() => {
    if (!wanted || highlighter) return;
    let current = true;
    void import("../text/languages").then(({ lowlight }) => {
      highlighter = lowlight;
      if (current) setLight(() => lowlight);
    });
    return () => {
      current = false;
    };
  }, [wanted]);
  return light ?? highlighter;
}

/** Code in an answer, coloured where its language is known, to be taken along with one press. */
export function CodeBlock({ text, lang }: { text: string; lang: string }) {
  const light = useHighlighter(lang !== "");
  const [copied, setCopied] = useState(false);
  const name = lang.toLowerCase();
  const colours = light && text.length <= LONGEST && light.registered(name) ? flatten(light.highlight(name, text)) : [];
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { from, to, className } of colours) {
    parts.push(text.slice(at, from));
    parts.push(
      <span key={from} className={className}>
        {text.slice(from, to)}
      </span>,
    );
    at = to;
  }
  parts.push(text.slice(at));
  return (
    <div className="text-code markdown-code">
      <pre tabIndex={0}>
        <code>{parts}</code>
      </pre>
      <button
        type="button"
        className="link-button"
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => {
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
          });
        }}
      >
        {copied ? strings.chat.copiedCode : strings.chat.copyCode}
      </button>
    </div>
  );
}
