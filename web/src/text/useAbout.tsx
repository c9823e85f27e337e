import type { EditorView } from "prosemirror-view";
import { useState, type ReactNode } from "react";
import { Words } from "../comments/Words";
import { strings } from "../strings";
import type { PageSession } from "../sync";
import { Popup, type Spot } from "../ui/Popup";
import { anchorWords } from "./anchors";
import { rangeOf, selectionPlaces, type CaretRange } from "./carets";
import { blockOf } from "./places";

/** Words, or a block, that somebody is about to say something about. */
interface About {
  block: string;
  words: CaretRange | null;
  at: Spot;
}

interface AboutBox {
  shown: boolean;
  /** Begins a comment about a block. */
  block(block: string): void;
  /** Begins one about the selected words. */
  words(): void;
  box: ReactNode;
}

/** Saying something about a block or words: begun from the margin or the toolbar, written in a box beside them. */
export function useAbout(
  view: EditorView | null,
  session: PageSession,
  readOnly: boolean,
  onComment: ((block: string, text: string) => string | null) | undefined,
): AboutBox {
  const [about, setAbout] = useState<About | null>(null);

  const say = ({ block, words }: About, text: string) => {
    setAbout(null);
    const id = onComment?.(block, text);
    const where = view && words && rangeOf(words, session.doc, view.state);
    if (id && where && !readOnly) view.dispatch(anchorWords(view.state, where, id));
  };

  return {
    shown: about !== null,
    block: (block) => {
      const found = view && blockOf(view.state.doc, block);
      const dom = found && view.nodeDOM(found.at);
      if (dom instanceof HTMLElement) setAbout({ block, words: null, at: dom.getBoundingClientRect() });
    },
    words: () => {
      const selection = view?.state.selection;
      const block = selection?.$from.node(1)?.attrs.id as string | undefined;
      if (!view || !selection || !block) return;
      setAbout({ block, words: selectionPlaces(view.state, session.doc), at: view.coordsAtPos(selection.from) });
    },
    box: about && (
      <Popup at={about.at} className="text-say" label={strings.comments.add} role="dialog" onClose={() => setAbout(null)}>
        <Words label={strings.comments.say} send={strings.comments.send} onSend={(text) => say(about, text)} />
      </Popup>
    ),
  };
}
