// Any legal move of who is on turn, from what that seat sees.
import { endsFitted, playable, tilesIn } from "../tiles.mjs";
import { pick } from "./chance.mjs";

/** `["play", tile, end]`, `["pass"]` or `["choose", opener]`; `end` is null if it is plain. */
export function anyMove(chance, { seat, hand, ends, mustOpen, choosing }) {
  if (choosing) return ["choose", pick(chance, [seat, seat ^ 2])];
  const tiles = tilesIn(playable(hand, ends, mustOpen));
  if (!tiles.length) return ["pass"];
  const tile = pick(chance, tiles);
  const fitted = endsFitted(tile, ends);
  return ["play", tile, fitted.length > 1 ? pick(chance, fitted) : null];
}
