// From the link to a canvas that can be drawn on, nothing in the cache; and what came over the line for it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { figures, linkTo, openPlain, VIEWPORT } from "./opening.mjs";

const DIST = resolve(import.meta.dirname, "../../dist");

export async function measureLoad({ server, plain, browser, rounds }) {
  const link = linkTo(server, await server.firstPage());
  const [ours, theirs] = [[], []];
  const asked = new Set();
  let line = 0;
  for (let round = 0; round <= rounds; round++) {
    let context = await browser.newContext({ viewport: VIEWPORT });
    const first = await context.newPage();
    const sizes = [];
    first.on("requestfinished", (request) => {
      asked.add(new URL(request.url()).pathname);
      sizes.push(
        request.sizes().then(
          ({ responseBodySize }) => responseBodySize,
          () => 0,
        ),
      );
    });
    let began = performance.now();
    await first.goto(link);
    await first.waitForFunction(() => Boolean(window.__glade?.handle));
    const took = performance.now() - began;
    const came = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    await context.close();
    context = await browser.newContext({ viewport: VIEWPORT });
    began = performance.now();
    await openPlain(context, plain.origin, [0, 0, VIEWPORT.width, VIEWPORT.height]);
    const alone = performance.now() - began;
    await context.close();
    // The first turn finds the browser itself cold.
    if (round > 0) {
      ours.push(took);
      theirs.push(alone);
      line = came;
    }
  }
  return { ours: figures(ours), theirs: figures(theirs), line, ...partsOf(asked) };
}

/** What of the build was asked for at first, and what waits until it is needed; gzipped. */
function partsOf(asked) {
  const names = readdirSync(DIST, { recursive: true }).filter((name) => statSync(join(DIST, name)).isFile() && !name.endsWith(".gz"));
  const parts = names.map((name) => {
    const bytes = readFileSync(join(DIST, name));
    return { name, size: name.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length, font: name.startsWith("fonts/") };
  });
  const first = parts.filter(({ name }) => asked.has(`/${name}`) || name === "index.html");
  const late = parts.filter((part) => !first.includes(part));
  const sum = (list) => list.reduce((total, { size }) => total + size, 0);
  return {
    first: { size: sum(first), files: first.length },
    lateCode: { size: sum(late.filter(({ font }) => !font)), files: late.filter(({ font }) => !font).length },
    lateFonts: { size: sum(late.filter(({ font }) => font)), files: late.filter(({ font }) => font).length },
    largest: late
      .filter(({ font }) => !font)
      .sort((a, b) => b.size - a.size)
      .slice(0, 5)
      .map(({ name, size }) => ({ name: name.replace("assets/", ""), size })),
  };
}
