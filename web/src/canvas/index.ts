import "./assetPath";

export { CanvasPage } from "./CanvasPage";
export type { CanvasHandle, CanvasPageProps, ElementSummary } from "./types";
