// Builds the editor alone, as its makers ship it: what the studio is measured beside.
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "error",
  build: { emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 8192, reportCompressedSize: false },
});
