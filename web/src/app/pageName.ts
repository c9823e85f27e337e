import { strings } from "../strings";

/** A name for the next page that no page has yet. */
export function suggestPageName(names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.trim().toLocaleLowerCase()));
  for (let n = names.length + 1; ; n++) {
    const name = strings.page.suggest(n);
    if (!taken.has(name.toLocaleLowerCase())) return name;
  }
}
