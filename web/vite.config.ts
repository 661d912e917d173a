import { defineConfig } from "vitest/config";
import { dictionaries } from "./scripts/dictionaries.mjs";

const GATEWAY = process.env["LAELO_URL"] ?? "http://127.0.0.1:8080";

const PARTS =
  /src\/(?:ui\/(?:Join|Link|Options|Settings|Sheet|TileFace|lazily|memo|screen|words)|art\/(?:Bunting|Sun|Umbrella)|game\/(?:camera|layout)|i18n\/own|net\/api|state\/doors)\.tsx?$/;
const GAME =
  /src\/(?:screens\/table\/(?!Lobby|Menu|Invite)|ui\/(?:Avatar|Board|Countdown|Ring|SeatBadge)\.|state\/(?:bytes|names|table)\.|game\/(?:calls|deal)\.)/;

/** What nearly all pages share comes in one file, and so does the table: apart, they are larger. */
const GROUPS = [
  { name: "parts", test: PARTS, priority: 2 },
  { name: "game", test: GAME, priority: 1 },
];

export default defineConfig({
  plugins: [dictionaries()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: ["chrome111", "firefox115", "safari16.4"],
    manifest: true,
    // All sheets in one file: together they are packed far smaller than apart.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
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
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    css: { include: [/\.css/] },
    // Against tests that hang, not against a machine that is busy.
    testTimeout: 120_000,
  },
});
