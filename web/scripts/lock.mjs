// Writes package-lock.json without any address: neither where packages come from (.npmrc sees to
// that) nor where their authors ask for money. `npm ci` needs only versions and hashes.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = new URL("../package-lock.json", import.meta.url);

const args = ["install", "--package-lock-only", ...process.argv.slice(2)];
execFileSync("npm", args, { stdio: "inherit", cwd: new URL("..", import.meta.url) });

const lock = JSON.parse(readFileSync(LOCK, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
  delete entry.resolved;
}
const text = `${JSON.stringify(lock, null, 2)}\n`;
if (text.includes("://")) {
  throw new Error("package-lock.json still names an address");
}
writeFileSync(LOCK, text);
