/** A prompt as it is read: the system's words, then each message under its role; what else there is, as JSON. */
export function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  const { system, messages, ...rest } = (prompt ?? {}) as { system?: unknown; messages?: unknown[] };
  const out: string[] = [];
  if (typeof system === "string") out.push(system);
  for (const message of messages ?? []) {
    const { role, content } = message as { role?: unknown; content?: unknown };
    out.push(`[${String(role)}]\n${typeof content === "string" ? content : plain(content)}`);
  }
  if (Object.keys(rest).length > 0) out.push(plain(rest));
  return out.join("\n\n");
}

/** The picture that went along with a prompt, as an address that a browser shows: the server keeps it by its hash. */
export function pictureIn(prompt: unknown): string | null {
  const hash = (prompt as { picture?: { sha256?: unknown } | null } | null)?.picture?.sha256;
  return typeof hash === "string" && hash ? `/api/blobs/${encodeURIComponent(hash)}` : null;
}

function plain(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
