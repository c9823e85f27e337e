// Several fairies addressed at once: by name, or all of them.
import { addFairy, boxCalled, expect, open, test } from "./studio";

test("the group chat goes to those who are named, and everyone's answers are in it", async ({ context, server }) => {
  const [first] = (await server.workspace()).fairies;
  const [fern, moss] = [await addFairy(server, "Fern", { x: 200, y: 600 }), await addFairy(server, "Moss", { x: 400, y: 600 })];
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Everyone" }).click();
  const panel = page.getByTestId("group-panel");
  await panel.getByRole("textbox", { name: "Tell everyone" }).fill("Fern and Moss, make sticky notes: Leaf");
  await page.keyboard.press("Enter");
  await boxCalled(page, "Leaf");
  await expect(panel.getByRole("log")).toContainText(/You to (Fern, Moss|Moss, Fern)/);
  const asked = async (id: string) => (await server.workspace()).runs.filter(({ fairy }: { fairy: string }) => fairy === id).length;
  await expect.poll(async () => [await asked(fern), await asked(moss), await asked(first.id)]).toEqual([1, 1, 0]);
  await expect(panel.locator(".group-said b").filter({ hasText: "Fern" })).toBeVisible();
  await expect(panel.locator(".group-said b").filter({ hasText: "Moss" })).toBeVisible();

  await panel.getByRole("textbox", { name: "Tell everyone" }).fill("make sticky notes: Twig");
  await page.keyboard.press("Enter");
  await expect.poll(async () => [await asked(fern), await asked(moss), await asked(first.id)]).toEqual([2, 2, 1]);
});
