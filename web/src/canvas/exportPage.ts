import { exportToBlob, serializeAsJSON } from "@excalidraw/excalidraw";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import { send } from "../api/client";

export type ExportFormat = "excalidraw" | "svg" | "png";

const PADDING = 24;
const PNG_SCALE = 2;

/** The page as a file that opens again here and in Excalidraw: pictures and all, the drawing inside SVG and PNG too. */
export async function exportPage(api: ExcalidrawImperativeAPI, page: string, format: ExportFormat): Promise<Blob> {
  const elements = api.getSceneElements();
  const files = api.getFiles();
  const appState = { ...api.getAppState(), exportEmbedScene: true, exportWithDarkMode: false, exportBackground: true };
  switch (format) {
    case "excalidraw":
      return new Blob([serializeAsJSON(elements, appState, files, "local")], { type: "application/json" });
    case "svg": {
      // The server's, with the glyphs it uses inside: the editor would have to evaluate code from strings for that.
      const response = await send("GET", `/api/pages/${encodeURIComponent(page)}/export?format=svg&embed=true`);
      return response.blob();
    }
    case "png":
      return exportToBlob({
        elements,
        appState: { ...appState, exportScale: PNG_SCALE },
        files,
        exportPadding: PADDING,
        mimeType: "image/png",
      });
  }
}

/** A page's name as a file's: without what some system would refuse. */
export function fileName(page: string, format: ExportFormat): string {
  const plain = page
    .replace(/[\\/:*?"<>|\u0000-\u001f]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `${plain || "page"}.${format}`;
}
