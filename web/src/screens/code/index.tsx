import { useEffect, useState } from "preact/hooks";
import { Umbrella, Wordmark } from "../../art/Umbrella";
import { t } from "../../i18n";
import { replace, go, tablePath } from "../../router";
import { findCode, found } from "../../state/doors";
import { show } from "../../state/session";
import { Join } from "../../ui/Join";

/** From a code to its table; one that leads nowhere can be corrected here. */
export default function CodeScreen({ code }: { readonly code: string }) {
  const [unknown, setUnknown] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    show(null);
    setUnknown(null);
    void findCode(code).then((table) => {
      if (!wanted) return;
      if (table === null) setUnknown(code);
      else {
        found.value = table;
        replace(tablePath(table.table));
      }
    });
    return () => {
      wanted = false;
    };
  }, [code]);
  if (unknown === null) return <main class="loading" id="game">{t("loading")}</main>;
  return (
    <main class="lost" id="game">
      <Umbrella size={96} />
      <h1>
        <Wordmark />
      </h1>
      <Join key={unknown} unknown={unknown} />
      <button type="button" class="plain" data-testid="go-home" onClick={() => go("/")}>
        {t("errorHome")}
      </button>
    </main>
  );
}
