import { TextSelection, type EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useState } from "react";
import { strings } from "../strings";
import { findKey, hits } from "./find";

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

  const next = () => {
    const hit = found.find(({ from }) => from > view.state.selection.from) ?? found[0];
    if (hit) view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, hit.from, hit.to)).scrollIntoView());
  };
  const replace = (which: readonly { from: number; to: number }[]) => {
    const transaction = view.state.tr;
    for (const { from, to } of [...which].reverse()) transaction.insertText(other, from, to);
    view.dispatch(transaction);
  };
  const here = found.find(({ from, to }) => from === state.selection.from && to === state.selection.to) ?? found[0];

  return (
    <form
      className="text-find"
      role="search"
      aria-label={strings.text.find}
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <input aria-label={strings.text.find} placeholder={strings.text.find} value={words} autoFocus onChange={(event) => setWords(event.target.value)} />
      <span role="status">{words && strings.text.found(found.length)}</span>
      {!readOnly && (
        <>
          <input aria-label={strings.text.replaceWith} placeholder={strings.text.replaceWith} value={other} onChange={(event) => setOther(event.target.value)} />
          <button type="button" className="button small" disabled={!here} onClick={() => here && replace([here])}>
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
