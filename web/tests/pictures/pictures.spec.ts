// The documentation's pictures, taken of the real thing: `cargo xtask pictures`.
import { join } from "node:path";
import { ask, expect, open, test } from "../browser/studio";

const FOLDER = process.env.GLADE_PICTURES ?? "../docs/pictures";

test.use({ viewport: { width: 1280, height: 720 } });

test("first light", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Draw a flow: Order -> Pay -> Ship");
  await expect(page.getByTestId("run-bar")).toBeVisible();
  await ask(page, "Make sticky notes: Ideas, Questions, Next steps");
  await expect(page.getByTestId("run-bar")).toHaveCount(2);
  // The sprite celebrates for a moment, then rests.
  await page.waitForTimeout(2500);
  await page.mouse.move(640, 700);
  await page.screenshot({ path: join(FOLDER, "first-light.png") });
});
