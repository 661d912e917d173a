import { defineConfig } from "vitest/config";
import { dictionaries } from "./scripts/dictionaries.mjs";

const GATEWAY = process.env["LAELO_URL"] ?? "http://127.0.0.1:8080";

const PARTS =
  /src\/(?:ui\/(?:Clock|Join|Link|Options|Page|Queue|RankRows|Settings|Sheet|Strong|TileFace|lazily|match|memo|screen|share|words)|art\/(?:Bunting|Sun|Umbrella)|game\/(?:camera|layout)|i18n\/own|net\/api|state\/(?:account|championship|doors))\.tsx?$/;
const GAME =
  /src\/(?:screens\/table\/(?!Lobby|Menu|Invite)|ui\/(?:Avatar|Board|Countdown|Ring|SeatBadge|Tag)\.|state\/(?:bytes|names|table)\.|game\/(?:calls|deal)\.)/;

/** Beside the table: chairs, menu, invitation. */
const ASIDE = /src\/screens\/table\/(?:Lobby|Menu|Invite|Chairs|Say)\./;
const CUPS = /src\/(?:screens\/(?:account|bracket|championship|official|ranking)\/|game\/(?:bracket|draw|path)\.)/;
const PAST = /src\/screens\/(?:past\.|history\/|replay\/(?!picture|words\/(?:es|en|pt)\.))/;

/**
 * What nearly all pages share comes in one file, and so do the table, what is beside it, all around
 * championships and all around the past: in many small files they pack badly.
 */
const GROUPS = [
  { name: "parts", test: PARTS, priority: 2 },
  { name: "game", test: GAME, priority: 1 },
  { name: "aside", test: ASIDE },
  { name: "cups", test: CUPS },
  { name: "past", test: PAST },
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
