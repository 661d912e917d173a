// The booklet of the rules, as a page of its own and in a sheet over the table.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { mayMove } from "../../state/settings";
import { rulesPath } from "../../router";
import { SECTIONS, selectorOf, type Section } from "./sections";
import { r } from "./words";

interface Props {
  /** Where to begin: a section, a rule as `r15`, or null for the top. */
  readonly at: string | null;
  /** Told which section is wanted, before it is shown. */
  onTurn?(section: string): void;
}

/** So many chapters are drawn at a time, so that no phone stands still for all of them. */
const AT_ONCE = 3;

/** How many are drawn by now. */
function useDrawn(all: boolean): number {
  const [drawn, setDrawn] = useState(AT_ONCE);
  const missing = !all && drawn < SECTIONS.length;
  useEffect(() => {
    if (!missing) return;
    const timer = setTimeout(() => setDrawn(drawn + AT_ONCE));
    return () => clearTimeout(timer);
  }, [drawn, missing]);
  return all ? SECTIONS.length : drawn;
}

export function Book({ at, onTurn }: Props) {
  const book = useRef<HTMLDivElement>(null);
  // Who may turn to any of them at once, as in a sheet or by an address, needs all of them.
  const drawn = useDrawn(at !== null || onTurn === undefined);
  useLayoutEffect(() => {
    if (at !== null) turnTo(book.current, at, false);
  }, [at]);
  const turn = (name: string) => {
    onTurn?.(name);
    turnTo(book.current, name, mayMove());
  };
  return (
    <div class={at === null ? "rule-book from-top" : "rule-book"} ref={book}>
      <nav class="rule-contents" aria-label={r("contents")}>
        <ol>
          {SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <Turn to={id} onTurn={turn}>
                {r(title)}
              </Turn>
            </li>
          ))}
        </ol>
      </nav>
      <div class="rule-sections">
        {SECTIONS.slice(0, drawn).map((section, i) => (
          <Chapter key={section.id} section={section} number={i} />
        ))}
      </div>
    </div>
  );
}

/** The headings take the focus, so that reading goes on where one has turned to. */
function turnTo(book: HTMLElement | null, name: string, smooth: boolean): void {
  const found = book?.querySelector<HTMLElement>(selectorOf(name));
  if (!found) return;
  found.scrollIntoView({ behavior: smooth ? "smooth" : "instant", block: "start" });
  const target = found.querySelector("h2") ?? found;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

interface TurnProps {
  readonly to: string;
  readonly children: string;
  onTurn(name: string): void;
}

function Turn({ to, children, onTurn }: TurnProps) {
  return (
    <a
      href={rulesPath(to)}
      data-testid={`to-rule-${to}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onTurn(to);
      }}
    >
      {children}
    </a>
  );
}

function Chapter({ section, number }: { readonly section: Section; readonly number: number }) {
  const { id, title, Body } = section;
  return (
    <section id={`regras-${id}`} class="chapter" aria-labelledby={`regras-${id}-title`}>
      <h2 id={`regras-${id}-title`}>
        {number > 0 && (
          <span class="stamped" aria-hidden="true">
            {number}
          </span>
        )}
        {r(title)}
      </h2>
      <Body />
    </section>
  );
}
