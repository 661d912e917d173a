import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Options } from "../../net/protocol.gen";
import { go, tablePath } from "../../router";
import { openTable } from "../../state/doors";
import { OptionsForm } from "../../ui/Options";
import { Sheet } from "../../ui/Sheet";

/** How the new table shall be. */
export function Create({ onClose }: { onClose(): void }) {
  const [options, setOptions] = useState<Options>({});
  return (
    <Sheet title={t("optTitle")} testid="create-sheet" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          go(tablePath(openTable(options, false)));
        }}
      >
        <OptionsForm options={options} onChange={setOptions} />
        <button type="submit" class="primary big" data-testid="create-go">
          {t("optOpen")}
        </button>
      </form>
    </Sheet>
  );
}
