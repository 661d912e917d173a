import { useState } from "preact/hooks";
import { Umbrella } from "../../art/Umbrella";
import { t, type Key } from "../../i18n";
import { bracketPath, go, replace, tablePath } from "../../router";
import { found, openTable } from "../../state/doors";
import { submit } from "../../state/session";
import type { FullView } from "../../state/table";
import { Link } from "../../ui/Link";
import { OptionsList } from "../../ui/Options";

/** The table is no more: why, and where to go from here. */
export function Closed({ view }: { readonly view: FullView }) {
  const { closed: why = "over", championship = "" } = view;
  return (
    <div class="ended" role="alertdialog" aria-label={t("closedTitle")} data-testid="closed">
      <div class="card">
        <Umbrella size={84} />
        <h2>{t("closedTitle")}</h2>
        <p>{t(`closed_${why}` satisfies Key)}</p>
        {championship !== "" && (
          <Link to={bracketPath(championship)} testid="closed-bracket" class="button primary">
            {t("cupBracket")}
          </Link>
        )}
        <GoHome primary={championship === ""} />
      </div>
    </div>
  );
}

/** There is nothing at this address; another table can be opened from here. */
export function Lost() {
  return (
    <main class="lost" id="game">
      <Umbrella size={96} />
      <h1>{t("errorTable")}</h1>
      <GoHome primary />
      <OpenAnother />
    </main>
  );
}

/** In place of a table where there is no place. */
export function OpenAnother() {
  return (
    <button type="button" data-testid="open-another" onClick={() => replace(tablePath(openTable({}, false)))}>
      {t("homeOpenTable")}
    </button>
  );
}

/** Who does not sit sees nothing here; so one sits down first. */
export function SeatsOnly({ id }: { readonly id: string }) {
  const known = found.value?.table === id ? found.value : null;
  const [full, setFull] = useState(false);
  const sit = async () => {
    const answer = await submit({ t: "table.sit", table: id, d: {} });
    setFull(!answer.ok && answer.refused.code === "TABLE_FULL");
  };
  return (
    <main class="lost" id="game" data-testid="seats-only">
      <Umbrella size={96} />
      <h1>{t("seatsOnly")}</h1>
      {known !== null && <OptionsList options={known.options} />}
      <button type="button" class="primary" data-testid="sit-any" onClick={() => void sit()}>
        {t("seatsOnlySit")}
      </button>
      {full && <OpenAnother />}
      <GoHome />
    </main>
  );
}

function GoHome({ primary = false }: { readonly primary?: boolean }) {
  return (
    <button type="button" class={primary ? "primary" : "plain"} data-testid="go-home" onClick={() => go("/")}>
      {t("errorHome")}
    </button>
  );
}
