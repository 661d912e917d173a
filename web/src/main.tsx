import { render, type ComponentType } from "preact";
import "./styles/index.css";
import { Umbrella } from "./art/Umbrella";
import { currentLang, preferred, speak, speakMore, t } from "./i18n";
import { browserEnv, type Env } from "./net/env";
import { go, route, startRouter } from "./router";
import { addBytes } from "./state/bytes";
import { onHeard, startSession } from "./state/session";
import { applyLook, settings } from "./state/settings";
import { startSharing } from "./state/sharing";
import { unlockSound } from "./sound/noises";
import { startSpeech } from "./sound/speech";
import { startSummons } from "./state/summons";
import { renewWhenTooOld, startWorker } from "./state/update";
import { Call } from "./ui/Call";
import { lazily } from "./ui/lazily";
import { LinkBanner, LinkEnded, News, Toast, UpdateChip } from "./ui/Shell";

const HomeScreen = lazily(async () => (await import("./screens/home")).default);
const CodeScreen = lazily(async () => (await import("./screens/code")).default);
const TableScreen = lazily(async () => (await import("./screens/table")).default);
const ChampionshipScreen = lazily(() => withMore(import("./screens/championship")));
const BracketScreen = lazily(() => withMore(import("./screens/bracket")));
const RankingScreen = lazily(() => withMore(import("./screens/ranking")));
const RulesScreen = lazily(async () => (await speaking(import("./screens/rules"))).default);
const HistoryScreen = lazily(async () => (await speaking(import("./screens/past"))).History);
const ReplayScreen = lazily(async () => (await speaking(import("./screens/past"))).Replay);
const AccountScreen = lazily(() => withMore(import("./screens/account")));

/** The pages around championships have words of their own. */
async function withMore<P extends object>(screen: Promise<{ default: ComponentType<P> }>) {
  const [module] = await Promise.all([screen, speakMore()]);
  return module.default;
}

/** Others bring theirs with them. */
async function speaking<M extends { wordsReady(): Promise<void> }>(screen: Promise<M>): Promise<M> {
  const module = await screen;
  await module.wordsReady();
  return module;
}

function App() {
  const at = route.value;
  return (
    <div class="app" data-lang={currentLang()}>
      <a class="skip" href="#game">
        {t("skipToGame")}
      </a>
      <LinkBanner />
      {at.page === "home" && <HomeScreen />}
      {at.page === "table" && <TableScreen id={at.table} />}
      {at.page === "code" && <CodeScreen code={at.code} />}
      {at.page === "championships" && <ChampionshipScreen />}
      {at.page === "bracket" && <BracketScreen id={at.championship} />}
      {at.page === "ranking" && <RankingScreen week={at.week} />}
      {at.page === "rules" && <RulesScreen at={at.at} />}
      {at.page === "history" && <HistoryScreen />}
      {at.page === "replay" && <ReplayScreen table={at.table} match={at.match} />}
      {at.page === "account" && <AccountScreen />}
      {at.page === "lost" && <LostPage />}
      <Call />
      <Toast />
      <UpdateChip />
      <News />
      <LinkEnded />
    </div>
  );
}

function LostPage() {
  return (
    <main class="lost" id="game">
      <Umbrella size={96} />
      <h1>{t("errorLost")}</h1>
      <button type="button" class="primary" data-testid="go-home" onClick={() => go("/")}>
        {t("errorHome")}
      </button>
    </main>
  );
}

/** The hash in this script's own name tells which build it is. */
function ownBuild(): string {
  return /-([\w-]{8,})\.js/.exec(new URL(import.meta.url).pathname)?.[1] ?? "dev";
}

async function environment(): Promise<Env> {
  if (import.meta.env.DEV && new URLSearchParams(location.search).has("fake")) {
    const { fakeEnv } = await import("../dev/fake/server");
    return fakeEnv();
  }
  return browserEnv();
}

async function begin(): Promise<void> {
  applyLook();
  startRouter();
  unlockSound();
  startSpeech();
  const [env] = await Promise.all([
    environment(),
    speak(preferred(settings.value.lang, navigator.languages)),
  ]);
  onHeard((_, state) => addBytes(state));
  startSummons();
  const build = ownBuild();
  startSession(env, build);
  startSharing();
  renewWhenTooOld();
  startWorker(build);
  render(<App />, document.body);
}

void begin();
