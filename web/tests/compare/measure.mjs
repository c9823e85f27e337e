// How alike two pictures are. Pictures are {width, height, data} with four bytes a pixel.

/** A pixel this far from the page's colour is ink. */
const INK = 32;

/** Which pixels are ink, and how many. */
export function ink(picture, paper) {
  const count = picture.width * picture.height;
  const mask = new Uint8Array(count);
  let total = 0;
  for (let at = 0; at < count; at++) {
    let far = 0;
    for (let channel = 0; channel < 3; channel++) far = Math.max(far, Math.abs(picture.data[at * 4 + channel] - paper[channel]));
    if (far > INK) {
      mask[at] = 1;
      total++;
    }
  }
  return { mask, total };
}

/** The share of one's ink that has the other's within a pixel of it. */
function covered(one, other, width, height) {
  let found = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!one.mask[y * width + x]) continue;
      search: for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const [nx, ny] = [x + dx, y + dy];
          if (nx >= 0 && ny >= 0 && nx < width && ny < height && other.mask[ny * width + nx]) {
            found++;
            break search;
          }
        }
      }
    }
  }
  return one.total === 0 ? (other.total === 0 ? 1 : 0) : found / one.total;
}

const grey = (data, at) => 0.299 * data[at * 4] + 0.587 * data[at * 4 + 1] + 0.114 * data[at * 4 + 2];

/** Mean structural similarity over windows of 8 × 8 that hold ink of either, and one value a window for the heat map. */
function similarity(ours, theirs, inks, width, height) {
  const [c1, c2, side, step] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2, 8, 4];
  const windows = [];
  let sum = 0;
  for (let top = 0; top + side <= height; top += step) {
    for (let left = 0; left + side <= width; left += step) {
      let [a, b, aa, bb, ab, held] = [0, 0, 0, 0, 0, false];
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) {
          const at = y * width + x;
          held ||= inks[0].mask[at] === 1 || inks[1].mask[at] === 1;
          const [p, q] = [grey(ours, at), grey(theirs, at)];
          a += p; b += q; aa += p * p; bb += q * q; ab += p * q;
        }
      }
      if (!held) continue;
      const n = side * side;
      const [ma, mb] = [a / n, b / n];
      const [va, vb, cov] = [aa / n - ma * ma, bb / n - mb * mb, ab / n - ma * mb];
      const value = ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
      windows.push([left, top, value]);
      sum += value;
    }
  }
  return { ssim: windows.length === 0 ? 1 : sum / windows.length, windows };
}

/** The picture on a sheet of this size, the page's colour around it. */
function onSheet(picture, width, height, paper) {
  if (picture.width === width && picture.height === height) return picture;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) data.set([...paper, 255], at * 4);
  for (let y = 0; y < Math.min(height, picture.height); y++) {
    const row = picture.data.subarray(y * picture.width * 4, (y * picture.width + Math.min(width, picture.width)) * 4);
    data.set(row, y * width * 4);
  }
  return { width, height, data };
}

export function compare(ours, theirs, paper) {
  const [width, height] = [Math.max(ours.width, theirs.width), Math.max(ours.height, theirs.height)];
  const [left, right] = [onSheet(ours, width, height, paper), onSheet(theirs, width, height, paper)];
  const inks = [ink(left, paper), ink(right, paper)];
  const precision = covered(inks[0], inks[1], width, height);
  const recall = covered(inks[1], inks[0], width, height);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const { ssim, windows } = similarity(left.data, right.data, inks, width, height);
  const off = [ours.width - theirs.width, ours.height - theirs.height];
  return { precision, recall, f1, ssim, off, width, height, windows, inks };
}

/** Where the two differ: red is ink that only ours has, blue only theirs, yellow where the windows are unlike. */
export function heat({ width, height, inks, windows }) {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  const unlike = new Float32Array(width * height);
  for (const [left, top, value] of windows) {
    for (let y = top; y < top + 8; y++) for (let x = left; x < left + 8; x++) unlike[y * width + x] = Math.max(unlike[y * width + x], 1 - value);
  }
  for (let at = 0; at < width * height; at++) {
    const [ours, theirs] = [inks[0].mask[at], inks[1].mask[at]];
    if (ours && theirs) data.set([170, 170, 170], at * 4);
    else if (ours) data.set([220, 0, 0], at * 4);
    else if (theirs) data.set([0, 60, 230], at * 4);
    data[at * 4 + 2] *= 1 - 0.6 * Math.min(1, unlike[at]);
  }
  return { width, height, data };
}

/** Nothing but the page. */
export function blank(picture, paper) {
  return onSheet({ width: 0, height: 0, data: new Uint8ClampedArray(0) }, picture.width, picture.height, paper);
}

/** The same, some pixels to the right and down. */
export function shifted(picture, by, paper) {
  const { width, height } = picture;
  const moved = blank(picture, paper);
  for (let y = by; y < height; y++) {
    moved.data.set(picture.data.subarray((y - by) * width * 4, ((y - by) * width + width - by) * 4), (y * width + by) * 4);
  }
  return moved;
}
