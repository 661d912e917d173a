import fc from "fast-check";
import { expect, it } from "vitest";

import { toHex } from "../src/game/bytes";
import { sha256 } from "../src/game/sha256";

const digest = (text: string) => toHex(sha256(new TextEncoder().encode(text)));

it("gives the digests of the standard's own examples", () => {
  expect(digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

it("gives the same digests as another implementation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (drawn) => {
      const bytes = Uint8Array.from(drawn);
      const expected = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      expect(toHex(sha256(bytes))).toBe(toHex(expected));
    }),
  );
});
