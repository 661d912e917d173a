// Checks that teams, animals and tables of a championship are what the house had bound itself to
// (docs/fair-draw.md), written from that page alone.

import type { Bracket } from "../net/protocol.gen";
import { ascii, fromHex, joined, toHex } from "./bytes";
import { ulidOf } from "./ids";
import { sha256 } from "./sha256";
import { shuffled, stream } from "./shuffle";

const LABEL = ascii("laelo draw 1");
const BLOCK = 64;

export interface Drawn {
  readonly players: readonly [string, string];
  readonly animals: readonly [string, string];
}

/** The teams in the order of their numbers, from the players in the order of the queue. */
export function draw(seed: Uint8Array, players: readonly string[], animals: readonly string[]): readonly Drawn[] {
  const bytes = stream(LABEL, seed);
  const people = shuffled(players, bytes);
  const shown = shuffled(animals, bytes);
  return Array.from({ length: players.length / 2 }, (_, i) => ({
    players: pair(people, i),
    animals: pair(shown, i),
  }));
}

const pair = (items: readonly string[], i: number) => [items[2 * i] ?? "", items[2 * i + 1] ?? ""] as const;

/** HMAC (RFC 2104) with SHA-256, for keys that are not longer than a block. */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = (by: number) => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ by);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

/** The id of a match's table. */
export function tableOf(seed: Uint8Array, championship: string, match: string): string {
  return ulidOf(hmac(seed, ascii(`${championship}/${match}`)).slice(0, 16));
}

/** What was found out about a draw; it was kept if all of it is true. */
export interface DrawProof {
  /** The seed is the one that was promised. */
  readonly seed: boolean;
  /** Who played with whom follows from it. */
  readonly teams: boolean;
  /** Who was which animal follows from it. */
  readonly animals: boolean;
  /** Every match was played at the table that follows from it. */
  readonly tables: boolean;
}

const same = (shown: readonly (readonly string[])[], drawn: readonly (readonly string[])[]) =>
  shown.length > 0 && JSON.stringify(shown) === JSON.stringify(drawn);

/** `commitment` as this page was shown it first; `animals` all ids in the order of their bytes. */
export function proveDraw(bracket: Bracket, commitment: string, animals: readonly string[]): DrawProof {
  const seed = fromHex(bracket.seed ?? "");
  const teams = draw(seed, bracket.players ?? [], animals);
  const shown = bracket.teams.toSorted((one, other) => one.number - other.number);
  return {
    seed: toHex(sha256(seed)) === commitment && commitment === bracket.commitment,
    teams: same(bracket.drawn ?? [], teams.map(({ players }) => players)),
    animals: same(shown.map((team) => team.animals), teams.map((team) => team.animals)),
    tables: bracket.matches.every(({ id, table = "" }) => table === "" || table === tableOf(seed, bracket.id, id)),
  };
}

export const isKept = (proof: DrawProof) => proof.seed && proof.teams && proof.animals && proof.tables;
