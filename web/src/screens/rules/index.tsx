import { useEffect } from "preact/hooks";
import "../../styles/championship.css";
import "./rules.css";
import { Bunting } from "../../art/Bunting";
import { Sun } from "../../art/Sun";
import { t } from "../../i18n";
import { go, rulesPath } from "../../router";
import { startLesson } from "../../state/lesson";
import { Page } from "../../ui/Page";
import { Choice, LANGUAGE_NAMES, chooseLanguage, chosenLanguage } from "../../ui/Settings";
import { Sheet } from "../../ui/Sheet";
import { Book } from "./Book";
import { r } from "./words";

export { wordsReady } from "./words";

/** The rules as a page; `at` is where its address leads to. */
export default function RulesScreen({ at }: { readonly at: string | null }) {
  useEffect(() => {
    if (at === null) window.scrollTo(0, 0);
  }, [at]);
  return (
    <Page title={r("title")} kind="rules-page" aside={<Languages />}>
      <div class="cover rules-cover" aria-hidden="true">
        <Bunting />
        <svg class="rays" viewBox="-115 -115 230 230">
          <Sun />
        </svg>
      </div>
      <p class="rules-lead">{r("lead")}</p>
      <button type="button" class="door rules-learn" data-testid="learn" onClick={startLesson}>
        <b>{r("learn")}</b>
        <span>{r("learnHint")}</span>
      </button>
      <Book at={at} onTurn={(section) => go(rulesPath(section))} />
    </Page>
  );
}

function Languages() {
  return (
    <Choice
      label={t("homeLanguage")}
      testid="lang"
      value={chosenLanguage()}
      options={LANGUAGE_NAMES}
      onChoose={chooseLanguage}
    />
  );
}

interface SheetProps {
  readonly at: string | null;
  onClose(): void;
}

/** The same over the table: the game goes on behind it. */
export function RulesSheet({ at, onClose }: SheetProps) {
  return (
    <Sheet title={r("title")} testid="rules-sheet" onClose={onClose}>
      <Book at={at} />
    </Sheet>
  );
}
