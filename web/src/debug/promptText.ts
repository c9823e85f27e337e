/** A prompt as it is read: the system's words, then each message under its role; what else there is, as JSON. */
export function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  const { system, messages, ...rest } = (prompt ?? {}) as { system?: unknown; messages?: unknown[] };
  const out: string[] = [];
  if (typeof system === "string") out.push(system);
  for (const message of messages ?? []) {
    const { role, content } = message as { role?: unknown; content?: unknown };
    out.push(`[${String(role)}]\n${typeof content === "string" ? content : without(content)}`);
  }
  if (Object.keys(rest).length > 0) out.push(without(rest));
  return out.join("\n\n");
}

/** The pictures anywhere in a prompt, as addresses that a browser shows. */
export function picturesIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("data:image/") ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(picturesIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(picturesIn);
  return [];
}

/** JSON to read: a picture's thousands of letters say nothing. */
function without(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" && inner.startsWith("data:image/") ? "(picture)" : inner), 2);
}
