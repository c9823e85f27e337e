import type { Props } from "./schema";

/** Which elements point at which: labels at containers, arrows at what they are bound to, children at frames. */
export class References {
  private readonly to = new Map<string, Set<string>>();

  static of(raw: Props | undefined): string[] {
    const targets = [raw?.containerId, idOf(raw?.startBinding), idOf(raw?.endBinding), raw?.frameId];
    return targets.filter((id): id is string => typeof id === "string");
  }

  update(id: string, before: Props | undefined, after: Props | undefined): void {
    for (const target of References.of(before)) {
      this.to.get(target)?.delete(id);
    }
    for (const target of References.of(after)) {
      const set = this.to.get(target) ?? new Set();
      this.to.set(target, set.add(id));
    }
  }

  /** Ids of what points at `target`, in a fixed order. */
  at(target: string): string[] {
    return [...(this.to.get(target) ?? [])].sort();
  }
}

export function idOf(binding: unknown): string | undefined {
  const id = (binding as { elementId?: unknown } | null | undefined)?.elementId;
  return typeof id === "string" ? id : undefined;
}
