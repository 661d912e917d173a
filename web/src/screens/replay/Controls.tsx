// Step, play, speed, and a slider over the moves of a hand.

import type { ComponentChildren } from "preact";
import type { PastHand } from "../../net/protocol.gen";
import { SPEEDS, type Player } from "./player";
import { p, type PastKey } from "./words";

interface ButtonProps {
  readonly name: PastKey;
  readonly testid: string;
  readonly path: string;
  readonly kind?: string;
  act(): void;
}

function Button({ name, testid, path, kind = "", act }: ButtonProps) {
  return (
    <button type="button" class={`boxed icon ${kind}`} data-testid={testid} aria-label={p(name)} title={p(name)} onClick={act}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

const PLAY = "M7 4v16l13-8z";
const STOP = "M7 5h3v14h-3zM14 5h3v14h-3z";

interface Props {
  readonly player: Player;
  readonly hand: PastHand;
  readonly children: ComponentChildren;
}

export function Controls({ player, hand, children }: Props) {
  const { moment, isPlaying } = player;
  const all = hand.moves.length;
  const text = moment.move === 0 ? p("begin") : p("at", { n: moment.move, all });
  return (
    <div class="controls">
      {children}
      <label class="track">
        <span class="unseen">{p("slider")}</span>
        <input
          type="range"
          min="0"
          max={all}
          value={moment.move}
          data-testid="track"
          aria-valuetext={text}
          onInput={(event) => player.go({ ...moment, move: Number(event.currentTarget.value) })}
        />
        <output data-testid="where">{`${moment.move}/${all}`}</output>
      </label>
      <div class="keys">
        <Button kind="far" name="first" testid="first" path="M6 5v14M19 5L9 12l10 7z" act={() => player.leap(-1)} />
        <Button name="back" testid="back" path="M17 5L7 12l10 7z" act={() => player.step(-1)} />
        <Button
          kind="primary"
          name={isPlaying ? "stop" : "play"}
          testid="run"
          path={isPlaying ? STOP : PLAY}
          act={player.toggle}
        />
        <Button name="next" testid="next" path="M7 5l10 7-10 7z" act={() => player.step(1)} />
        <Button kind="far" name="last" testid="last" path="M18 5v14M5 5l10 7-10 7z" act={() => player.leap(1)} />
        <select
          data-testid="speed"
          aria-label={p("speed")}
          value={String(player.speed)}
          onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={String(speed)} selected={speed === player.speed}>
              {speed === 0.5 ? "½×" : `${speed}×`}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
