// Tiles and ends in words, for labels and the live region.

import { numberName } from "../game/calls";
import { isDouble } from "../game/tiles";
import { currentLang, t } from "../i18n";
import type { Tile } from "../net/protocol.gen";

export function tileName(tile: Tile): string {
  const lang = currentLang();
  const high = numberName(lang, Math.max(...tile));
  if (isDouble(tile)) return t("tileDouble", { n: high });
  return t("tileName", { high, low: numberName(lang, Math.min(...tile)) });
}

export function endsInWords(ends: readonly [number, number] | undefined): string {
  if (ends === undefined) return t("promptEmptyTable");
  const [left, right] = ends.map((number) => numberName(currentLang(), number));
  return ends[0] === ends[1]
    ? t("promptEndsSame", { left: left ?? "" })
    : t("promptEnds", { left: left ?? "", right: right ?? "" });
}
