import type { Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";

/** What a rule for signs says of the change that it made: which words were typed, and where. */
interface Typed {
  from: number;
  to: number;
  text: string;
}

/** What a transaction of the person's is carried out with. */
export interface Hands {
  show(state: EditorState): void;
  /** The person changed the page. */
  wrote(before: Node, after: Node): void;
  /** Undoes this by itself. */
  apart(write: () => void): void;
}

/**
 * Carries a transaction out. Where signs become something, first the sign that was just typed is put on the page: what is
 * made of it is a step of its own then, and undoing that gives the sign back.
 */
export function carryOut(transaction: Transaction, before: EditorState, hands: Hands): void {
  const after = before.applyTransaction(transaction).state;
  const rules = before.plugins.find(({ spec }) => (spec as { isInputRules?: boolean }).isInputRules);
  const typed = rules && (transaction.getMeta(rules) as Typed | undefined);
  const write = (from: EditorState, to: EditorState) => {
    hands.show(to);
    if (to.doc !== from.doc) hands.wrote(from.doc, to.doc);
  };
  if (!typed?.text) return write(before, after);
  const between = before.apply(before.tr.insertText(typed.text, typed.from, typed.to));
  write(before, between);
  hands.apart(() => write(between, after));
}
