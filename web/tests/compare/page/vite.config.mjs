// Builds the editor's side of the comparison; run.mjs serves it.
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "error",
  build: { emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 8192, reportCompressedSize: false },
});
