import rules from "../../../crates/glade-doc/src/element-rules.json";

/** Sets TeX into an element: `block` on a line of its own. */
export type SetFormula = (tex: string, into: HTMLElement, block: boolean) => void;

let setting: Promise<SetFormula> | null = null;

/** Fetched with the first formula. It makes elements, never code; what a formula may ask for is bounded. */
export function loadFormulas(): Promise<SetFormula> {
  setting ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(
    ([{ default: katex }]) =>
      (tex, into, block) =>
        setOrShow(tex, into, () =>
          katex.render(tex, into, { displayMode: block, throwOnError: false, trust: false, strict: "ignore", maxSize: 40, maxExpand: 300 }),
        ),
  );
  return setting;
}

/** A formula that cannot be set shows its source. */
export function setOrShow(tex: string, into: { textContent: string | null }, set: () => void): void {
  try {
    if (canBeSet(tex)) return set();
  } catch {
    // It went deeper than the browser can.
  }
  into.textContent = tex;
}

/** Whether setting a formula takes a moment, not minutes. */
export function canBeSet(tex: string): boolean {
  const { length, depth } = rules.formula;
  if (tex.length > length) return false;
  let open = 0;
  for (const [sign] of tex.matchAll(/\\(?:begin|left|end|right)(?![a-z])|\\.|[{}]/gis)) {
    if (sign === "{" || sign === "\\begin" || sign === "\\left") open++;
    else if (sign === "}" || sign === "\\end" || sign === "\\right") open--;
    if (open > depth) return false;
  }
  return true;
}
