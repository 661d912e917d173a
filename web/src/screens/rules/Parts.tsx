// What the sections are put together from.

import type { ComponentChildren } from "preact";
import { Strong } from "../../ui/Strong";
import { r } from "./words";
import type { RuleKey } from "./words/pt";

function ruleName(rules: readonly number[]): string {
  const [first = 0, ...others] = rules;
  const last = others.at(-1);
  return last === undefined ? r("ruleNumber", { n: first }) : r("ruleNumbers", { from: first, to: last });
}

interface SayProps {
  readonly text: RuleKey;
  /** The rules that it tells, by their numbers. */
  readonly rules?: readonly number[];
}

/** A paragraph, with the small numbers of its rules. */
export function Say({ text, rules = [] }: SayProps) {
  return (
    <p data-rules={rules.join(" ")}>
      <Strong text={r(text)} />
      {rules.length > 0 && (
        <small>
          <span aria-hidden="true">{rules.map((n) => `R${n}`).join(" ")}</span>
          <span class="unseen">{ruleName(rules)}</span>
        </small>
      )}
    </p>
  );
}

interface CardProps {
  readonly title: string;
  /** A stamp at the corner. */
  readonly stamp?: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** One of several things side by side. */
export function Card({ title, stamp, kind = "", children }: CardProps) {
  return (
    <li class={`rule-card ${kind}`}>
      <h3>
        {title}
        {stamp !== undefined && <span class="stamped">{stamp}</span>}
      </h3>
      {children}
    </li>
  );
}
