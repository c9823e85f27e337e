// A random board such as people make: boxes with words, arrows between them, doodles, notes, pictures, frames.
import { element, freedraw, image, linear, text } from "./element.mjs";
import { random } from "./random.mjs";
import { COLORS, FILLS, HEADS, PAPERS, STROKES, squiggle } from "./styles.mjs";

const WORDS = "Order Pay Ship plan review the customer waits for an answer API v2 budget Q3 team: risk? (later) café naïve 42% A/B test → done".split(" ");

export function board(seed) {
  const chance = random(seed);
  const words = (most) => Array.from({ length: chance.whole(1, most) }, () => chance.pick(WORDS)).join(chance.chance(0.2) ? "\n" : " ");
  const style = () => ({
    strokeColor: chance.chance(0.6) ? "#1e1e1e" : chance.pick(COLORS), backgroundColor: chance.chance(0.5) ? "transparent" : chance.pick(PAPERS),
    fillStyle: chance.pick(FILLS), strokeWidth: chance.pick([1, 2, 2, 4]), strokeStyle: chance.pick(["solid", "solid", ...STROKES]), roughness: chance.pick([0, 1, 1, 2]),
    opacity: chance.chance(0.85) ? 100 : chance.whole(20, 90), angle: chance.chance(0.12) ? chance.near(0, 6.28) : 0, seed: chance.whole(1, 2 ** 31 - 2),
  });
  const place = () => [chance.near(0, 1400), chance.near(0, 900)];
  const points = (count) => [[0, 0], ...Array.from({ length: count - 1 }, () => [chance.near(-200, 260), chance.near(-120, 160)])];
  const makers = {
    box: () => element(chance.pick(["rectangle", "rectangle", "diamond", "ellipse"]), ...place(), chance.near(20, 260), chance.near(16, 180), { ...style(), roundness: chance.pick([null, { type: 3 }, { type: 2 }]) }),
    line: () => linear("line", ...place(), points(chance.whole(2, 6)), { ...style(), roundness: chance.pick([null, { type: 2 }]) }),
    arrow: () => linear("arrow", ...place(), points(chance.whole(2, 4)), { ...style(), roundness: chance.pick([null, { type: 2 }]), startArrowhead: chance.chance(0.3) ? chance.pick(HEADS) : null, endArrowhead: chance.pick(HEADS) }),
    words: () => text(...place(), words(7), { ...style(), backgroundColor: "transparent", fontFamily: chance.pick([1, 3, 5, 5, 5, 6, 7, 8]), fontSize: chance.pick([16, 20, 28, 36]), textAlign: chance.pick(["left", "center", "right"]) }),
    doodle: () => freedraw(...place(), squiggle(chance.near(30, 240), chance.near(10, 120), chance.whole(4, 60)), { ...style(), strokeStyle: "solid", backgroundColor: "transparent" }),
    picture: () => image(...place(), chance.near(40, 220), chance.near(30, 160), chance.pick(["png", "jpeg", "webp"]), { angle: style().angle, opacity: style().opacity }),
  };
  const kinds = ["box", "box", "box", "words", "words", "line", "arrow", "arrow", "doodle", "picture"];
  const elements = Array.from({ length: chance.whole(12, 60) }, () => makers[chance.pick(kinds)]());
  if (chance.chance(0.4)) {
    const id = "frame";
    const [x, y] = place();
    const held = elements.filter((one) => one.x > x - 100 && one.x < x + 400 && one.y > y - 100 && one.y < y + 300);
    for (const one of held) one.frameId = id;
    elements.push(element("frame", x, y, 400, 300, { id, name: chance.chance(0.5) ? words(3).replaceAll("\n", " ") : null }));
  }
  return { elements };
}
