import type { EditorView } from "prosemirror-view";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { Popup } from "../ui/Popup";

export interface Choice {
  key: string;
  label: string;
  /** What is said beside it. */
  hint?: string;
  take(): void;
}

interface ListMenuProps {
  view: EditorView;
  /** Where in the document it opens. */
  at: number;
  label: string;
  choices: readonly Choice[];
  onClose(): void;
}

/** A list under the caret, chosen from while one types on: arrows and Enter, or a press. */
export function ListMenu({ view, at, label, choices, onClose }: ListMenuProps) {
  const [wanted, setWanted] = useState(0);
  const id = useId();
  const current = Math.min(wanted, Math.max(0, choices.length - 1));
  const latest = useRef({ choices, current, onClose });
  latest.current = { choices, current, onClose };

  // Before the next key can come.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { choices, current, onClose } = latest.current;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const choice = choices[current];
      if (event.key === "Escape") onClose();
      else if (step && choices.length > 0) setWanted((current + step + choices.length) % choices.length);
      else if ((event.key === "Enter" || event.key === "Tab") && choice) choice.take();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    view.dom.addEventListener("keydown", onKey, true);
    return () => view.dom.removeEventListener("keydown", onKey, true);
  }, [view]);

  useLayoutEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: "nearest" });
    view.dom.setAttribute("aria-activedescendant", `${id}-${current}`);
    return () => view.dom.removeAttribute("aria-activedescendant");
  });

  if (choices.length === 0) return null;
  return (
    <Popup at={view.coordsAtPos(Math.min(at, view.state.doc.content.size))} className="text-list" role="listbox" label={label}>
      {choices.map((choice, index) => (
        <div key={choice.key} id={`${id}-${index}`} role="option" aria-selected={index === current} onClick={() => choice.take()}>
          <span>{choice.label}</span>
          {choice.hint && <small>{choice.hint}</small>}
        </div>
      ))}
    </Popup>
  );
}
