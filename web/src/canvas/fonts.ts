import { Fonts } from "@excalidraw/excalidraw";
import type { ExcalidrawElement } from "@excalidraw/element/types";

const EXCALIFONT = 5;

/** Loads what a scene's texts are drawn with, and the default: a text measured in a fallback font is the wrong size. */
export async function loadFonts(scene: readonly ExcalidrawElement[]): Promise<void> {
  const latin = { type: "text", fontFamily: EXCALIFONT, originalText: "Glade" } as unknown as ExcalidrawElement;
  const texts = scene.filter((element) => element.type === "text" && !element.isDeleted);
  await Fonts.loadElementsFonts([latin, ...texts]).catch((error: unknown) => {
    console.warn("glade: a font could not be loaded; texts may be measured wrongly", error);
  });
}
