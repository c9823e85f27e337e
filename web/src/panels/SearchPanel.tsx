import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Found } from "../api/types";
import { showShapes } from "../app/shapes";
import { useStudio } from "../state/store";
import { strings } from "../strings";
import { SidePanel } from "./SidePanel";

/** So long after the last key the server is asked. */
const PAUSE_MS = 200;

type Answer = { words: string; found: Found[] } | { words: string; problem: string } | null;

/** Words on all pages that one may read; each place leads to where it is. */
export default function SearchPanel() {
  const workspace = useStudio((state) => state.workspace.id);
  const on = useStudio((state) => state.on);
  const [words, setWords] = useState("");
  const [answer, setAnswer] = useState<Answer>(null);
  const wanted = words.trim();
  useEffect(() => {
    if (!wanted) return setAnswer(null);
    let current = true;
    const timer = setTimeout(() => {
      api.search(workspace, wanted).then(
        (found) => current && setAnswer({ words: wanted, found }),
        (error: Error) => current && setAnswer({ words: wanted, problem: error.message }),
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [workspace, wanted]);
  return (
    <SidePanel title={strings.search.title} testId="search-panel">
      <input
        type="search"
        className="input"
        aria-label={strings.search.words}
        placeholder={strings.search.words}
        value={words}
        autoFocus
        onChange={(event) => setWords(event.target.value)}
      />
      <div role="status">
        {answer && "problem" in answer && <p className="run-problem">{answer.problem}</p>}
        {answer && "found" in answer && (
          <p className="side-empty">{answer.found.length === 0 ? strings.search.none : strings.search.found(answer.found.length)}</p>
        )}
      </div>
      {answer && "found" in answer && (
        <ul className="comment-list">
          {answer.found.map((one) => (
            <li key={`${one.page} ${one.element}`}>
              <button type="button" className="comment-row" onClick={() => on(one.page, (handle) => showShapes(handle, [one.element]))}>
                <small>{one.pageName || strings.page.untitled}</small>
                <span>{one.text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </SidePanel>
  );
}
