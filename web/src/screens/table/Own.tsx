// The person's own edge of the table: clock, what is asked of them, hand, pass.

import { useLayoutEffect, useRef } from "preact/hooks";
import { isDouble, sameTile, tileKey } from "../../game/tiles";
import { sentence, t } from "../../i18n";
import type { Tile } from "../../net/protocol.gen";
import { isOfficial, nameOf, nearSeat, toldName } from "../../state/names";
import {
  lifted,
  mayPass,
  mustOpenWith,
  myTurn,
  pass,
  playOf,
  sending,
  shown,
  touch,
} from "../../state/play";
import { locked, submit, talk } from "../../state/session";
import { mayMove, settings } from "../../state/settings";
import type { TableState } from "../../state/table";
import { bubbleOf } from "../../state/talk";
import { Bubble, SeatRing } from "../../ui/SeatBadge";
import { TileBacks, TilePicture } from "../../ui/TileFace";
import { endsInWords, tileName } from "../../ui/words";

interface Props {
  readonly state: TableState;
  onSay(): void;
}

export function Own({ state, onSay }: Props) {
  const { me } = state.view;
  const bubble = bubbleOf(talk.value, nearSeat(state));
  return (
    <section class={`own ${locked.value && me !== undefined ? "locked" : ""}`}>
      <div class={`self ${state.view.turn?.seat === nearSeat(state) ? "on-turn" : ""}`}>
        <SeatRing state={state} seat={nearSeat(state)} />
        <p class="prompt" data-testid="prompt">
          <b>{prompt(state)}</b>
          <Below state={state} />
        </p>
        {bubble !== null && <Bubble line={bubble} />}
      </div>
      {me === undefined && <TakeSeat state={state} />}
      {me !== undefined && <Hand tiles={shown.value?.view.tiles ?? []} />}
      {me !== undefined && (
        <button
          type="button"
          class={`pass ${mayPass.value ? "primary" : ""}`}
          data-testid="pass"
          title={t("passHint")}
          aria-disabled={!mayPass.value}
          onClick={() => mayPass.value && pass()}
        >
          {t("pass")}
        </button>
      )}
      {me !== undefined && <SayButton onSay={onSay} />}
    </section>
  );
}

/** What lies open, while that counts; who only watches is told whose edge this is, and how many tiles they hold. */
function Below({ state }: Pick<Props, "state">) {
  const { me, ends, turn, counts } = state.view;
  const near = nearSeat(state);
  if (me !== undefined) return turn === undefined ? null : <span>{endsInWords(ends)}</span>;
  return (
    <span>
      {turn?.seat === near ? endsInWords(ends) : nameOf(state, near)}{" "}
      <TileBacks count={counts[near] ?? 0} testid={`count-${near}`} />
    </span>
  );
}

function SayButton({ onSay }: Pick<Props, "onSay">) {
  return (
    <button type="button" class="boxed icon speak" data-testid="say" aria-label={t("sayOpen")} onClick={onSay}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 5h16v10h-9l-5 4.500v-4.500h-2z" />
        <path d="M8 10h.01M12 10h.01M16 10h.01" />
      </svg>
    </button>
  );
}

/** In mid-match, who only watches may take the seat of a bot whose person has left for good. */
function TakeSeat({ state }: { readonly state: TableState }) {
  const { phase, seats } = state.view;
  const playing = phase !== "match_over" && !isOfficial(state) && seats.some(({ kind }) => kind === "bot");
  if (!playing) return null;
  const sit = () => void submit({ t: "table.sit", table: state.id, d: {} });
  return (
    <button type="button" class="take" data-testid="take-seat" onClick={sit}>
      {t("watchSit")}
    </button>
  );
}

/** What is going on, in a few words. */
function prompt(state: TableState): string {
  const { turn, phase, chain, me } = state.view;
  if (locked.value && me !== undefined) return t("promptLocked");
  if (sending.value) return t("promptSending");
  if (lifted.value !== null) return t(settings.value.confirm ? "promptConfirm" : "promptChooseEnd");
  const own = myTurn.value;
  if (own?.choosing) return t("promptChoose");
  if (own?.must_pass) return t("promptPass");
  const double = mustOpenWith();
  if (own !== null && double !== null) return t("promptOpenDouble", { tile: tileName(double) });
  if (own !== null) return t(chain.length === 0 ? "promptOpen" : "promptYourTurn");
  if (phase === "match_over") return t("promptOver");
  if (turn === undefined) return t(phase === "pause" ? "endNextSoon" : "promptWatching");
  const name = toldName(state, turn.seat);
  if (turn.choosing) return sentence("promptWaitChoose", { name });
  return sentence(chain.length === 0 ? "promptWaitOpen" : "promptWait", { name });
}

const SHAKE = [0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));

function Hand({ tiles }: { readonly tiles: readonly Tile[] }) {
  const list = useRef<HTMLUListElement>(null);
  const had = useRef(tiles.length);
  useLayoutEffect(() => {
    const fewer = tiles.length < had.current;
    had.current = tiles.length;
    if (!fewer) return undefined;
    // The button that had the focus is gone with its tile: the next one takes it, in a task of its
    // own, as a focus has the whole page laid out.
    const task = setTimeout(() => {
      const lost = document.activeElement === document.body;
      if (lost) list.current?.querySelector("button")?.focus({ preventScroll: true });
    });
    return () => clearTimeout(task);
  }, [tiles.length]);
  return (
    <ul ref={list} class="hand" data-testid="hand" aria-label={t("handLabel")}>
      {tiles.map((tile, i) => (
        <li key={tileKey(tile)}>
          <HandTile tile={tile} index={i} />
        </li>
      ))}
    </ul>
  );
}

function HandTile({ tile, index }: { readonly tile: Tile; readonly index: number }) {
  const button = useRef<HTMLButtonElement>(null);
  const fits = playOf(tile) !== undefined;
  const asked = myTurn.value !== null && !myTurn.value.choosing;
  const dimmed = asked && settings.value.dim && !fits;
  const up = lifted.value !== null && sameTile(lifted.value, tile);
  const state = !asked || !settings.value.dim ? "" : `, ${t(fits ? "tileFits" : "tileFitsNot")}`;
  const classes = ["hand-tile", dimmed ? "dimmed" : "", up ? "lifted" : "", isDouble(tile) ? "double" : ""];
  return (
    <button
      ref={button}
      type="button"
      class={classes.filter((name) => name !== "").join(" ")}
      data-testid={`tile-${tileKey(tile)}`}
      data-index={index + 1}
      aria-pressed={up}
      aria-disabled={locked.value || dimmed}
      aria-label={tileName(tile) + state}
      onClick={() => {
        const refused = touch(tile) === "refused";
        if (refused && mayMove()) button.current?.animate(SHAKE, 220);
      }}
    >
      <TilePicture a={tile[0]} b={tile[1]} />
    </button>
  );
}
