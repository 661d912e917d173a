// After the build: the service worker, which is told what was built.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { buildName, DIST, readManifest } from "./dist.mjs";

const hashed = readdirSync(join(DIST, "assets")).filter((name) => /\.(js|css)$/.test(name));

await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  define: {
    BUILD: JSON.stringify(buildName(readManifest())),
    FILES: JSON.stringify(hashed.toSorted().map((name) => `/assets/${name}`)),
  },
  build: {
    outDir: DIST,
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      input: fileURLToPath(new URL("../sw/worker.ts", import.meta.url)),
      output: { entryFileNames: "sw.js", format: "iife" },
    },
  },
});
