// What was built: its folder, its files, its name.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));

export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

export function readManifest() {
  return JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));
}

/** The page knows its build by the hash in its own name. */
export function buildName(manifest) {
  const { file } = Object.values(manifest).find((chunk) => chunk.isEntry);
  return /-([\w-]{8,})\.js$/.exec(file)[1];
}
