/** A file's bytes out of the `data:` address that Excalidraw keeps them in. Not fetched: the security policy forbids it. */
export function blobOf(dataUrl: string): Blob {
  const comma = dataUrl.indexOf(",");
  const [type = "", ...flags] = dataUrl.slice("data:".length, comma).split(";");
  const body = dataUrl.slice(comma + 1);
  if (!flags.includes("base64")) return new Blob([decodeURIComponent(body)], { type });
  return new Blob([Uint8Array.from(atob(body), (char) => char.charCodeAt(0))], { type });
}

export function dataUrlOf(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("A picture could not be read."));
    reader.readAsDataURL(bytes);
  });
}
