import { expect, test } from "vitest";
import { browserName } from "./browserName";

test("a browser is called what people call it", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1";
  expect([chrome, `${chrome} Edg/140.0`, safari, "curl/8.5", ""].map(browserName)).toEqual([
    "Chrome on Linux",
    "Edge on Linux",
    "Safari on iOS",
    "curl/8.5",
    "Unknown browser",
  ]);
});
