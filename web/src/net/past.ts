// What was played: one's own matches, and any match move by move. A guest shows the token.

import { asked } from "./api";
import type { History, Judgement, Kind, Replay } from "./protocol.gen";

export interface Filter {
  /** The id that a row names. */
  readonly partner: string;
  readonly kind: Kind | "";
  /** The Monday in Recife with which the week begins. */
  readonly week: string;
}

const shown = (token: string | null) => (token === null ? {} : { authorization: `Bearer ${token}` });

export function readHistory(filter: Filter, before: string, token: string | null) {
  const named = Object.entries({ ...filter, before }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(named).toString();
  return asked<History>("GET", `/api/history${query === "" ? "" : `?${query}`}`, undefined, shown(token));
}

/** What is known of the play in a match; asked again, it goes on to be judged. */
export function askJudgement(table: string, match: number, token: string | null) {
  return asked<Judgement>("POST", `/api/replays/${table}/${match}/judgement`, undefined, shown(token));
}

/** A match; with `hand`, it is refused for now until that hand is there. */
export function readReplay(table: string, match: number, hand: number, token: string | null) {
  return asked<Replay>("GET", `/api/replays/${table}/${match}?hand=${hand}`, undefined, shown(token));
}
