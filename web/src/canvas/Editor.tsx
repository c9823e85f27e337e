import { Excalidraw } from "@excalidraw/excalidraw";
import type { ExcalidrawImperativeAPI, ExcalidrawProps } from "@excalidraw/excalidraw/types";
import { memo } from "react";
import { CanvasMenu } from "./CanvasMenu";

const UI_OPTIONS: ExcalidrawProps["UIOptions"] = {
  // Loading a file in the editor's own way would replace everybody's page; ours adds to it.
  canvasActions: {
    loadScene: false,
    export: false,
    saveAsImage: false,
    saveToActiveFile: false,
    toggleTheme: false,
    changeViewBackgroundColor: false,
  },
};

interface EditorProps
  extends Pick<
    ExcalidrawProps,
    "onInitialize" | "onChange" | "onIncrement" | "onScrollChange" | "onPointerUpdate" | "viewModeEnabled" | "theme" | "generateIdForFile"
  > {
  api: ExcalidrawImperativeAPI | null;
  pageId: string;
  pageName: string;
  readOnly: boolean;
  onImport(): void;
  onTidy(): void;
  onProblem(message: string): void;
}

/**
 * The editor with our menu. It renders only when something of its own changes: it is most of what is on the screen,
 * and the studio around it hears of fairies dozens of times a second.
 */
export const Editor = memo(function Editor({ api, pageId, pageName, readOnly, onImport, onTidy, onProblem, ...editor }: EditorProps) {
  return (
    <Excalidraw {...editor} isCollaborating UIOptions={UI_OPTIONS} aiEnabled={false} validateEmbeddable={false}>
      <CanvasMenu
        api={api}
        page={{ id: pageId, name: pageName }}
        readOnly={readOnly}
        onImport={onImport}
        onTidy={onTidy}
        onProblem={onProblem}
      />
    </Excalidraw>
  );
});
