import { t } from "../../i18n";
import { bracketPath } from "../../router";
import type { TableState } from "../../state/table";
import { Link } from "../../ui/Link";

interface Props {
  readonly state: TableState;
  readonly kind?: string;
}

/** From a championship's table to its bracket. */
export function ToBracket({ state, kind = "boxed bar-link" }: Props) {
  const { championship = "" } = state.view;
  return (
    <Link to={bracketPath(championship)} testid="to-bracket" class={kind}>
      {t("offBracket")}
    </Link>
  );
}
