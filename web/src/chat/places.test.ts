import { expect, test } from "vitest";
import { inWords, placeOf, safeAddress } from "./places";

test("a name with a folder, an ending or a line is a place in a file", () => {
  const at = (path: string, line?: number) => (line === undefined ? { path } : { path, line });
  expect(placeOf("src/main.rs")).toEqual(at("src/main.rs"));
  expect(placeOf("./src/main.rs:12")).toEqual(at("src/main.rs", 12));
  expect(placeOf("main.rs:12:5")).toEqual(at("main.rs", 12));
  expect(placeOf("src/a-b.test.ts#L3-L9")).toEqual(at("src/a-b.test.ts", 3));
  expect(placeOf(".github/workflows/ci.yml")).toEqual(at(".github/workflows/ci.yml"));
  expect(placeOf("Cargo.toml")).toEqual(at("Cargo.toml"));
  for (const other of [
    "main",
    "1.5",
    "v0.1.2",
    "a b.rs",
    "https://x.org/a.rs",
    "and/or",
    "/etc/passwd",
    "../up.rs",
    "foo()",
    "a::b",
    "12:30",
  ])
    expect(placeOf(other), other).toBeNull();
});

test("among words only what is surely a place is a link, and every word stays", () => {
  const line = "See src/a.rs:3 and lib.rs:7, or https://x.org/src/a.rs; either/or, e.g. 3.14/2.";
  const parts = inWords(line);
  expect(parts.map((part) => (typeof part === "string" ? part : part.words)).join("")).toBe(line);
  const places = parts.flatMap((part) => (typeof part === "string" ? [] : [part.place]));
  expect(places).toEqual([
    { path: "src/a.rs", line: 3 },
    { path: "lib.rs", line: 7 },
  ]);
});

test("only addresses of the web and of mail are opened", () => {
  expect(safeAddress("https://x.org/a?b")).toBe("https://x.org/a?b");
  expect(safeAddress("mailto:a@b.org")).toBe("mailto:a@b.org");
  for (const bad of ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "/api/session", "//x.org", "java\nscript:x", "https://"])
    expect(safeAddress(bad), bad).toBeNull();
});
