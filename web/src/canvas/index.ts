import "./editorGlobals";

export { CanvasPage } from "./CanvasPage";
export { boundsOf } from "./bounds";
export type { CanvasHandle, CanvasPageProps, ElementSummary } from "./types";
