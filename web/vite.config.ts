import { defineConfig } from "vitest/config";

const GATEWAY = process.env["LAELO_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: ["chrome111", "firefox115", "safari16.4"],
    manifest: true,
    // All sheets in one file: together they are packed far smaller than apart.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    fs: { allow: [".."] },
    proxy: {
      "/ws": { target: GATEWAY, ws: true },
      "/version.json": GATEWAY,
      "/api": GATEWAY,
      "/auth": GATEWAY,
      "/dev/issuer": GATEWAY,
    },
  },
  test: { include: ["test/**/*.test.ts"], environment: "node", css: { include: [/tokens\.css/] } },
});
