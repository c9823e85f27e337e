/** What files that are dropped on a text page are to it. */
export interface DroppedFiles {
  markdown: File[];
  /** Of no use here. */
  others: File[];
}

const MARKDOWN = /\.(md|markdown|txt)$/i;

/** All but the pictures, which are taken beside. */
export function sortDropped(files: readonly File[]): DroppedFiles {
  const rest = files.filter((file) => !file.type.startsWith("image/"));
  const isMarkdown = (file: File) => file.type === "text/markdown" || MARKDOWN.test(file.name);
  return { markdown: rest.filter(isMarkdown), others: rest.filter((file) => !isMarkdown(file)) };
}
