// Scenes of emoji: as pictures where the machine has a font of them, as whatever else it has where not.
import { text } from "./element.mjs";
import { FONTS } from "./writing.mjs";

/** By what makes them one sign, or text. */
export const KINDS = {
  plain: "😀 🚀 ✅ ⭐ ⚡ 🎉 🔥 💡 🐛 📦",
  joined: "👩‍👩‍👧 👨‍💻 🧑🏽‍🚀 👩‍❤️‍👨 🏳️‍🌈 🏴‍☠️",
  toned: "👍🏻 👍🏽 👍🏿 ✌ ✌🏽 ☝🏾",
  flags: "🇨🇭 🇩🇪 🇯🇵 🇨🇭🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  keycaps: "1️⃣ 2️⃣ #️⃣ *️⃣ 1 # *",
  either: "❤ ❤️ ❤︎ ☎ ☎️ ☎︎ © ©️ ™ ™️ ⚠ ⚠️ ℹ️",
  among: "Ship it🚀now, (✅ done) — 100% 🎉!",
};
const ALL = Object.values(KINDS);

/** One in every size, then every kind. */
function sizes() {
  const rows = [12, 16, 20, 28, 36, 64, 130].map((fontSize, at) => text(0, at * 90, "😀🇨🇭 a1️⃣", { fontSize }));
  return [...rows, ...ALL.map((words, at) => text(500, at * 60, words, { fontSize: 28 }))];
}

function every() {
  return Object.values(FONTS).flatMap((fontFamily, column) => ALL.map((words, row) => text(column * 420, row * 50, words, { fontFamily })));
}

function turned() {
  return [0.4, 1.57, 3.14, 5].map((angle, at) => text(at * 260, 100, "turned 🚀\n👩‍👩‍👧 ❤️ words", { angle, textAlign: "center" }));
}

function faded() {
  return [15, 40, 70].map((opacity, at) => text(at * 260, 0, "pale 🚀 👍🏽", { opacity, fontSize: 36, strokeColor: ["#1e1e1e", "#e0313180", "rgba(0, 0, 200, 0.5)"][at] }));
}

function wrapped() {
  return [90, 140, 200, 33].map((width, at) => text(at * 260, 0, `${KINDS.among} ${KINDS.joined}${KINDS.flags.replaceAll(" ", "")}`, { autoResize: false, width }));
}

/** As skeletons: the editor breaks their lines. */
export function emojiLabels() {
  return ["rectangle", "ellipse", "diamond"].map((type, at) => ({ type, x: at * 280, y: 0, width: 200, height: 130, backgroundColor: "#ffec99", label: { text: `${ALL[at]} 🚀 go` } }));
}

/** Names, how they are made, and how they are shown. */
export const EMOJI = [
  { name: "emoji", make: sizes },
  { name: "emoji in every font", make: every },
  { name: "emoji turned", make: turned },
  { name: "emoji faded", make: faded },
  { name: "emoji wrapped", make: wrapped },
  { name: "emoji at twice the size", make: sizes, scale: 2 },
  { name: "emoji at half the size", make: sizes, scale: 0.5 },
  { name: "emoji, dark", make: () => [...sizes(), ...faded().map((one) => ({ ...one, y: 800 }))], dark: true },
];
