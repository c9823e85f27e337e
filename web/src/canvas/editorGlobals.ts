/**
 * What Excalidraw reads off the window. Import this module before anything that imports Excalidraw; an inline script
 * that would set it is forbidden by the content security policy.
 */
declare global {
  interface Window {
    /** Where it looks for its fonts. */
    EXCALIDRAW_ASSET_PATH?: string | string[];
    /** Whether it draws once a frame, however often it rendered: what others do and a moving view are one drawing. */
    EXCALIDRAW_THROTTLE_RENDER?: boolean;
  }
}

window.EXCALIDRAW_ASSET_PATH = "/";
window.EXCALIDRAW_THROTTLE_RENDER = true;

export {};
