import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { t } from "../i18n";
import { update } from "../state/update";

/**
 * A part of the page whose code comes when it is first shown. If it does not come, there is no
 * connection or the page was replaced by a newer one: both are mended by loading it again.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, aside = false) {
  const loaded = signal<ComponentType<P> | "failed" | null>(null);
  const begin = () => {
    loaded.value = null;
    load().then(
      (part) => (loaded.value = part),
      () => (loaded.value = "failed"),
    );
  };
  return (props: P) => {
    useLayoutEffect(() => {
      if (typeof loaded.value !== "function") begin();
    }, []);
    const Part = loaded.value;
    if (Part === "failed") return <Failed aside={aside} />;
    if (Part === null && aside) return null;
    if (Part === null) return <main class="loading" id="game">{t("loading")}</main>;
    return <Part {...props} />;
  };
}

function Failed({ aside }: { readonly aside: boolean }) {
  return (
    <div class={aside ? "part-lost" : "lost"} role="alert">
      <p>{t("loadFailed")}</p>
      <button type="button" class="primary" data-testid="load-again" onClick={() => void update()}>
        {t("linkReload")}
      </button>
    </div>
  );
}
