import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";

/** A part of the page whose code comes when it is first shown. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>) {
  const loaded = signal<ComponentType<P> | null>(null);
  return (props: P) => {
    useEffect(() => {
      if (loaded.value === null) void load().then((part) => (loaded.value = part));
    }, []);
    const Part = loaded.value;
    return Part === null ? <p class="loading">{t("loading")}</p> : <Part {...props} />;
  };
}
