import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { CanvasHandle } from "../canvas";
import { strings } from "../strings";
import { Value } from "./ChangesDialog";
import { describeChanges, type ChangeLine } from "./describe";
import { lookIn } from "./lookIn";

/** What one action changed, under its line. */
export function ActionDiff({ run, action, handle }: { run: string; action: number; handle: CanvasHandle }) {
  const [lines, setLines] = useState<ChangeLine[] | null>(null);
  useEffect(() => {
    let current = true;
    api.changes(run).then(
      (changes) =>
        current &&
        setLines(
          describeChanges(
            changes.filter((change) => change.action === action),
            lookIn(handle),
          ),
        ),
      () => current && setLines([]),
    );
    return () => {
      current = false;
    };
  }, [run, action, handle]);
  if (!lines) return null;
  return (
    <ul className="action-diff">
      {lines.length === 0 && <li>{strings.changes.none}</li>}
      {lines.map(({ element, name, what, before, after }) => (
        <li key={`${element} ${what}`}>
          {name}: {what}
          {before !== undefined && after !== undefined && (
            <>
              {" "}
              <Value value={before} /> → <Value value={after} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
