// Tasks: made in the panel, framed on the page, dragged onto a fairy, started, done.
import { boxCalled, expect, open, test } from "./studio";

test("a card dragged onto a fairy is hers; Start sets her to it, and everyone sees how far it is", async ({ context, server }) => {
  const [page, other] = [await open(context, server.link), await open(context, server.link)];
  await page.bringToFront();
  await page.getByRole("button", { name: "Tasks" }).click();
  const panel = page.getByTestId("tasks-panel");
  await panel.getByRole("textbox", { name: "New task" }).fill("Draw a flow: Return -> Refund");
  await page.keyboard.press("Enter");
  const card = panel.getByTestId("task-card");
  await expect(card).toHaveAttribute("data-status", "todo");
  await expect(card.getByRole("button", { name: "Start" })).toBeDisabled();
  await card.getByRole("button", { name: "In the part of the page I see" }).click();
  await expect(page.getByTestId("task-bounds")).toBeVisible();

  await card.dragTo(page.getByTestId("fairy-sprite"), { sourcePosition: { x: 6, y: 6 } });
  const { fairies } = await server.workspace();
  await expect.poll(async () => (await server.workspace()).tasks[0].assignee).toBe(fairies[0].id);
  await page.getByRole("status").getByRole("button", { name: "Start" }).click();
  await boxCalled(page, "Refund");
  await expect(card).toHaveAttribute("data-status", "done");

  await other.bringToFront();
  await other.getByRole("button", { name: "Tasks" }).click();
  await expect(other.getByTestId("task-card")).toHaveAttribute("data-status", "done");
  await other.getByRole("button", { name: "Hide tasks on the page" }).click();
  await expect(other.getByTestId("task-bounds")).toHaveCount(0);
  await expect(page.getByTestId("task-bounds")).toHaveCount(1);
});

test("a task is reworded, given to someone by keyboard, and deleted", async ({ context, server }) => {
  const page = await open(context, server.link);
  await page.getByRole("button", { name: "Tasks" }).click();
  const panel = page.getByTestId("tasks-panel");
  await panel.getByRole("textbox", { name: "New task" }).fill("Tidy");
  await panel.getByRole("button", { name: "Make" }).click();
  const task = async () => (await server.workspace()).tasks[0];
  await panel.getByRole("textbox", { name: "What is to be done" }).fill("Tidy up");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await task()).title).toBe("Tidy up");
  await panel.getByRole("textbox", { name: "More about it" }).fill("left to right");
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await task()).text).toBe("left to right");
  const { fairies } = await server.workspace();
  await panel.getByRole("combobox", { name: "Who does it" }).selectOption(fairies[0].id);
  await expect.poll(async () => (await task()).assignee).toBe(fairies[0].id);
  await panel.getByRole("combobox", { name: "How far it is" }).selectOption("done");
  await expect(panel.getByRole("button", { name: "Start" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Delete" }).click();
  await expect(panel.getByTestId("task-card")).toHaveCount(0);
});

test("an area that may not be moved goes back to where it was, and it is said why", async ({ context, server }) => {
  const page = await open(context, server.link);
  const bounds = { x: 100, y: 100, w: 400, h: 300 };
  await server.api("/api/workspaces/main/tasks", { method: "POST", body: { title: "Tidy", page: await server.firstPage(), bounds } });
  const frame = page.getByTestId("task-bounds");
  await expect(frame).toBeVisible();
  await page.route("**/api/tasks/*", (route) =>
    route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({ title: "Forbidden", status: 403, detail: "This area is somebody else's." }),
    }),
  );
  const before = (await frame.boundingBox())!;
  const grip = (await frame.getByRole("button", { name: "Move the area of Tidy" }).boundingBox())!;
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(grip.x + 90, grip.y + 60, { steps: 4 });
  expect((await frame.boundingBox())!.x).toBeGreaterThan(before.x + 40);
  await page.mouse.up();
  await expect(page.getByText("This area is somebody else's.", { exact: true })).toBeVisible();
  await expect.poll(() => frame.boundingBox()).toEqual(before);
});
