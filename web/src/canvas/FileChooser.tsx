import { viewportCoordsToSceneCoords } from "@excalidraw/common";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import type { DragEvent, RefObject } from "react";
import type { Blobs } from "../api/blobs";
import { strings } from "../strings";
import type { Point } from "../sync";
import { importFile } from "./importFiles";

interface Target {
  page: string;
  api: ExcalidrawImperativeAPI;
  blobs: Blobs;
  onProblem(message: string): void;
}

const ACCEPTED = ".excalidraw,.excalidrawlib,.tldr,.json,.png,.svg,.jpg,.jpeg,.gif,.webp";

async function importAll({ onProblem, ...target }: Target, files: readonly File[], at: Point): Promise<void> {
  for (const file of files) {
    try {
      const notes = await importFile(target, file, at);
      if (notes.length > 0) onProblem(strings.files.importedOtherwise(file.name, notes));
    } catch (error) {
      onProblem(strings.files.importFailed(file.name, error instanceof Error ? error.message : ""));
    }
  }
}

/**
 * Takes files that are dropped on the canvas. Caught on the way down: the editor itself would put a dropped drawing
 * in place of everybody's page. What is dragged inside the editor (a library item) is left to it.
 */
export function dropOn(target: Target, event: DragEvent): void {
  const files = [...event.dataTransfer.files];
  if (files.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const { clientX, clientY } = event;
  void importAll(target, files, viewportCoordsToSceneCoords({ clientX, clientY }, target.api.getAppState()));
}

interface FileChooserProps extends Target {
  ref: RefObject<HTMLInputElement | null>;
}

/** The menu is gone and the keyboard with it: what one presses next is meant for the page. */
function focusEditor(): void {
  document.querySelector<HTMLElement>(".excalidraw-container")?.focus();
}

/** The chooser behind "Import": what is chosen lands in the middle of the view, or beside what is there. */
export function FileChooser({ ref, ...target }: FileChooserProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      accept={ACCEPTED}
      data-testid="import-files"
      aria-label={strings.files.import}
      onChange={(event) => {
        const { scrollX, scrollY, width, height, zoom } = target.api.getAppState();
        const middle = { x: width / zoom.value / 2 - scrollX, y: height / zoom.value / 2 - scrollY };
        void importAll(target, [...(event.target.files ?? [])], middle).then(focusEditor);
        event.target.value = "";
      }}
    />
  );
}
