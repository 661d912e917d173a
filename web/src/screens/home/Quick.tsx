import { useEffect, useState } from "preact/hooks";
import { Umbrella } from "../../art/Umbrella";
import { t } from "../../i18n";
import { go, tablePath } from "../../router";
import { openTable, stopSearch } from "../../state/doors";
import { Sheet } from "../../ui/Sheet";

/** Longer than a search can take while the server answers. */
const LONGEST = 10_000;

function playBots(): void {
  stopSearch();
  go(tablePath(openTable({}, true)));
}

/** The wait for a table, in view, with a way out. */
export function Quick() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LONGEST);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Sheet title={t("homeQuick")} testid="quick-sheet" onClose={stopSearch}>
      <div class="searching" role="status">
        <Umbrella size={92} />
        <b>{t(late ? "quickFailed" : "quickSearching")}</b>
        <i class="fuse" aria-hidden="true" />
        <p class="quiet">{t("quickHint")}</p>
      </div>
      <div class="row">
        {late && (
          <button type="button" class="primary" data-testid="quick-bots" onClick={playBots}>
            {t("homePlayBots")}
          </button>
        )}
        <button type="button" data-testid="quick-stop" onClick={stopSearch}>
          {t("quickStop")}
        </button>
      </div>
    </Sheet>
  );
}
