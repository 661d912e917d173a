// The end of a match, to be sent to somebody: who won, and where every move can be seen.

import { t } from "../../i18n";
import type { MatchEnd } from "../../net/protocol.gen";
import { replayPath } from "../../router";
import type { TableState } from "../../state/table";
import { passOn } from "../../ui/share";
import { matchTold } from "./telling";
import { p, wordsReady } from "./words";

/** False where it can neither be shared nor copied. */
export async function shareResult(state: TableState, end: MatchEnd): Promise<boolean> {
  await wordsReady();
  const link = new URL(replayPath(state.id, state.view.match), location.href).href;
  const text = `${t("appTitle")} · ${matchTold(end, state)}\n${link}`;
  return passOn({ text }, text, p("textCopied"));
}
