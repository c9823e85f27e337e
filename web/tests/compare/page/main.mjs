// The editor's side: prepares scenes, draws them with the editor's own export, compares.
import { convertToExcalidrawElements, exportToBlob, exportToSvg, loadFromBlob, restoreElements } from "@excalidraw/excalidraw";
import { getFontString } from "@excalidraw/common";
import { getFreedrawOutlinePoints, ShapeCache } from "@excalidraw/element";
import { blank, compare, heat, shifted } from "../measure.mjs";
import { seedOf } from "../element.mjs";

const PADDING = 10;

/** Waits for the fonts that a scene needs: a size measured before they come is wrong for ever. */
async function fonts(elements) {
  const names = { 1: "Virgil", 2: "Helvetica", 3: "Cascadia", 5: "Excalifont", 6: "Nunito", 7: "Lilita One", 8: "Comic Shanns", 9: "Liberation Sans" };
  // The editor registers its faces when it first exports text.
  const loads = elements.filter((one) => one.type === "text").map((one) => {
    return document.fonts.load(`20px "${names[one.fontFamily] ?? "Excalifont"}", Xiaolai`, one.originalText ?? one.text ?? "a");
  });
  await Promise.all(loads);
}

let ready;
/** An export registers the editor's fonts with the document. */
function registered() {
  const word = { type: "text", id: "w", x: 0, y: 0, width: 10, height: 10, text: "a", originalText: "a", fontSize: 20, fontFamily: 5 };
  ready ??= exportToBlob({ elements: restoreElements([word], null), files: null, appState: {} });
  return ready;
}

/** A scene as the editor would save it: skeletons made whole, texts measured, bindings repaired. */
async function prepare(scene) {
  await registered();
  let elements = scene.elements ?? [];
  if (scene.skeleton) {
    await fonts(scene.skeleton.flatMap((one) => [one, one.label ?? one]).filter((one) => one.text).map((one) => ({ ...one, type: "text" })));
    elements = convertToExcalidrawElements(scene.skeleton, { regenerateIds: false });
    elements = elements.map((one, at) => ({ ...one, seed: seedOf(`${one.type}${at}`), versionNonce: 1, updated: 1 }));
    if (scene.restyle) elements = elements.map((one) => ({ ...one, ...scene.restyle }));
  } else {
    await fonts(elements);
    elements = restoreElements(elements, null, { refreshDimensions: true, repairBindings: true });
  }
  return { type: "excalidraw", version: 2, source: "compare", elements, appState: { viewBackgroundColor: "#ffffff", ...scene.appState }, files: scene.files ?? {} };
}

/** What the editor reads from a file (its JSON, or a data URL), as its own Open does. */
async function opened(file) {
  const blob = file.startsWith("data:") ? await (await fetch(file)).blob() : new Blob([file], { type: "application/json" });
  const loaded = await loadFromBlob(blob, null, null);
  return { elements: loaded.elements.filter((one) => !one.isDeleted), appState: loaded.appState, files: loaded.files };
}

function options({ elements, appState, files }, dark) {
  return { elements, files, exportPadding: PADDING, appState: { ...appState, exportBackground: true, exportWithDarkMode: dark, exportScale: 1, exportEmbedScene: false, viewBackgroundColor: appState.viewBackgroundColor ?? "#ffffff" } };
}

/** How large the editor draws a file; nothing where it does not open it, or finds nothing in it. */
async function sizeOf(file) {
  try {
    const scene = await opened(file);
    if (scene.elements.length === 0) return null;
    const svg = await exportToSvg({ ...options(scene, false), skipInliningFonts: true });
    return { width: Number(svg.getAttribute("width")), height: Number(svg.getAttribute("height")) };
  } catch (error) {
    console.error(error);
    return null;
  }
}

async function draw(file, { dark, scale = 1 }) {
  await registered();
  const scene = await opened(file);
  await fonts(scene.elements);
  const getDimensions = (width, height) => ({ width: width * scale, height: height * scale, scale });
  return exportToBlob({ ...options(scene, dark), getDimensions, mimeType: "image/png" });
}

