// Comments: pinned to a shape by one, answered and settled by another.
import { drawRectangle, expect, open, test } from "./studio";

test("a comment is pinned to a shape, follows it, is answered by the other and settled", async ({ context, server }) => {
  const [one, two] = [await open(context, server.link), await open(context, server.link)];
  await one.bringToFront();
  await drawRectangle(one, [300, 300], [500, 420]);
  await one.getByRole("button", { name: "Comments" }).click();
  await one.getByRole("button", { name: "New comment" }).click();
  await one.mouse.click(400, 360);
  await one.getByRole("textbox", { name: "Say something" }).fill("Too small?");
  await one.keyboard.press("Enter");
  await expect(one.getByRole("button", { name: /^Comment by .*Too small/ })).toBeVisible();
  await expect(one.getByTestId("sync-status")).toHaveText(/^saved/i);

  await two.bringToFront();
  await two.getByRole("button", { name: /^Comment by .*Too small/ }).click();
  const thread = two.getByRole("dialog", { name: "Conversation" });
  await thread.getByRole("textbox", { name: "Answer" }).fill("A little");
  await two.keyboard.press("Enter");
  await expect(thread).toContainText("A little");

  await one.bringToFront();
  await expect(one.getByTestId("comments-panel")).toContainText("1 answer");
  const before = (await one.locator(".pin-face").boundingBox())!;
  await one.keyboard.press("Escape");
  await one.mouse.move(400, 600);
  await one.mouse.wheel(0, 80);
  await expect.poll(async () => (await one.locator(".pin-face").boundingBox())!.y).toBeLessThan(before.y - 40);

  await two.bringToFront();
  await thread.getByRole("button", { name: "Mark as settled" }).click();
  await thread.press("Escape");
  await expect(two.getByTestId("comment-pin")).toHaveCount(0);
  await expect(one.getByTestId("comments-panel")).toContainText("Show 1 settled");
  await two.reload();
  await expect(two.getByTestId("comment-pin")).toHaveCount(0);
});
