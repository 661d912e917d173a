import { sentence, t } from "../../i18n";
import { animalOf, toldName } from "../../state/names";
import { choose, myTurn } from "../../state/play";
import { locked } from "../../state/session";
import type { TableState } from "../../state/table";
import { Avatar } from "../../ui/Avatar";

/** The winner of the hand before says who opens (R5), with the new hand in view. */
export function Choose({ state }: { readonly state: TableState }) {
  const { me } = state.view;
  if (me === undefined || myTurn.value?.choosing !== true) return null;
  const partner = (me + 2) % 4;
  return (
    <section class="panel choose" aria-label={t("chooseTitle")} data-testid="choose">
      <h2>{t("chooseTitle")}</h2>
      <div class="pair">
        <button
          type="button"
          class="primary"
          data-testid="choose-me"
          aria-disabled={locked.value}
          onClick={() => choose(me)}
        >
          <Avatar animal={animalOf(state, me)} />
          {t("chooseMe")}
        </button>
        <button
          type="button"
          data-testid="choose-partner"
          aria-disabled={locked.value}
          onClick={() => choose(partner)}
        >
          <Avatar animal={animalOf(state, partner)} />
          {sentence("choosePartner", { name: toldName(state, partner) })}
        </button>
      </div>
      <p>{t("chooseHint")}</p>
    </section>
  );
}
