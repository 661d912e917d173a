// After the build: checks the byte budget, then lays .br and .gz beside every file worth it, so
// that the gateway never compresses anything itself.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildName, DIST, filesBelow, readManifest } from "./dist.mjs";

const PACKED = /\.(js|css|html|svg|json|webmanifest)$/;
const KB = 1000;
const BUDGET = { "JS to first play": 60 * KB, "all JS": 140 * KB, CSS: 15 * KB };

const gzipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length;
const total = (paths) => paths.reduce((sum, path) => sum + gzipped(path), 0);

/** The scripts that run before a first tile can be laid: entry, table and one language. */
function firstPlay(manifest) {
  const wanted = new Set();
  const take = (key) => {
    if (wanted.has(key)) return;
    wanted.add(key);
    for (const next of manifest[key].imports ?? []) take(next);
  };
  for (const [key, chunk] of Object.entries(manifest)) {
    if (chunk.isEntry || /screens\/(home|table)\/index|i18n\/pt\./.test(key)) take(key);
  }
  return [...wanted].map((key) => manifest[key].file).filter((file) => file.endsWith(".js"));
}

const files = filesBelow(DIST);
const manifest = readManifest();
const sizes = {
  "JS to first play": total(firstPlay(manifest).map((file) => join(DIST, file))),
  "all JS": total(files.filter((path) => path.endsWith(".js"))),
  CSS: total(files.filter((path) => path.endsWith(".css"))),
};

let fits = true;
for (const [what, size] of Object.entries(sizes)) {
  const within = size <= BUDGET[what];
  fits &&= within;
  const figure = `${(size / KB).toFixed(1)} of ${BUDGET[what] / KB} kB gzip`;
  console.log(`${within ? "ok  " : "OVER"}  ${what}: ${figure}`);
}
if (!fits) process.exit(1);

// The gateway reads here which build it serves.
writeFileSync(join(DIST, "version.json"), `${JSON.stringify({ build: buildName(manifest) })}\n`);

for (const path of files.filter((file) => PACKED.test(file) && !file.includes(".vite"))) {
  const bytes = readFileSync(path);
  if (statSync(path).size < 512) continue;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
