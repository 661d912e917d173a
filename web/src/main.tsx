import { render, type ComponentType } from "preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import "./styles/index.css";
import { currentLang, preferred, speak, t } from "./i18n";
import { browserEnv, type Env } from "./net/env";
import { go, route, startRouter } from "./router";
import { addBytes } from "./state/bytes";
import { onHeard, startSession } from "./state/session";
import { applyLook, settings } from "./state/settings";
import { unlockSound } from "./sound/noises";
import { LinkBanner, LinkEnded, Toast, UpdateChip } from "./ui/Shell";

const HomeScreen = lazily(() => import("./screens/home"));
const CodeScreen = lazily(() => import("./screens/code"));
const TableScreen = lazily(() => import("./screens/table"));

/** A screen whose code comes when it is first shown. */
function lazily<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const loaded = signal<ComponentType<P> | null>(null);
  return (props: P) => {
    useEffect(() => {
      if (loaded.value === null) void load().then((module) => (loaded.value = module.default));
    }, []);
    const Screen = loaded.value;
    return Screen === null ? <p class="loading">{t("loading")}</p> : <Screen {...props} />;
  };
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
      {at.page === "lost" && <LostPage />}
      <Toast />
      <UpdateChip />
      <LinkEnded />
    </div>
  );
}

function LostPage() {
  return (
    <main class="lost">
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
  const [env] = await Promise.all([
    environment(),
    speak(preferred(settings.value.lang, navigator.languages)),
  ]);
  onHeard((_, state) => addBytes(state));
  startSession(env, ownBuild());
  render(<App />, document.body);
}

void begin();
