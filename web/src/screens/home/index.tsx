import { useEffect, useState } from "preact/hooks";
import { Bunting } from "../../art/Bunting";
import { Sun } from "../../art/Sun";
import { Umbrella, Wordmark } from "../../art/Umbrella";
import { t } from "../../i18n";
import { go, HISTORY, rulesPath, tablePath } from "../../router";
import { signedIn } from "../../state/account";
import { openTable, quickPlay, search } from "../../state/doors";
import { introduce, lastTable, me, show } from "../../state/session";
import { change, settings } from "../../state/settings";
import { Choice, LANGUAGE_NAMES, SettingsList, chooseLanguage, chosenLanguage } from "../../ui/Settings";
import { Sheet } from "../../ui/Sheet";
import { Join } from "../../ui/Join";
import { Link } from "../../ui/Link";
import { TilePicture } from "../../ui/TileFace";
import { Create } from "./Create";
import { Cup } from "./Cup";
import { Learn } from "./Learn";
import { Quick } from "./Quick";

export default function HomeScreen() {
  const [sheet, setSheet] = useState<"settings" | "create" | null>(null);
  const close = () => setSheet(null);
  useEffect(() => show(null), []);
  return (
    <div class="home">
      <header class="home-top">
        <Choice
          label={t("homeLanguage")}
          testid="lang"
          value={chosenLanguage()}
          options={LANGUAGE_NAMES}
          onChoose={chooseLanguage}
        />
        <button type="button" class="boxed icon" data-testid="settings" aria-label={t("menuSettings")} onClick={() => setSheet("settings")}>
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
          <Learn />
          <Cup />
          <Door testid="open-table" title={t("homeOpenTable")} hint={t("homeOpenTableHint")} act={() => setSheet("create")} />
          <Join />
          {!signedIn.value && <Nickname />}
          <p class="home-foot">
            <Link to={rulesPath(null)} testid="to-rules">
              {t("homeRules")}
            </Link>
            <Link to={HISTORY} testid="to-history">
              {t("homeHistory")}
            </Link>
          </p>
        </section>
      </main>
      {sheet === "settings" && (
        <Sheet title={t("menuSettings")} testid="settings-sheet" onClose={close}>
          <SettingsList />
        </Sheet>
      )}
      {sheet === "create" && <Create onClose={close} />}
      {search.value !== null && <Quick />}
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

interface DoorProps {
  readonly testid: string;
  readonly title: string;
  readonly hint: string;
  readonly kind?: "primary" | "resume";
  act(): void;
}

function Door({ testid, title, hint, kind, act }: DoorProps) {
  return (
    <button type="button" class={`door ${kind ?? ""}`} data-testid={testid} onClick={act}>
      <b>{title}</b>
      <span>{hint}</span>
    </button>
  );
}

const playBots = () => go(tablePath(openTable({}, true)));

function Play() {
  return (
    <>
      <Door
        kind="primary"
        testid="quick"
        title={t("homeQuick")}
        hint={t("homeQuickHint")}
        act={() => void quickPlay()}
      />
      <Door testid="play-bots" title={t("homePlayBots")} hint={t("homePlayBotsHint")} act={playBots} />
    </>
  );
}

/** A table where the person still has a seat. */
function Resume() {
  const table = lastTable.value;
  if (table === null) return null;
  const back = () => go(tablePath(table));
  return <Door kind="resume" testid="resume" title={t("homeResume")} hint={t("homeResumeHint")} act={back} />;
}

function Nickname() {
  // The page may be drawn anew, with what was there before, while one writes.
  const [written, setWritten] = useState<string | null>(null);
  return (
    <label class="field">
      <span>{t("homeName")}</span>
      <input
        data-testid="nickname"
        maxLength={20}
        autocomplete="nickname"
        placeholder={me.value?.name ?? ""}
        value={written ?? settings.value.name}
        aria-describedby="name-hint"
        onInput={(event) => setWritten(event.currentTarget.value)}
        onChange={(event) => {
          change({ name: event.currentTarget.value.trim() });
          setWritten(null);
          introduce();
        }}
      />
      <small id="name-hint">{t("homeNameHint")}</small>
    </label>
  );
}
