/** Hands a file to the person. */
export function download(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then; at once would be too early for some.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
