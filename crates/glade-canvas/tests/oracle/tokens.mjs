// Where the editor may break a line: seeded random strings of everything that its rules tell apart, and some that they do not.
import * as E from "@excalidraw/element";

let state = globalThis.SEED;
const random = () => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff), state / 0x7fffffff);
const pick = (list) => list[Math.floor(random() * list.length)];

const PIECES = [
  ..."abAZ09", "word", "fi", " ", " ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\ufeff", "\u0085", "\u180e",
  "\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\u200f", "\u202e", "-", "-", "--", "\u2010", "\u2013", "_", "/", "\\", "'", "\"", "%", "+", "=", "|", "$", "€",
  ..."<([{>)]}.,:;!?…/", ..."（［｛〈《｟｢「『【〖〔〘〚＜〝", ..."）］｝〉》｠｣」』】〗〕〙〛＞。．，、〟‥？！：；・〜〞", ..."￥￦￡￠＄", ..."｀＇＾〃〰〆＃＆＊＋－ー／＼＝｜￤〒￢￣",
  "漢", "字", "々", "〇", "〡", "⺀", "⼀", "㐀", "𠀀", "丽", "豈", "た", "っ", "で", "か\u3099", "ゝ", "カ", "ヴ", "ヽ", "ｶ", "ｶﾞ", "ﾟ", "ㇰ", "한", "글", "\u1112\u1161\u11ab", "ㄱ", "ㄅ", "㈀", "㍿", "㌀", "㊀", "①", "Ａ", "９", "🈂",
  "é", "e\u0301", "c\u030c", "न\u093f", "ก\u0e33", "\u0634\u0643\u0631", "\u05e9\u05dc", "ﬁ", "ß", "İ",
  "😀", "👍🏽", "👩‍👩‍👧", "🏳️‍🌈", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "🇩🇪", "🇯🇵🇫🇷", "🇩", "1️⃣", "#️⃣", "*", "❤️", "❤", "☀", "✓", "✔️", "©", "®", "™", "‼", "⁉", "↔", "▶", "⌚", "⏰", "☎", "★", "→", "∞", "㊗", "🄰", "🂡", "🀄", "🏽", "\ufe0f", "\u20e3",
];

const line = () => Array.from({ length: 1 + Math.floor(random() * 9) }, () => pick(PIECES)).join("");
globalThis.ANSWER = [
  ...PIECES.map((one) => `a${one}b`), ...PIECES.map((one) => `漢${one}${one}字`), ...Array.from({ length: 700 }, line),
].map((text) => ({ text, tokens: E.parseTokens(text) }));
