/**
 * A prompt as it is read: the system's words, then each message under its role; what else there is, as JSON, without
 * a picture's bytes, which are for the eye.
 */
export function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  const { system, messages, picture, ...rest } = (prompt ?? {}) as { system?: unknown; messages?: unknown[]; picture?: object | null };
  const { data: _, ...about } = (picture ?? {}) as { data?: unknown };
  const out: string[] = [];
  if (typeof system === "string") out.push(system);
  for (const message of messages ?? []) {
    const { role, content } = message as { role?: unknown; content?: unknown };
    out.push(`[${String(role)}]\n${typeof content === "string" ? content : plain(content)}`);
  }
  const more = { ...rest, ...(Object.keys(about).length > 0 ? { picture: about } : {}) };
  if (Object.keys(more).length > 0) out.push(plain(more));
  return out.join("\n\n");
}

/**
 * The picture that goes along with a prompt, as an address that a browser shows. Of a prompt that was sent the server
 * keeps it by its hash; one that would be sent brings it along.
 */
export function pictureIn(prompt: unknown): string | null {
  const { sha256: hash, data } = (prompt as { picture?: { sha256?: unknown; data?: unknown } | null } | null)?.picture ?? {};
  if (typeof data === "string" && data.startsWith("data:image/")) return data;
  return typeof hash === "string" && hash ? `/api/blobs/${encodeURIComponent(hash)}` : null;
}

function plain(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
