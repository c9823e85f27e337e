import { NodeSelection, type Command, type EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useRef, useState } from "react";
import { strings } from "../strings";
import type { PageSession } from "../sync";
import { Popup } from "../ui/Popup";
import { AskLine, type Question } from "./AskLine";
import { rangeOf, selectionPlaces } from "./carets";
import { insertBlock } from "./commands";
import { MentionMenu, type Mentionable } from "./MentionMenu";
import { blockOf } from "./places";
import { safeLink } from "./schema";
import { SlashMenu } from "./SlashMenu";
import { TableTools, Toolbar } from "./Toolbar";
import type { Typed } from "./typed";
import type { Barred } from "./useBarred";

interface WhileWritingProps {
  view: EditorView;
  state: EditorState;
  session: PageSession;
  barred: Barred;
  /** Somebody writes here now. */
  active: boolean;
  slash: Typed | null;
  mention: Typed | null;
  mentionable: readonly Mentionable[];
  run(command: Command): void;
  onCloseMenus(): void;
  onPictures(files: File[]): void;
  onComment?(): void;
}

/** Gives a picture other words for who cannot see it. */
const describe =
  (picture: string, alt: string): Command =>
  (now, dispatch) => {
    const found = blockOf(now.doc, picture);
    if (found) dispatch?.(now.tr.setNodeMarkup(found.at, null, { ...found.node.attrs, alt }));
    return found !== null;
  };

/** What comes up beside the words while one writes: tools for what is selected, lists to choose from, questions. */
export function WhileWriting({ view, state, session, barred, active, slash, mention, run, onComment, ...props }: WhileWritingProps) {
  const [question, ask] = useState<Question | null>(null);
  const picture = useRef<HTMLInputElement>(null);
  const { selection } = state;
  const image = selection instanceof NodeSelection && selection.node.type.name === "image" ? selection : null;
  const writing = active && !question;

  const askFor = (kind: string) => {
    if (kind === "image") return picture.current?.click();
    ask({
      label: strings.text.embedTo,
      start: "https://",
      at: view.coordsAtPos(view.state.selection.from),
      check: (href) => (/^https?:\/\/./.test(href) && safeLink(href) ? null : strings.text.badLink),
      done: (href) => run(insertBlock("embed", { href })),
    });
  };

  /** The selection, wherever it goes while a question about it is answered. */
  const hold = () => {
    const words = selectionPlaces(view.state, session.doc);
    return () => (words ? rangeOf(words, session.doc, view.state) : view.state.selection);
  };

  return (
    <>
      {writing && !selection.empty && !(selection instanceof NodeSelection) && (
        <Toolbar view={view} state={state} barred={barred} run={run} hold={hold} onAsk={ask} onComment={onComment} />
      )}
      {writing && selection.empty && selection.$from.parent.type.name === "tableCell" && !barred.blocks.has("tableRow") && (
        <TableTools view={view} state={state} run={run} />
      )}
      {writing && image && (
        <Popup at={view.coordsAtPos(image.from)} className="text-toolbar" label={strings.text.describe} role="toolbar">
          <button
            type="button"
            className="text-tool"
            onClick={() =>
              ask({
                label: strings.text.describe,
                start: image.node.attrs.alt,
                at: view.coordsAtPos(image.from),
                done: (alt) => run(describe(image.node.attrs.id, alt)),
              })
            }
          >
            {strings.text.describe}
          </button>
        </Popup>
      )}
      {slash && <SlashMenu view={view} slash={slash} barred={barred} onAsk={askFor} onClose={props.onCloseMenus} />}
      {mention && !barred.marks.has("mention") && (
        <MentionMenu view={view} typed={mention} known={props.mentionable} onClose={props.onCloseMenus} />
      )}
      {question && <AskLine question={question} onClose={() => ask(null)} />}
      <input
        ref={picture}
        type="file"
        accept="image/*"
        hidden
        aria-label={strings.text.kinds.image}
        onChange={(event) => {
          props.onPictures([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
