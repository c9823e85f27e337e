/**
 * Import this module before anything that imports Excalidraw: it is where Excalidraw looks for its fonts, and an
 * inline script that would set it is forbidden by the content security policy.
 */
declare global {
  interface Window {
    EXCALIDRAW_ASSET_PATH?: string | string[];
  }
}

window.EXCALIDRAW_ASSET_PATH = "/";

export {};
