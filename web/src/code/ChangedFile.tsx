import { unifiedMergeView } from "@codemirror/merge";
import { type EditorState, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { strings } from "../strings";
import { reader } from "./editor";
import type { FileChange, Part } from "./types";

interface ChangedFileProps {
  change: FileChange;
  /** It can still be decided about. */
  open: boolean;
  working: boolean;
  onKeep(part: Part): void;
  onUndo(part: Part): void;
  onOpen(path: string): void;
}

type Decide = (place: number, how: "keep" | "undo") => void;

/** Above a place that changed: what to do about it. */
class PlaceBar extends WidgetType {
  constructor(
    readonly place: number,
    readonly all: number,
    readonly path: string,
    readonly decide: Decide,
  ) {
    super();
  }

  override eq(other: PlaceBar) {
    return other.place === this.place && other.all === this.all && other.path === this.path;
  }

  override toDOM() {
    const bar = document.createElement("div");
    bar.className = "place-bar";
    const words = document.createElement("span");
    words.textContent = strings.code.place(this.place + 1, this.all);
    bar.append(words, this.button("undo"), this.button("keep"));
    return bar;
  }

  button(how: "keep" | "undo") {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = strings.code[how];
    const name = how === "keep" ? strings.code.keepPlace : strings.code.undoPlace;
    button.setAttribute("aria-label", name(this.place + 1, this.path));
    button.onclick = () => this.decide(this.place, how);
    return button;
  }

  override ignoreEvent() {
    return true;
  }
}

/** The server counts the places; the editor's own pieces may be cut otherwise. */
function placeBars(change: FileChange, decide: Decide): Extension {
  const build = (state: EditorState) =>
    Decoration.set(
      change.hunks.map(({ new: [from] }, place) => {
        const at = from < state.doc.lines ? state.doc.line(from + 1).from : state.doc.length;
        const widget = new PlaceBar(place, change.hunks.length, change.path, decide);
        return Decoration.widget({ widget, block: true, side: -2 }).range(at);
      }),
      true,
    );
  return StateField.define({ create: build, update: (bars) => bars, provide: (field) => EditorView.decorations.from(field) });
}

/** What a run did to one file, as a difference; kept or undone whole, or place by place. */
export function ChangedFile({ change, open, working, onKeep, onUndo, onOpen }: ChangedFileProps) {
  const place = useRef<HTMLDivElement>(null);
  const { path, before, after } = change;
  const decide = useRef<Decide>(() => {});
  decide.current = (place, how) => (how === "keep" ? onKeep : onUndo)({ hunks: { [path]: [place] } });
  // Places are those of one change of a text: a file that came or went is one thing.
  const byPlace = open && change.pending && change.hunks.length > 0 && before !== null && after !== null;
  const omitted = "omitted" in change.diff ? change.diff.omitted : null;

  useEffect(() => {
    if (!place.current || omitted) return;
    const made = reader({
      parent: place.current,
      text: after ?? "",
      path,
      label: strings.code.diffOf(path),
      extensions: [
        unifiedMergeView({
          original: before ?? "",
          mergeControls: false,
          collapseUnchanged: { margin: 3, minSize: 6 },
        }),
        byPlace ? placeBars(change, (place, how) => decide.current(place, how)) : [],
      ],
    });
    return () => made.destroy();
  }, [change, path, before, after, byPlace, omitted]);

  const fate = change.movedFrom
    ? strings.code.movedFrom(change.movedFrom)
    : before === null && after !== null
      ? strings.code.made
      : after === null && before !== null
        ? strings.code.deleted
        : null;
  return (
    <section className="changed-file" aria-label={path} data-pending={change.pending || undefined}>
      <header>
        <h3>
          <button type="button" className="link-button" onClick={() => onOpen(path)}>
            {path}
          </button>
          {fate && <span className="message-verdict">{fate}</span>}
          {!change.pending && <span className="message-verdict">{strings.code.settled}</span>}
        </h3>
        {open && change.pending && (
          <>
            <button
              type="button"
              className="button small"
              aria-label={strings.code.undoFile(path)}
              disabled={working}
              onClick={() => onUndo({ files: [path] })}
            >
              {strings.code.undo}
            </button>
            <button
              type="button"
              className="button small primary"
              aria-label={strings.code.keepFile(path)}
              disabled={working}
              onClick={() => onKeep({ files: [path] })}
            >
              {strings.code.keep}
            </button>
          </>
        )}
      </header>
      {omitted ? <p className="hint">{strings.code.noDiff(omitted)}</p> : <div className="changed-text" ref={place} />}
    </section>
  );
}
