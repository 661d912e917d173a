// Writes package-lock.json without any address, as that of the page is: `npm ci` needs only
// versions and hashes. Run it with node after a change of package.json.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = new URL("package-lock.json", import.meta.url);

execFileSync("npm", ["install", "--package-lock-only", ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: new URL(".", import.meta.url),
});
const lock = JSON.parse(readFileSync(LOCK, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
  delete entry.resolved;
  if (entry.deprecated?.includes("://")) entry.deprecated = "yes";
}
const text = `${JSON.stringify(lock, null, 2)}\n`;
if (text.includes("://")) throw new Error("package-lock.json still names an address");
writeFileSync(LOCK, text);
