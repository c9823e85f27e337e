import type { Diff } from "./types";

const KINDS: Record<string, string> = { "+": "add", "-": "remove", "@": "place" };

/** A unified difference, line by line; what is no text says why. */
export function DiffText({ diff, label, omitted }: { diff: Diff; label: string; omitted(why: string): string }) {
  if ("omitted" in diff) return <p className="hint">{omitted(diff.omitted)}</p>;
  const lines = diff.text.replace(/\n$/, "").split("\n");
  // The first two name the file, which is said already.
  const from = lines[0]?.startsWith("---") ? 2 : 0;
  return (
    <pre className="diff-text" tabIndex={0} role="region" aria-label={label}>
      {lines.slice(from).map((line, at) => (
        <span key={at} data-kind={KINDS[line[0] ?? ""]}>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
