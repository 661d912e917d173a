// How a table is set up: shown before anybody joins, chosen by who opens it.

import { t, type Key } from "../i18n";
import type { Level, Options } from "../net/protocol.gen";
import { Choice } from "./Settings";

/** Tables opened by programs may have other levels, too. */
const LEVELS: Partial<Record<Level, Key>> & Record<"easy" | "medium" | "strong", Key> = {
  easy: "optLevelEasy",
  medium: "optLevelMedium",
  strong: "optLevelStrong",
};

/** In a few words each. */
export function OptionsList({ options }: { readonly options: Options }) {
  const { move_seconds: seconds = 0, spectators = true, public: open = false } = options;
  const level = options.level ?? "medium";
  const words = [
    seconds === 0 ? t("optClockNone") : t("optClockLong", { n: seconds }),
    `${t("optLevel")} ${t(LEVELS[level] ?? LEVELS.medium)}`,
    t(spectators ? "optWatchYes" : "optWatchNo"),
    t(open ? "optPublic" : "optPrivate"),
  ];
  return (
    <ul class="options" aria-label={t("optShown")} data-testid="options">
      {words.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

const CLOCKS = ["0", "15", "30", "60"] as const;

interface Props {
  readonly options: Options;
  onChange(options: Options): void;
}

export function OptionsForm({ options, onChange }: Props) {
  const yes = t("optYes");
  const no = t("optNo");
  return (
    <>
      <Choice
        label={t("optClock")}
        testid="clock"
        value={String(options.move_seconds ?? 0) as (typeof CLOCKS)[number]}
        options={CLOCKS.map((n) => [n, n === "0" ? t("optClockNone") : t("optClockSeconds", { n })])}
        onChoose={(chosen) => onChange({ ...options, move_seconds: Number(chosen) })}
      />
      <Choice<Level>
        label={t("optLevel")}
        testid="level"
        value={options.level ?? "medium"}
        options={[
          ["easy", t(LEVELS.easy)],
          ["medium", t(LEVELS.medium)],
          ["strong", t(LEVELS.strong)],
        ]}
        onChoose={(level) => onChange({ ...options, level })}
      />
      <Choice
        label={t("optSpectators")}
        testid="spectators"
        value={(options.spectators ?? true) ? "yes" : "no"}
        options={[
          ["yes", yes],
          ["no", no],
        ]}
        onChoose={(chosen) => onChange({ ...options, spectators: chosen === "yes" })}
      />
      <Choice
        label={t("optWho")}
        testid="who"
        value={options.public ? "all" : "code"}
        options={[
          ["code", t("optWhoCode")],
          ["all", t("optWhoAll")],
        ]}
        onChoose={(chosen) => onChange({ ...options, public: chosen === "all" })}
      />
    </>
  );
}
