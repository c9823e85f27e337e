/**
 * What Excalidraw reads off the window. Import this module before anything that imports Excalidraw; an inline script
 * that would set it is forbidden by the content security policy.
 */
declare global {
  interface Window {
    /** Where it looks for its fonts. */
    EXCALIDRAW_ASSET_PATH?: string | string[];
    /** Whether it draws once a frame, in the next one, however often it rendered; else at once after each rendering. */
    EXCALIDRAW_THROTTLE_RENDER?: boolean;
  }
}

window.EXCALIDRAW_ASSET_PATH = "/";

export {};
