import type { Lang } from "../game/calls";
import { currentLang, speak, t, type Key } from "../i18n";
import { change, settings, type Settings, type Theme } from "../state/settings";

type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const SWITCHES: readonly (readonly [Switch, Key])[] = [
  ["dim", "setDim"],
  ["confirm", "setConfirm"],
  ["colours", "setColours"],
  ["sounds", "setSounds"],
  ["motion", "setMotion"],
  ["letters", "setLetters"],
];

const THEMES: readonly (readonly [Theme, Key])[] = [
  ["auto", "setThemeAuto"],
  ["light", "setThemeLight"],
  ["dark", "setThemeDark"],
];

export const LANGUAGE_NAMES: readonly (readonly [Lang, string])[] = [
  ["pt", "Português"],
  ["es", "Español"],
  ["en", "English"],
];

export function chooseLanguage(lang: Lang): void {
  change({ lang });
  void speak(lang);
}

export function SettingsList() {
  return (
    <div class="settings">
      {SWITCHES.map(([name, label]) => (
        <label key={name} class="switch">
          <span>{t(label)}</span>
          <input
            type="checkbox"
            role="switch"
            data-testid={`set-${name}`}
            checked={settings.value[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        </label>
      ))}
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
        value={currentLang()}
        options={LANGUAGE_NAMES}
        onChoose={chooseLanguage}
      />
    </div>
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