async function pixels(blob) {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** The part of a page that is asked for: the editor's export has no such thing, so its whole picture is cut. */
async function cut(blob, { part, scale = 1 }) {
  if (!part) return blob;
  const [x, y, width, height] = part.bounds.map((side) => side * scale);
  const [left, top] = part.origin.map((side) => side * scale);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").drawImage(await createImageBitmap(blob), left - x - PADDING * scale, top - y - PADDING * scale);
  return canvas.convertToBlob();
}

async function dataUrl(blob) {
  const reader = new FileReader();
  reader.readAsDataURL(blob);
  await new Promise((done) => { reader.onload = done; });
  return reader.result;
}

async function encoded(picture) {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").putImageData(new ImageData(picture.data, picture.width, picture.height), 0, 0);
  return dataUrl(await canvas.convertToBlob());
}

/** The page's colour: the corner, where the padding is. */
const paperOf = (picture) => [...picture.data.slice(0, 3)];

const figures = ({ precision, recall, f1, ssim, off, width, height }) => ({ precision, recall, f1, ssim, off, width, height });

window.glade = {
  prepare: async (scene) => JSON.stringify(await prepare(scene)),
  size: sizeOf,
  /** Draws a file, compares it with our picture of it (a data URL), and gives figures and pictures. */
  async judge(file, ourUrl, how) {
    const theirBlob = await cut(await draw(file, how), how);
    const [theirs, ours] = [await pixels(theirBlob), await pixels(await (await fetch(ourUrl)).blob())];
    const paper = paperOf(theirs);
    const result = compare(ours, theirs, paper);
    return { ...figures(result), theirs: await dataUrl(theirBlob), heat: await encoded(heat(result)) };
  },
  /** What the measure says of a page with nothing on it and of the editor's own picture moved by a few pixels. */
  async controls(file) {
    const theirs = await pixels(await draw(file, { dark: false }));
    const paper = paperOf(theirs);
    return {
      same: figures(compare(theirs, theirs, paper)),
      blank: figures(compare(blank(theirs, paper), theirs, paper)),
      shifted: figures(compare(shifted(theirs, 4, paper), theirs, paper)),
    };
  },
  /** How long an export takes, the file already read: a JPEG of this size, or an SVG. */
  async timed(file, kind, width, height) {
    await registered();
    const scene = await opened(file);
    await fonts(scene.elements);
    const given = options(scene, false);
    const started = performance.now();
    if (kind === "svg") {
      const svg = await exportToSvg(given);
      const text = new XMLSerializer().serializeToString(svg);
      return { ms: performance.now() - started, bytes: text.length };
    }
    const getDimensions = (w, h) => ({ width, height, scale: Math.min(width / w, height / h) });
    const blob = await exportToBlob({ ...given, getDimensions, mimeType: "image/jpeg", quality: 0.9 });
    return { ms: performance.now() - started, bytes: blob.size };
  },
  /** The numbers of each element's strokes and fills, as the editor hands them to the canvas. */
  strokes(elements) {
    const names = { move: "M", lineTo: "L", bcurveTo: "C" };
    const round = (number) => Number(number.toFixed(8));
    const sets = (drawable) => drawable.sets.map(({ type, ops }) => ({ type, ops: ops.map(({ op, data }) => [names[op], ...data.map(round)]) }));
    return restoreElements(elements, null).map((element) => {
      const shapes = [ShapeCache.generateElementShape(element, null) ?? []].flat().filter((shape) => typeof shape !== "string");
      const outline = element.type === "freedraw" ? getFreedrawOutlinePoints(element).map((point) => point.map(round)) : null;
      return { element, shapes: shapes.map(sets), outline };
    });
  },
  /** How wide each string is set, in the font stack that the editor asks for. */
  async widths(list) {
    await registered();
    const context = document.createElement("canvas").getContext("2d");
    const all = [];
    for (const one of list) {
      const font = getFontString({ fontSize: one.size, fontFamily: one.font });
      await document.fonts.load(font, one.text);
      context.font = font;
      all.push({ ...one, width: context.measureText(one.text).width });
    }
    return all;
  },
  /** An image drawn here, in the formats a browser can write. */
  async picture(mime, width, height) {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    const sky = context.createLinearGradient(0, 0, width, height);
    sky.addColorStop(0, "#3a7bd5");
    sky.addColorStop(1, "#f2a65a");
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    context.fillStyle = "#203040";
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 8) context.lineTo(x, height * (0.65 + 0.2 * Math.sin(x / 17)));
    context.lineTo(width, height);
    context.fill();
    context.fillStyle = "#ffe082";
    context.fillRect(width * 0.65, height * 0.15, width * 0.12, height * 0.2);
    return dataUrl(await canvas.convertToBlob({ type: mime, quality: 0.92 }));
  },
};
window.gladeReady = true;
