import { getCommonBounds } from "@excalidraw/element";
import type { ExcalidrawElement } from "@excalidraw/element/types";
import { exportToBlob } from "@excalidraw/excalidraw";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { PictureElement } from "./types";

const ROOM = 40;
const LONGEST_SIDE = 900;

/**
 * A picture of the scene as `change` makes it, of the part around some elements. The part is that of the scene as it
 * is and as it is made together, so that two pictures of one change show the same place.
 */
export async function pictureOf(
  api: ExcalidrawImperativeAPI,
  change: (scene: readonly PictureElement[]) => PictureElement[],
  around: readonly string[],
): Promise<Blob | null> {
  const scene = api.getSceneElements() as unknown as PictureElement[];
  const all = api.getSceneElementsIncludingDeleted() as unknown as PictureElement[];
  const shown = change(all).filter((element) => element.isDeleted !== true);
  const wanted = new Set(around);
  const named = [...scene, ...shown].filter(({ id }) => wanted.has(id)) as unknown as ExcalidrawElement[];
  if (named.length === 0) return null;
  const [left, top, right, bottom] = getCommonBounds(named);
  const near = (shown as unknown as ExcalidrawElement[]).filter(
    ({ x, y, width, height }) => x <= right + ROOM && y <= bottom + ROOM && x + width >= left - ROOM && y + height >= top - ROOM,
  );
  if (near.length === 0) return null;
  const state = api.getAppState();
  return exportToBlob({
    elements: near as Parameters<typeof exportToBlob>[0]["elements"],
    appState: { ...state, exportBackground: true, exportWithDarkMode: state.theme === "dark", exportEmbedScene: false },
    files: api.getFiles(),
    exportPadding: 16,
    maxWidthOrHeight: LONGEST_SIDE,
    mimeType: "image/png",
  });
}
