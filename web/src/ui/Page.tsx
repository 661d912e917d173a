import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Umbrella, Wordmark } from "../art/Umbrella";
import { t } from "../i18n";
import { show } from "../state/session";
import { Link } from "./Link";
import { DevelopmentBanner } from "./Queue";

interface Props {
  readonly title: string;
  /** Beside the title, at the right. */
  readonly aside?: ComponentChildren;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** A page of paper: the mark leads home, the title, and what belongs to it. */
export function Page({ title, aside, kind = "", children }: Props) {
  useEffect(() => show(null), []);
  return (
    <div class={`page ${kind}`}>
      <header class="page-top">
        <Link to="/" testid="to-home" class="mark">
          <Umbrella />
          <Wordmark />
          <span class="unseen">{t("cupHome")}</span>
        </Link>
        {aside}
      </header>
      <main id="game">
        <DevelopmentBanner />
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
