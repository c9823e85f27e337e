import { nameOf } from "../api/names";
import type { Collaborator, SocketId } from "@excalidraw/excalidraw/types";
import type { Presence } from "../sync";

/** Other people as Excalidraw shows them: cursor, name, selection. Fairies are drawn by the overlay. */
export function collaboratorsFrom(all: ReadonlyMap<string, Presence>, self: string): Map<SocketId, Collaborator> {
  const people = new Map<SocketId, Collaborator>();
  for (const [key, presence] of all) {
    if (key === self || presence.kind !== "person") {
      continue;
    }
    const socketId = key as SocketId;
    people.set(socketId, {
      id: key,
      socketId,
      username: nameOf(presence),
      color: { background: presence.color, stroke: presence.color },
      selectedElementIds: Object.fromEntries(presence.selection.map((id) => [id, true as const])),
      ...(presence.cursor ? { pointer: { ...presence.cursor, tool: "pointer" as const } } : {}),
    });
  }
  return people;
}
