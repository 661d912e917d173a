import "../../styles/championship.css";
import "../../styles/account.css";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { ACCOUNT, CHAMPIONSHIPS } from "../../router";
import { account, eraseAccount, leaveAccount, nameless, refreshAccount, signedIn } from "../../state/account";
import { say } from "../../state/session";
import { Link } from "../../ui/Link";
import { Page } from "../../ui/Page";
import { SignIn } from "../../ui/Queue";
import { NameForm } from "./NameForm";

/** Sign-in, nickname, and everything that belongs to the person. */
export default function AccountScreen() {
  useEffect(() => void refreshAccount(), []);
  const aside = (
    <Link to={CHAMPIONSHIPS} testid="to-championships" class="button small">
      {t("cupTitle")}
    </Link>
  );
  return (
    <Page title={t(signedIn.value && nameless.value ? "accNameFirst" : "accTitle")} aside={aside} kind="account-page">
      {account.value === null ? <p class="quiet">{t("loading")}</p> : <Content />}
    </Page>
  );
}

function Content() {
  const known = account.value;
  if (!signedIn.value) {
    return (
      <section class="card">
        <p>{t("accWhy")}</p>
        <SignIn back={ACCOUNT} text={known?.provider === "development" ? "accDevelopment" : "accGoogle"} />
      </section>
    );
  }
  return (
    <>
      <section class="card">
        <NameForm name={known?.name ?? ""} first={nameless.value} />
      </section>
      <Session />
      <Data />
    </>
  );
}

async function leave(everywhere: boolean): Promise<void> {
  const code = await leaveAccount(everywhere);
  say(t(code === null ? "accSignedOut" : "fault_later"));
}

function Session() {
  return (
    <section class="card">
      <h2>{t("accSession")}</h2>
      <div class="row">
        <button type="button" data-testid="sign-out" onClick={() => void leave(false)}>
          {t("accSignOut")}
        </button>
        <button type="button" data-testid="sign-out-everywhere" onClick={() => void leave(true)}>
          {t("accEverywhere")}
        </button>
        <a class="button" href="/auth/bots" data-testid="to-bots">
          {t("accBots")}
        </a>
      </div>
    </section>
  );
}

function Data() {
  return (
    <section class="card">
      <h2>{t("accData")}</h2>
      <p class="quiet">{t("accWhy")}</p>
      <div class="row">
        <a class="button" href="/api/account/export" download data-testid="export">
          {t("accExport")}
        </a>
        <Delete />
      </div>
    </section>
  );
}

async function erase(): Promise<void> {
  const code = await eraseAccount();
  if (code === null) say(t("accDeleted"));
  else say(t(code === "IN_CHAMPIONSHIP" ? "accDeleteIn" : "fault_later"));
}

/** For good, so it takes a second word. */
function Delete() {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <button type="button" class="danger" data-testid="delete" onClick={() => setAsked(true)}>
        {t("accDelete")}
      </button>
    );
  }
  return (
    <div class="sure" role="alert">
      <p>{t("accDeleteSure")}</p>
      <button type="button" data-testid="delete-no" onClick={() => setAsked(false)}>
        {t("accDeleteNo")}
      </button>
      <button type="button" class="danger" data-testid="delete-yes" onClick={() => void erase()}>
        {t("accDeleteYes")}
      </button>
    </div>
  );
}
