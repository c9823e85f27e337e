/** Sets TeX into an element: `block` on a line of its own. */
export type SetFormula = (tex: string, into: HTMLElement, block: boolean) => void;

let setting: Promise<SetFormula> | null = null;

/** Fetched with the first formula. It makes elements, never code; what a formula may ask for is bounded. */
export function loadFormulas(): Promise<SetFormula> {
  setting ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(
    ([{ default: katex }]) =>
      (tex, into, block) =>
        katex.render(tex, into, { displayMode: block, throwOnError: false, trust: false, strict: "ignore", maxSize: 40, maxExpand: 300 }),
  );
  return setting;
}
