// In the build a dictionary is its texts alone, in the order of the Portuguese one; their names come
// once, in a chunk of their own, and not with each of the three languages.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { transformWithOxc } from "vite";

const DICTIONARY = /\/(?:i18n|i18n\/more|words)\/(?:pt|es|en)\.ts$/;
const NAMES = "\0names of ";

/** The dictionary that a module is: it exports one object of texts under the language's name. */
async function wordsIn(path) {
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module[basename(path, ".ts")];
}

const sourceOf = (path) => join(dirname(path), "pt.ts");

export function dictionaries() {
  return {
    name: "dictionaries",
    apply: "build",
    resolveId: (id) => (id.startsWith(NAMES) ? id : null),
    async load(id) {
      if (!id.startsWith(NAMES)) return null;
      const names = Object.keys(await wordsIn(id.slice(NAMES.length)));
      return `const names = ${JSON.stringify(names.join(" "))}.split(" ");
export const named = (texts) => Object.fromEntries(names.map((name, i) => [name, texts[i]]));`;
    },
    async transform(_, id) {
      if (id.startsWith(NAMES) || !DICTIONARY.test(id)) return null;
      const source = sourceOf(id);
      const [words, first] = [await wordsIn(id), await wordsIn(source)];
      const texts = Object.keys(first).map((name) => words[name]);
      if (texts.includes(undefined)) throw new Error(`${id} lacks a text that ${source} has`);
      const code = `import { named } from ${JSON.stringify(NAMES + source)};
export const ${basename(id, ".ts")} = /* @__PURE__ */ named(${JSON.stringify(texts)});`;
      return { code, map: null };
    },
  };
}
