// One person types, letter by letter; how long until the other's pixels show each.
import { until } from "../support/server.mjs";
import { noteKeys, settled, watch } from "./inPage.mjs";
import { boxOf, figures, launch, linkTo, openStudio, pageOf, say, VIEWPORT } from "./opening.mjs";

const KEYS = 100;
/** The narrowest letter: all of them stay in one line, and in sight. */
const LETTER = "l";
const AREA = { x: 90, y: 190, w: 800, h: 60 };
/** Pixels that have not changed for so long are at rest: whatever changes next is the next letter. */
const REST_MS = 120;

export async function measureKeys({ server }) {
  const words = {
    id: "words",
    type: "text",
    x: 100,
    y: 100,
    width: 100,
    height: 25,
    text: "a",
    originalText: "a",
    fontSize: 20,
    fontFamily: 5,
  };
  const link = linkTo(server, await pageOf(server, [words]));
  // Two browsers: a page behind another draws no frames.
  const browsers = [await launch(), await launch()];
  try {
    const [one, two] = await Promise.all(
      browsers.map(async (browser) => openStudio(await browser.newContext({ viewport: VIEWPORT }), link)),
    );
    for (const each of [one, two])
      await each.evaluate(() => window.__glade.handle.api.updateScene({ appState: { zoom: { value: 1 }, scrollX: 0, scrollY: 100 } }));
    const box = await boxOf(one);
    await one.mouse.dblclick(box[0] + 104, box[1] + 212);
    await one.locator("textarea.excalidraw-wysiwyg").waitFor();
    await one.evaluate(noteKeys);
    await two.evaluate(watch, AREA);
    const times = [];
    // The first letter takes the place of what was there.
    for (let n = 0; n <= KEYS; n++) {
      const before = await two.evaluate(settled, REST_MS);
      await one.keyboard.press(LETTER);
      const seen = await until(() => two.evaluate((before) => window.changes[before], before), `letter ${n + 1} is seen`, 10_000);
      if (n > 0) times.push(seen - (await one.evaluate(() => window.keys.at(-1))));
    }
    const { p50, p99 } = figures(times);
    say(`  ${KEYS} letters: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    return figures(times);
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}
