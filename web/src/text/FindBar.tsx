import { TextSelection, type EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useState } from "react";
import { strings } from "../strings";
import { findKey, hits, isHere, nextHit, replaceHits, type Hit } from "./find";

interface FindBarProps {
  view: EditorView;
  state: EditorState;
  readOnly: boolean;
  onClose(): void;
}

/** Find and replace on the page. Replacing is one edit of the person's, a word at a time or all at once. */
export function FindBar({ view, state, readOnly, onClose }: FindBarProps) {
  const [words, setWords] = useState("");
  const [other, setOther] = useState("");
  const found = hits(state.doc, words);

  useEffect(() => {
    view.dispatch(view.state.tr.setMeta(findKey, words));
  }, [view, words]);
  useEffect(() => () => void (view.isDestroyed || view.dispatch(view.state.tr.setMeta(findKey, ""))), [view]);

  const go = (by: 1 | -1) => {
    const hit = nextHit(hits(view.state.doc, words), view.state.selection, by);
    if (hit) view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, hit.from, hit.to)).scrollIntoView());
  };
  const replace = (which: readonly Hit[]) => view.dispatch(replaceHits(view.state, which, other));
  const here = found.find((hit) => isHere(hit, state.selection)) ?? found[0];

  return (
    <form
      className="text-find"
      role="search"
      aria-label={strings.text.find}
      onSubmit={(event) => {
        event.preventDefault();
        go(1);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key !== "Enter" || !event.shiftKey) return;
        event.preventDefault();
        go(-1);
      }}
    >
      <input
        aria-label={strings.text.find}
        placeholder={strings.text.find}
        value={words}
        autoFocus
        onChange={(event) => setWords(event.target.value)}
      />
      <span role="status">{words && strings.text.found(found.length)}</span>
      <button type="button" className="button small" disabled={found.length === 0} onClick={() => go(-1)}>
        {strings.text.previousHit}
      </button>
      <button type="submit" className="button small" disabled={found.length === 0}>
        {strings.text.nextHit}
      </button>
      {!readOnly && (
        <>
          <input
            aria-label={strings.text.replaceWith}
            placeholder={strings.text.replaceWith}
            value={other}
            onChange={(event) => setOther(event.target.value)}
          />
          <button
            type="button"
            className="button small"
            disabled={!here}
            onClick={() => {
              if (here) replace([here]);
              go(1);
            }}
          >
            {strings.text.replace}
          </button>
          <button type="button" className="button small" disabled={found.length === 0} onClick={() => replace(found)}>
            {strings.text.replaceAll}
          </button>
        </>
      )}
      <button type="button" className="button small" onClick={onClose}>
        {strings.text.closeFind}
      </button>
    </form>
  );
}
