import type { Node } from "prosemirror-model";
import { strings } from "../strings";
import { sortDropped } from "./dropped";
import { blocksOfFile } from "./markdown";
import { picturesIn } from "./pasted";
import type { Barred } from "./useBarred";

interface Taking {
  now(): { readOnly: boolean; barred: Barred; onProblem(message: string): void };
  put(blocks: Node[], beside?: string): void;
  putPictures(files: readonly File[], beside?: string): void;
}

/** What becomes of files that are pasted or dropped: pictures and Markdown are put on the page, others are named. */
export function fileTaker({ now, put, putPictures }: Taking) {
  const takeFiles = (data: DataTransfer | null, beside?: string): boolean => {
    const found = picturesIn(data);
    if (!now().readOnly && !now().barred.blocks.has("image")) putPictures(found, beside);
    return found.length > 0;
  };
  const putMarkdown = async (files: readonly File[], beside?: string) => {
    for (const file of files) {
      const blocks = blocksOfFile(await file.text());
      const off = blocks.some(({ type }) => now().barred.blocks.has(type.name));
      if (off) now().onProblem(strings.text.dropOff(file.name));
      else put(blocks, beside);
    }
  };
  /** A dropped file never takes the place of the studio in the browser. */
  const takeDropped = (event: DragEvent, beside?: string): boolean => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return false;
    event.preventDefault();
    takeFiles(event.dataTransfer, beside);
    const { markdown, others } = sortDropped(files);
    const [unknown] = others;
    const { readOnly, onProblem } = now();
    if (readOnly) onProblem(strings.text.dropReadOnly);
    else if (unknown) onProblem(strings.text.dropUnknown(unknown.name));
    if (!readOnly) putMarkdown(markdown, beside).catch((error: Error) => now().onProblem(error.message));
    return true;
  };
  return { takeFiles, takeDropped };
}

/** Files dropped beside the words are for the page too. */
export function takeBeside(around: HTMLElement, take: (event: DragEvent) => void): () => void {
  const drop = (event: DragEvent) => {
    if (!event.defaultPrevented) take(event);
  };
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  around.addEventListener("drop", drop);
  around.addEventListener("dragover", over);
  return () => {
    around.removeEventListener("drop", drop);
    around.removeEventListener("dragover", over);
  };
}
