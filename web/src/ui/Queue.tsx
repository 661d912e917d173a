// The queue for a championship: how many wait, what starts when, and the way in.

import { t, tn, type Key } from "../i18n";
import { ACCOUNT, CHAMPIONSHIPS, bracketPath, signInPath } from "../router";
import { account, nameless, signedIn } from "../state/account";
import { join } from "../state/championship";
import { SIZES, TIERS, brackets, missing, ownRunning, queue, type QueueState } from "../state/contest";
import { cut } from "../state/session";
import { Clock } from "./Clock";
import { Link } from "./Link";

export const waits = () => (queue.value?.ahead ?? null) !== null;

/** How many wait: never who. */
export function Count({ state }: { readonly state: QueueState }) {
  const { count } = state;
  return (
    <p class="queue-count" data-testid="queue-count" data-count={count}>
      <b aria-hidden="true">{cut.value ? "?" : count}</b>
      <span>{cut.value ? t("cupBack") : count === 0 ? t("cupNobody") : tn("cupCount", count)}</span>
    </p>
  );
}

/** What starts next and when, or how many are missing for it. */
export function NextStart({ state }: { readonly state: QueueState }) {
  const lacking = missing(state.count);
  return (
    <p class="queue-next" data-testid="queue-next" data-tier={state.next?.tier}>
      {state.next !== null && !cut.value && (
        <b>
          <Clock
            at={state.next.at}
            counted="cupStarts"
            soon="cupStartsSoon"
            tier={t(`tier_${state.next.tier}` satisfies Key)}
            testid="queue-clock"
          />
        </b>
      )}
      {lacking !== null && (
        <span>{tn("cupMissing", lacking.people, { tier: t(`tier_${lacking.tier}` satisfies Key) })}</span>
      )}
    </p>
  );
}

/** The three sizes, how far each is filled, and the one that starts next. */
export function Ladder({ state }: { readonly state: QueueState }) {
  return (
    <ol class="ladder">
      {TIERS.map((tier, i) => {
        const from = i === 0 ? 0 : SIZES[TIERS[i - 1] ?? "bronze"];
        const filled = Math.min(1, Math.max(0, (state.count - from) / (SIZES[tier] - from)));
        const kind = `${tier} ${filled === 1 ? "full" : ""} ${state.next?.tier === tier ? "next" : ""}`;
        return (
          <li key={tier} class={kind} data-testid={`tier-${tier}`}>
            <b class="medal" aria-hidden="true">
              {SIZES[tier]}
            </b>
            <span class="tier-name">{t(`tier_${tier}` satisfies Key)}</span>
            <small>{t("cupPeople", { n: SIZES[tier] })}</small>
            <i class="fill" aria-hidden="true">
              <i style={{ width: `${filled * 100}%` }} />
            </i>
          </li>
        );
      })}
    </ol>
  );
}

/** The one thing that can be done next: sign in, choose a name, join; or where one is already. */
export function Door() {
  const running = ownRunning(brackets.value);
  if (running !== null) {
    return (
      <Link to={bracketPath(running.id)} testid="cup-bracket" class="button primary">
        {t("cupBracket")}
      </Link>
    );
  }
  if (!signedIn.value) return <SignIn back={CHAMPIONSHIPS} />;
  if (nameless.value) {
    return (
      <Link to={ACCOUNT} testid="cup-name" class="button primary">
        {t("cupName")}
      </Link>
    );
  }
  return (
    <button type="button" class="primary" data-testid="queue-join" onClick={() => void join()}>
      {t("cupJoin")}
    </button>
  );
}

/** Leaves this page for the house's sign-in; where there is none it says so. */
export function SignIn({ back, text = "cupSignIn" }: { readonly back: string; readonly text?: Key }) {
  if (account.value !== null && account.value.provider === null) return <p class="quiet">{t("cupNone")}</p>;
  return (
    <a class="button primary" href={signInPath(back)} data-testid="sign-in">
      {t(text)}
    </a>
  );
}

/** Said wherever signing in is: nobody shall take this for the real thing. */
export function DevelopmentBanner() {
  if (account.value?.provider !== "development") return null;
  return (
    <p class="notice" role="note" data-testid="dev-banner">
      {t("devBanner")}
    </p>
  );
}
