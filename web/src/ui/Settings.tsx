// What a person can set, at the start and in mid-hand alike.

import { phrase, type Lang } from "../game/calls";
import { currentLang, speak, t, type Key } from "../i18n";
import { hushVoice, speakAloud, voices, voicesFor } from "../sound/speech";
import { say } from "../state/session";
import { change, settings, type Settings, type Theme, type TileSize } from "../state/settings";

type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const PLAYING: readonly (readonly [Switch, Key, Key?])[] = [
  ["dim", "setDim"],
  ["confirm", "setConfirm"],
  ["forced", "setForced", "setForcedHint"],
  ["letters", "setLetters"],
];

const SHOWING: readonly (readonly [Switch, Key])[] = [
  ["motion", "setMotion"],
  ["colours", "setColours"],
];

const THEMES: readonly (readonly [Theme, Key])[] = [
  ["auto", "setThemeAuto"],
  ["light", "setThemeLight"],
  ["dark", "setThemeDark"],
];

const SIZES: readonly (readonly [TileSize, Key])[] = [
  ["small", "setTilesSmall"],
  ["normal", "setTilesNormal"],
  ["large", "setTilesLarge"],
];

export const LANGUAGE_NAMES: readonly (readonly [Lang, string])[] = [
  ["pt", "Português"],
  ["es", "Español"],
  ["en", "English"],
];

/** The language that was chosen, also while its words are on their way. */
export const chosenLanguage = () => settings.value.lang ?? currentLang();

export function chooseLanguage(lang: Lang): void {
  const before = settings.value.lang;
  change({ lang });
  speak(lang).catch(() => {
    change({ lang: before });
    say(t("loadFailed"));
  });
}

/** Everything that can be set; it takes effect at once and stays on this device. */
export function SettingsList() {
  return (
    <div class="settings">
      {PLAYING.map(([name, label, hint]) => (
        <SwitchRow key={name} name={name} label={label} hint={hint} />
      ))}
      <SwitchRow name="sounds" label="setSounds" />
      <VoiceRows />
      {SHOWING.map(([name, label]) => (
        <SwitchRow key={name} name={name} label={label} />
      ))}
      <Choice
        label={t("setTiles")}
        testid="set-tiles"
        value={settings.value.tiles}
        options={SIZES.map(([size, key]) => [size, t(key)])}
        onChoose={(tiles) => change({ tiles })}
      />
      <Choice
        label={t("setTheme")}
        testid="set-theme"
        value={settings.value.theme}
        options={THEMES.map(([theme, key]) => [theme, t(key)])}
        onChoose={(theme) => change({ theme })}
      />
      <Choice
        label={t("setLanguage")}
        testid="set-lang"
        value={chosenLanguage()}
        options={LANGUAGE_NAMES}
        onChoose={chooseLanguage}
      />
    </div>
  );
}

interface SwitchProps {
  readonly name: Switch;
  readonly label: Key;
  readonly hint?: Key | undefined;
  onTurn?(on: boolean): void;
}

function SwitchRow({ name, label, hint, onTurn }: SwitchProps) {
  return (
    <label class="switch">
      <span>
        {t(label)}
        {hint !== undefined && <small>{t(hint)}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        data-testid={`set-${name}`}
        checked={settings.value[name]}
        onChange={(event) => {
          change({ [name]: event.currentTarget.checked });
          onTurn?.(event.currentTarget.checked);
        }}
      />
    </label>
  );
}

/** A sample is spoken at once: it shows the voice, and some browsers speak later only then. */
function sample(): void {
  speakAloud(phrase(currentLang(), { kind: "double", number: 6 }), currentLang());
}

function VoiceRows() {
  const able = voicesFor(voices.value, currentLang());
  return (
    <>
      <SwitchRow name="voice" label="setVoice" onTurn={(on) => (on ? sample() : hushVoice())} />
      {settings.value.voice && able.length === 0 && (
        <p class="quiet" data-testid="no-voice">
          {t("setVoiceNone")}
        </p>
      )}
      {settings.value.voice && able.length > 0 && (
        <label class="select">
          <span>{t("setVoiceName")}</span>
          <select
            data-testid="set-voice-name"
            value={settings.value.voiceName}
            onChange={(event) => {
              change({ voiceName: event.currentTarget.value });
              sample();
            }}
          >
            <option value="">{t("setVoiceAuto")}</option>
            {able.map(({ name }) => (
              <option key={name} value={name} selected={name === settings.value.voiceName}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly testid: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  onChoose(value: T): void;
}

/** One of a few, side by side. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, testid, value, options, onChoose } = props;
  return (
    <fieldset class="choice" data-testid={testid}>
      <legend>{label}</legend>
      <div class="segments">
        {options.map(([option, text]) => (
          <label key={option} class={option === value ? "chosen" : ""}>
            <input
              type="radio"
              name={testid}
              data-testid={`${testid}-${option}`}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
