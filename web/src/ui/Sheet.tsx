import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";

interface Props {
  readonly title: string;
  readonly testid: string;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** A sheet over the page; the browser's own dialog keeps the focus in it and closes it by Esc. */
export function Sheet({ title, testid, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      class="sheet"
      data-testid={testid}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
    >
      <div class="sheet-body">
        <header>
          <h2>{title}</h2>
          <button
            type="button"
            class="plain"
            data-testid="sheet-close"
            onClick={() => ref.current?.close()}
          >
            {t("menuClose")}
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
