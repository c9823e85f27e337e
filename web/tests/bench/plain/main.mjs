// The editor alone, in a box as large as the studio's canvas.
import { Excalidraw, restoreElements } from "@excalidraw/excalidraw";
import "@excalidraw/excalidraw/index.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const box = document.getElementById("root");
const [left, top, width, height] = (new URLSearchParams(location.search).get("box") ?? "0,0,1280,800").split(",").map(Number);
Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });

createRoot(box).render(
  createElement(Excalidraw, {
    onInitialize: (api) => {
      window.bench = { api, load: (elements) => api.updateScene({ elements: restoreElements(elements, null) }) };
    },
  }),
);
