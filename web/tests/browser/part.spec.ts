// A run can be taken back in part: what is selected goes, the rest waits on.
import { ask, boxCalled, boxes, expect, labelOf, open, select, shapes, test, until } from "./studio";

test("undo of the selected shapes takes their labels along and leaves the rest pending", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Make sticky notes: Ideas, Questions, Next steps");
  const bar = page.getByTestId("run-bar");
  await expect(bar).toBeVisible();
  await expect(bar).toContainText("3 shapes");
  const questions = await boxCalled(page, "Questions");
  const part = bar.getByRole("button", { name: "Undo selected" });
  await expect(part).toHaveCount(0);
  await select(page, [questions.id]);
  await expect(bar).toContainText("1 of 3 selected");
  await part.click();
  await until(async () => (await shapes(page)).length === 4, "the note and its words are gone");
  const left = await shapes(page);
  expect(boxes(left).map((box) => labelOf(left, box))).toEqual(["Ideas", "Next steps"]);
  await expect(bar).toContainText("2 shapes");
  await expect(part).toHaveCount(0);

  await bar.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(bar).toHaveCount(0);
  expect((await shapes(page)).map(({ id }) => id)).toEqual(left.map(({ id }) => id));
});

test("with everything selected there is only the one Undo", async ({ context, server }) => {
  const page = await open(context, server.link);
  await ask(page, "Make sticky notes: Ideas, Questions");
  const bar = page.getByTestId("run-bar");
  await expect(bar).toBeVisible();
  const ids = [await boxCalled(page, "Ideas"), await boxCalled(page, "Questions")].map(({ id }) => id);
  await select(page, ids.slice(1));
  await expect(bar.getByRole("button", { name: "Undo selected" })).toBeVisible();
  await select(page, ids);
  await expect(bar.getByRole("button", { name: "Undo selected" })).toHaveCount(0);
});
