import type { Node, NodeType } from "prosemirror-model";
import { schema } from "./schema";

/** A kind of block by its name. */
export const type = (name: string): NodeType => {
  const found = schema.nodes[name];
  if (!found) throw new Error(`there is no block ${name}`);
  return found;
};

/** What a block keeps when it becomes another kind. */
export const place = ({ attrs: { id, indent = 0, quote = 0 } }: Node) => ({ id, indent, quote });
