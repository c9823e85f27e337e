import { MainMenu } from "@excalidraw/excalidraw";
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types";
import { Icon } from "../chat/Icon";
import { strings } from "../strings";
import { download } from "./download";
import { exportPage, fileName, type ExportFormat } from "./exportPage";
import { TIDY_KEYS } from "./tidy";

interface CanvasMenuProps {
  /** Null while the editor starts; the menu must be there from the first, or the editor shows its own beside it. */
  api: ExcalidrawImperativeAPI | null;
  page: { id: string; name: string };
  readOnly: boolean;
  /** Opens the file chooser. */
  onImport(): void;
  onTidy(): void;
  onProblem(message: string): void;
}

const FORMATS: ExportFormat[] = ["png", "svg", "excalidraw"];

/** The editor's menu: files out and in, and what the editor itself offers. */
export function CanvasMenu({ api, page, readOnly, onImport, onTidy, onProblem }: CanvasMenuProps) {
  const save = (format: ExportFormat) => {
    if (!api) return;
    exportPage(api, page.id, format).then(
      (bytes) => download(bytes, fileName(page.name, format)),
      () => onProblem(strings.files.exportFailed),
    );
  };
  return (
    <MainMenu>
      {FORMATS.map((format) => (
        <MainMenu.Item key={format} icon={<Icon name="download" />} onSelect={() => save(format)}>
          {strings.files.saveAs[format]}
        </MainMenu.Item>
      ))}
      {!readOnly && (
        <MainMenu.Item icon={<Icon name="upload" />} onSelect={onImport}>
          {strings.files.import}
        </MainMenu.Item>
      )}
      {!readOnly && (
        <MainMenu.Item icon={<Icon name="flow" />} shortcut={TIDY_KEYS} onSelect={onTidy}>
          {strings.files.tidy}
        </MainMenu.Item>
      )}
      <MainMenu.Separator />
      <MainMenu.DefaultItems.SearchMenu />
      <MainMenu.DefaultItems.Help />
      {!readOnly && <MainMenu.DefaultItems.ClearCanvas />}
    </MainMenu>
  );
}
