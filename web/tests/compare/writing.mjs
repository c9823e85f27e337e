// Scenes of words: every font, size and alignment, and the scripts of the world.
import { text } from "./element.mjs";

export const FONTS = { Virgil: 1, Helvetica: 2, Cascadia: 3, Excalifont: 5, Nunito: 6, "Lilita One": 7, "Comic Shanns": 8, "Liberation Sans": 9 };

export const STRINGS = {
  latin: "The quick brown fox jumps over 13 lazy dogs.",
  kerning: "AVATAR To We LTyp fi ffl WAVE",
  accents: "Crème brûlée, naïve façade, Ångström, über, señor",
  central: "Žluťoučký kůň, zażółć gęślą jaźń, İstanbul",
  vietnamese: "Tiếng Việt có dấu",
  greek: "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
  cyrillic: "Съешь же ещё этих мягких булок",
  signs: "→ ← ↑ ↓ • … — “quotes” ‘x’ € £ © ™ ✓ ∞ ≠ ≤ α λ",
  code: "fn main() { let x = a[0] != b && c >= 1_000; } // => ==",
  chinese: "你好，世界。汉字测试",
  japanese: "こんにちは、カタカナと漢字「括弧」",
  korean: "안녕하세요 세계",
  hebrew: "שלום עולם 123 abc",
  arabic: "مرحبا بالعالم 123 abc",
  devanagari: "नमस्ते दुनिया",
  thai: "สวัสดีชาวโลก",
  emoji: "😀 👍🏽 👩‍👩‍👧 🇨🇭 ❤️ 🚀",
};

/** Scripts that the shipped fonts, the editor's and ours, draw themselves: what else there is depends on the machine. */
export const SHIPPED = ["latin", "kerning", "accents", "central", "code", "chinese", "japanese", "korean"];

export function writing() {
  const list = [];
  list.push({ name: "fonts", make: () => Object.values(FONTS).flatMap((fontFamily, row) => [text(0, row * 60, STRINGS.latin, { fontFamily, fontSize: 20 }), text(600, row * 60, STRINGS.kerning, { fontFamily, fontSize: 28 })]) });
  for (const [name, fontFamily] of Object.entries(FONTS)) {
    list.push({ name: `font ${name}`, make: () => [12, 16, 20, 28, 36, 64].map((fontSize, row) => text(0, row * 90, STRINGS.latin, { fontFamily, fontSize })) });
  }
  list.push({ name: "scripts", make: () => SHIPPED.map((script, row) => text(0, row * 50, STRINGS[script])) });
  list.push({ name: "scripts of the machine", make: () => Object.values(STRINGS).map((words, row) => text(0, row * 50, words)) });
  list.push({
    name: "alignment",
    make: () => ["left", "center", "right"].flatMap((textAlign, column) => [5, 6, 3].map((fontFamily, row) => text(column * 300, row * 160, "one\nlonger line\n\nthe last of them", { textAlign, fontFamily }))),
  });
  list.push({ name: "line height", make: () => [1, 1.25, 1.6, 2].map((lineHeight, at) => text(at * 200, 0, "above\nbelow", { lineHeight })) });
  list.push({ name: "wrapped", make: () => [5, 6, 8].map((fontFamily, at) => text(at * 260, 0, STRINGS.latin, { fontFamily, autoResize: false, width: 200 })) });
  list.push({ name: "turned words", make: () => [0.4, 1.57, 3.14, 5].map((angle, at) => text(at * 260, 100, "turned\nwords", { angle, textAlign: "center" })) });
  return list;
}
