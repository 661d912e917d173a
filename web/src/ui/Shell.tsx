// What is above every screen: the state of the connection, short messages.

import { t, type Key } from "../i18n";
import { signInPath } from "../router";
import { comeBack, cut, link, me, notice, shutOut, table, toast } from "../state/session";
import { told } from "../state/told";
import { offered, renew, update } from "../state/update";
import { lazily } from "./lazily";

export function Toast() {
  const message = toast.value;
  return (
    <div class="toasts" role="status" data-testid="toast">
      {message !== null && (
        <p key={message.key} class="toast">
          {message.text}
        </p>
      )}
    </div>
  );
}

const NOTICES: Readonly<Partial<Record<string, Key>>> = {
  restarting: "noticeRestarting",
  table_unreachable: "noticeUnreachable",
};

/** Loud on purpose: nobody should lose a turn to a dead connection without knowing. */
export function LinkBanner() {
  if (cut.value && link.value === "down") {
    const seated = table.value?.view.me !== undefined;
    return <Banner text={t(seated ? "linkDownSeat" : "linkDown")} testid="banner-down" />;
  }
  const key = notice.value === null ? undefined : NOTICES[notice.value];
  return key === undefined ? null : <Banner text={t(key)} testid="banner-notice" />;
}

function Banner({ text, testid }: { readonly text: string; readonly testid: string }) {
  return (
    <p class="banner" role="alert" data-testid={testid}>
      <i class="hatch" />
      <span>{text}</span>
    </p>
  );
}

/** A newer page is there; offered between hands, never in one. */
export function UpdateChip() {
  if (!offered.value) return null;
  return (
    <p class="update" role="status">
      {t("noticeNewBuild")}
      <button type="button" data-testid="update" onClick={() => void update()}>
        {t("noticeUpdate")}
      </button>
    </p>
  );
}

const Told = lazily(() => import("./Told").then((module) => module.Told), true);

/** What the house tells everybody. */
export function News() {
  return told.value === null ? null : <Told />;
}

const ENDED = {
  taken: ["linkTaken", "linkTakenHere", () => comeBack()],
  too_old: ["linkTooOld", "linkReload", () => void renew()],
  signed_out: ["linkSignedOut", "linkSignedOutAgain", () => comeBack(true)],
  shut_out: ["linkDown", "linkReload", () => comeBack()],
} as const;

const isAccount = () => me.value?.guest === false;

/** Somebody with an account has to show who they are again, or goes on as a guest. */
const signInAgain = () => location.assign(signInPath(location.pathname));
const ACCOUNT_ENDED = ["linkSignedOut", "linkSignedOutAgain", signInAgain] as const;

/** The connection is over for good: why, and the way on. */
export function LinkEnded() {
  const state = link.value;
  if (state === "up" || state === "down") return null;
  const [key, action, act] = state === "signed_out" && isAccount() ? ACCOUNT_ENDED : ENDED[state];
  const text = state === "shut_out" ? shutOut.value : t(key);
  return (
    <div class="ended" role="alertdialog" aria-label={text} data-testid={`ended-${state}`}>
      <div class="card">
        <p>{text}</p>
        <button type="button" class="primary" data-testid="ended-action" onClick={act}>
          {t(action)}
        </button>
        {act === signInAgain && (
          <button type="button" class="plain" data-testid="ended-guest" onClick={() => comeBack()}>
            {t("linkAsGuest")}
          </button>
        )}
      </div>
    </div>
  );
}
