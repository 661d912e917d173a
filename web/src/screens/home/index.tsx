import { useState } from "preact/hooks";
import { Bunting } from "../../art/Bunting";
import { Sun } from "../../art/Sun";
import { Umbrella, Wordmark } from "../../art/Umbrella";
import { shortCode, tableIdIn } from "../../game/ids";
import { currentLang, t } from "../../i18n";
import { go, tablePath } from "../../router";
import { lastTable, me, openSeats, openTable, rename, show } from "../../state/session";
import { change, settings } from "../../state/settings";
import { Choice, LANGUAGE_NAMES, SettingsList, chooseLanguage } from "../../ui/Settings";
import { Sheet } from "../../ui/Sheet";
import { TilePicture } from "../../ui/TileFace";
import { useEffect } from "preact/hooks";

const CLOCKS = ["0", "15", "30"] as const;
type Clock = (typeof CLOCKS)[number];

export default function HomeScreen() {
  const [sheet, setSheet] = useState(false);
  useEffect(() => show(null), []);
  return (
    <div class="home">
      <header class="home-top">
        <Choice
          label={t("homeLanguage")}
          testid="lang"
          value={currentLang()}
          options={LANGUAGE_NAMES}
          onChoose={chooseLanguage}
        />
        <button type="button" class="boxed icon" data-testid="settings" aria-label={t("menuSettings")} onClick={() => setSheet(true)}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 7h9M18 7h2M4 17h3M12 17h8" />
            <circle cx="15.500" cy="7" r="2.500" />
            <circle cx="9.500" cy="17" r="2.500" />
          </svg>
        </button>
      </header>
      <main>
        <Cover />
        <section class="doors" id="game">
          <Resume />
          <Play />
          <Nickname />
          <Friends />
          <Join />
        </section>
      </main>
      {sheet && (
        <Sheet title={t("menuSettings")} testid="settings-sheet" onClose={() => setSheet(false)}>
          <SettingsList />
        </Sheet>
      )}
    </div>
  );
}

/** The cover of the booklet. */
function Cover() {
  return (
    <section class="cover">
      <Bunting />
      <svg class="rays" viewBox="-115 -115 230 230" aria-hidden="true">
        <Sun />
      </svg>
      <Umbrella size={148} />
      <h1>
        <Wordmark />
      </h1>
      <p>{t("appTagline")}</p>
      <div class="fan" aria-hidden="true">
        <TilePicture a={5} b={5} />
        <TilePicture a={6} b={6} />
        <TilePicture a={2} b={3} />
      </div>
    </section>
  );
}

function Play() {
  return (
    <button
      type="button"
      class="door primary"
      data-testid="play-bots"
      onClick={() => go(tablePath(openTable(0, true)))}
    >
      <b>{t("homePlayBots")}</b>
      <span>{t("homePlayBotsHint")}</span>
    </button>
  );
}

/** A table where the person still has a seat. */
function Resume() {
  const table = openSeats.value[0]?.table ?? lastTable.value;
  if (table === null) return null;
  return (
    <button type="button" class="door resume" data-testid="resume" onClick={() => go(tablePath(table))}>
      <b>
        {t("homeResume")} · {shortCode(table)}
      </b>
      <span>{t("homeResumeHint")}</span>
    </button>
  );
}

function Nickname() {
  return (
    <label class="field">
      <span>{t("homeName")}</span>
      <input
        data-testid="nickname"
        maxLength={20}
        autocomplete="nickname"
        placeholder={me.value?.name ?? ""}
        value={settings.value.name}
        aria-describedby="name-hint"
        onChange={(event) => {
          change({ name: event.currentTarget.value.trim() });
          rename();
        }}
      />
      <small id="name-hint">{t("homeNameHint")}</small>
    </label>
  );
}

function Friends() {
  const [clock, setClock] = useState<Clock>("0");
  return (
    <section class="friends">
      <button
        type="button"
        class="door"
        data-testid="open-table"
        onClick={() => go(tablePath(openTable(Number(clock), false)))}
      >
        <b>{t("homeOpenTable")}</b>
        <span>{t("homeOpenTableHint")}</span>
      </button>
      <Choice
        label={t("homeClock")}
        testid="clock"
        value={clock}
        options={CLOCKS.map((seconds) => [
          seconds,
          seconds === "0" ? t("homeClockNone") : t("homeClockSeconds", { n: seconds }),
        ])}
        onChoose={(chosen) => setClock(chosen)}
      />
    </section>
  );
}

function Join() {
  const [text, setText] = useState("");
  const [bad, setBad] = useState(false);
  const join = (event: Event) => {
    event.preventDefault();
    const id = tableIdIn(text);
    setBad(id === null);
    if (id !== null) go(tablePath(id));
  };
  return (
    <form class="field join" onSubmit={join}>
      <label for="join">{t("homeJoin")}</label>
      <div class="row">
        <input
          id="join"
          data-testid="join-link"
          placeholder={t("homeJoinField")}
          value={text}
          aria-invalid={bad}
          aria-describedby="join-hint"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" data-testid="join-go">
          {t("homeJoinGo")}
        </button>
      </div>
      <small id="join-hint" class={bad ? "bad" : ""}>
        {t(bad ? "homeJoinBad" : "homeJoinHint")}
      </small>
    </form>
  );
}
