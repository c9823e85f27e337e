// Image files for the scenes: what a browser can write it writes, the rest is put together here.

/** A GIF of two colours in stripes, its pixels written without compression. */
function gif(width, height) {
  const bytes = [...Buffer.from("GIF89a"), width & 255, width >> 8, height & 255, height >> 8, 0x91, 0, 0];
  bytes.push(0x3a, 0x7b, 0xd5, 0xf2, 0xa6, 0x5a, 0x20, 0x30, 0x40, 0xff, 0xff, 0xff);
  bytes.push(0x2c, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 0, 2);
  const bits = [];
  const put = (code) => { for (let bit = 0; bit < 3; bit++) bits.push((code >> bit) & 1); };
  // A clear code every second pixel keeps codes three bits long.
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (at % 2 === 0) put(4);
    put(y > height * 0.7 ? 2 : x > width * 0.6 && x < width * 0.8 ? 3 : (x + y) % 40 < 20 ? 0 : 1);
  }
  put(5);
  const packed = [];
  for (let at = 0; at < bits.length; at += 8) packed.push(bits.slice(at, at + 8).reduce((byte, bit, nth) => byte | (bit << nth), 0));
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.slice(at, at + 255);
    bytes.push(block.length, ...block);
  }
  bytes.push(0, 0x3b);
  return `data:image/gif;base64,${Buffer.from(bytes).toString("base64")}`;
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="140" viewBox="0 0 200 140">
  <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#3a7bd5"/><stop offset="1" stop-color="#f2a65a"/></linearGradient></defs>
  <rect width="200" height="140" fill="url(#g)"/><path d="M0 140 L60 70 L110 120 L150 80 L200 140 Z" fill="#203040"/>
  <circle cx="150" cy="35" r="18" fill="#ffe082" stroke="#000" stroke-width="3"/></svg>`;

/** The files that scenes name: png, jpeg, gif, webp, svg. */
export async function imageFiles(page) {
  const drawn = (mime) => page.evaluate((type) => window.glade.picture(type, 200, 140), mime);
  const urls = {
    png: ["image/png", await drawn("image/png")], jpeg: ["image/jpeg", await drawn("image/jpeg")], webp: ["image/webp", await drawn("image/webp")],
    gif: ["image/gif", gif(200, 140)], svg: ["image/svg+xml", `data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`],
  };
  return Object.fromEntries(Object.entries(urls).map(([id, [mimeType, dataURL]]) => [id, { id, mimeType, dataURL, created: 1, lastRetrieved: 1 }]));
}
