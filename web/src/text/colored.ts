/** A part of a block of code, by its place in the block. */
export interface Colored {
  from: number;
  to: number;
  className: string;
}

export interface Tree {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Tree[];
}

/** A highlighter's tree as parts in a row; the innermost name counts. */
export function flatten(tree: Tree): Colored[] {
  const parts: Colored[] = [];
  let at = 0;
  const walk = (node: Tree, className: string) => {
    if (node.type === "text") {
      const length = node.value?.length ?? 0;
      if (className && length > 0) parts.push({ from: at, to: at + length, className });
      at += length;
      return;
    }
    const own = node.properties?.className;
    const next = Array.isArray(own) ? own.join(" ") : className;
    node.children?.forEach((child) => walk(child, next));
  };
  walk(tree, "");
  return parts;
}
