import { CaptureUpdateAction, convertToExcalidrawElements, duplicateElements, getCommonBounds } from "@excalidraw/element";
import type { ExcalidrawElement, FileId } from "@excalidraw/element/types";
import { loadSceneOrLibraryFromBlob, MIME_TYPES } from "@excalidraw/excalidraw";
import type { BinaryFiles, BinaryFileData, DataURL, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { Blobs } from "../api/blobs";
import { api as server } from "../api/client";
import { strings } from "../strings";
import type { Point, Rect } from "../sync";
import { besideAll } from "./beside";
import { blobOf, dataUrlOf } from "./dataUrl";
import { faultOf } from "./elementRules";

interface Target {
  page: string;
  api: ExcalidrawImperativeAPI;
  blobs: Blobs;
}

/** A picture as large as this on the page can still be seen whole. */
const LARGEST = 640;

/**
 * Puts files on the page: drawings and pictures that hold one are added beside what is there, with ids of their own,
 * never in place of it; libraries go to the library; other pictures become images. One step to undo. What the editor
 * cannot read the server may, or else says why not. Answers in words what is not as it was.
 */
export async function importFile(target: Target, file: File, at: Point): Promise<readonly string[]> {
  const { page, api, blobs } = target;
  const picture = file.type.startsWith("image/");
  try {
    return (await addFile(target, file, at)).notes;
  } catch {
    // A picture without a drawing inside is only a picture.
    if (picture) {
      await addPicture(api, blobs, file, at);
      return [];
    }
    const { scene, notes } = await server.readFile(page, file);
    const readable = new File([JSON.stringify(scene)], `${file.name}.excalidraw`, { type: MIME_TYPES.excalidraw });
    const { added, notes: more } = await addFile(target, readable, at);
    if (added.length === 0 && notes.length + more.length === 0) throw new Error(strings.files.nothingInIt);
    return [...notes, ...more];
  }
}

interface Added {
  /** What came onto the page. */
  added: readonly ExcalidrawElement[];
  /** In words, what did not. */
  notes: string[];
}

async function addFile({ api, blobs }: Target, file: File, at: Point): Promise<Added> {
  const loaded = await loadSceneOrLibraryFromBlob(file, null, null);
  if (loaded.type === MIME_TYPES.excalidrawlib) {
    await api.updateLibrary({ libraryItems: file, merge: true, openLibraryMenu: true, prompt: false });
    return { added: [], notes: [] };
  }
  const { elements = [], files = {} } = loaded.data as { elements?: ExcalidrawElement[]; files?: BinaryFiles };
  return addDrawing(api, blobs, elements, files, at);
}

async function addDrawing(
  api: ExcalidrawImperativeAPI,
  blobs: Blobs,
  elements: readonly ExcalidrawElement[],
  files: BinaryFiles,
  at: Point,
): Promise<Added> {
  const { alive, notes } = allowed(elements.filter((element) => !element.isDeleted));
  if (alive.length === 0) return { added: [], notes };
  const kept = await keepFiles(api, blobs, files);
  const { duplicatedElements } = duplicateElements({ type: "everything", elements: alive, randomizeSeed: false });
  const [left, top, right, bottom] = getCommonBounds(duplicatedElements);
  const size = { w: right - left, h: bottom - top };
  const place = besideAll(boundsOf(api), { x: at.x - size.w / 2, y: at.y - size.h / 2, ...size });
  const [dx, dy] = [place.x - left, place.y - top];
  const placed = duplicatedElements.map((element) => ({
    ...element,
    x: element.x + dx,
    y: element.y + dy,
    index: null,
    ...(element.type === "image" && element.fileId ? { fileId: kept.get(element.fileId) ?? element.fileId } : {}),
  })) as ExcalidrawElement[];
  add(api, placed);
  return { added: placed, notes };
}

/** Without the elements that no page takes: the editor might hang on them, and the server would refuse the rest as well. */
function allowed(elements: readonly ExcalidrawElement[]): { alive: ExcalidrawElement[]; notes: string[] } {
  const alive: ExcalidrawElement[] = [];
  const notes: string[] = [];
  for (const element of elements) {
    const fault = faultOf(element as unknown as Record<string, unknown>);
    if (fault) notes.push(strings.files.leftOut(element.type, strings.setAside.why[fault.kind](fault.property)));
    else alive.push(element);
  }
  return { alive, notes };
}

async function keepFiles(api: ExcalidrawImperativeAPI, blobs: Blobs, files: BinaryFiles): Promise<Map<string, FileId>> {
  const kept = new Map<string, FileId>();
  for (const { id, dataURL } of Object.values(files)) {
    kept.set(id, await keep(api, blobs, blobOf(dataURL), dataURL));
  }
  return kept;
}

async function keep(api: ExcalidrawImperativeAPI, blobs: Blobs, bytes: Blob, dataURL: DataURL): Promise<FileId> {
  const id = (await blobs.put(bytes)) as FileId;
  api.addFiles([{ id, dataURL, mimeType: bytes.type as BinaryFileData["mimeType"], created: Date.now() }]);
  return id;
}

async function addPicture(api: ExcalidrawImperativeAPI, blobs: Blobs, file: File, at: Point): Promise<void> {
  const dataURL = (await dataUrlOf(file)) as DataURL;
  const size = await sizeOf(dataURL);
  const fileId = await keep(api, blobs, file, dataURL);
  const scale = Math.min(1, LARGEST / Math.max(size.width, size.height));
  const [width, height] = [size.width * scale, size.height * scale];
  const { x, y } = besideAll(boundsOf(api), { x: at.x - width / 2, y: at.y - height / 2, w: width, h: height });
  add(api, convertToExcalidrawElements([{ type: "image", fileId, status: "saved", x, y, width, height }]));
}

/** Where everything on the page is. */
function boundsOf(api: ExcalidrawImperativeAPI): Rect[] {
  return api.getSceneElements().map((element) => {
    const [left, top, right, bottom] = getCommonBounds([element]);
    return { x: left, y: top, w: right - left, h: bottom - top };
  });
}

function add(api: ExcalidrawImperativeAPI, elements: readonly ExcalidrawElement[]): void {
  const selectable = elements.filter((element) => !(element.type === "text" && element.containerId));
  api.updateScene({
    elements: [...api.getSceneElementsIncludingDeleted(), ...elements],
    appState: { selectedElementIds: Object.fromEntries(selectable.map(({ id }) => [id, true as const])) },
    captureUpdate: CaptureUpdateAction.IMMEDIATELY,
  });
  if (elements.length > 0) api.setViewport({ target: elements, fit: "scale-down", animation: false });
}

async function sizeOf(url: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth || 300, height: image.naturalHeight || 200 };
}
