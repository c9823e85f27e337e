import type { EditorView } from "prosemirror-view";
import { strings } from "../strings";
import { ListMenu } from "./ListMenu";
import { schema } from "./schema";
import type { Typed } from "./typed";

/** Whom or what one can mention. */
export interface Mentionable {
  kind: "person" | "fairy" | "page";
  id: string;
  name: string;
}

const MOST = 8;

/** People, fairies and pages whose names go on as one types. */
export function MentionMenu({
  view,
  typed,
  known,
  onClose,
}: {
  view: EditorView;
  typed: Typed;
  known: readonly Mentionable[];
  onClose(): void;
}) {
  const take = ({ kind, id, name }: Mentionable) => {
    onClose();
    const mark = schema.marks.mention!.create({ value: { [kind]: id } });
    const transaction = view.state.tr.replaceWith(typed.from, typed.to, [schema.text(`@${name}`, [mark]), schema.text(" ")]);
    view.dispatch(transaction.removeStoredMark(mark.type).scrollIntoView());
    view.focus();
  };
  const choices = known
    .filter(({ name }) => name.toLowerCase().includes(typed.query))
    .slice(0, MOST)
    .map((one) => ({ key: `${one.kind} ${one.id}`, label: one.name, hint: strings.text.mention[one.kind], take: () => take(one) }));
  return <ListMenu view={view} at={typed.to} label={strings.text.mention.menu} choices={choices} onClose={onClose} />;
}
