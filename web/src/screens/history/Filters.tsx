// Which of one's matches are shown: by partner, kind and week, all of it in the address.

import { lastWeeks } from "../../game/weeks";
import { dayAndMonth } from "../../i18n";
import type { Filter } from "../../net/past";
import type { Kind } from "../../net/protocol.gen";
import { Choice } from "../../ui/Settings";
import { p } from "../replay/words";

export const ANY: Filter = { partner: "", kind: "", week: "" };

const WEEKS = 26;
const SUNDAY = 6;
const KINDS: readonly Kind[] = ["friendly", "championship"];

export type Partners = ReadonlyMap<string, string>;

export const isAny = (filter: Filter) => searchOf(filter) === "";

export function filterOf(search: string): Filter {
  const asked = new URLSearchParams(search);
  const read = (name: string, form: RegExp) => {
    const text = asked.get(name) ?? "";
    return form.test(text) ? text : "";
  };
  return {
    partner: read("parceiro", /^[0-9A-Z]{26}$/),
    kind: KINDS.find((kind) => kind === asked.get("tipo")) ?? "",
    week: read("semana", /^\d{4}-\d\d-\d\d$/),
  };
}

export function searchOf({ partner, kind, week }: Filter): string {
  const named = Object.entries({ parceiro: partner, tipo: kind, semana: week }).filter(([, value]) => value !== "");
  return named.length === 0 ? "" : `?${new URLSearchParams(named).toString()}`;
}

interface Props {
  readonly filter: Filter;
  readonly partners: Partners;
  onChoose(filter: Filter): void;
}

export function Filters({ filter, partners, onChoose }: Props) {
  const people = new Map(partners);
  if (filter.partner !== "" && !people.has(filter.partner)) people.set(filter.partner, p("partnerChosen"));
  const weeks = lastWeeks(Date.now(), WEEKS);
  const all = filter.week === "" || weeks.includes(filter.week) ? weeks : [filter.week, ...weeks];
  return (
    <div class="filters" role="group" aria-label={p("filters")}>
      <Choice
        label={p("kind")}
        testid="kind"
        value={filter.kind === "" ? "all" : filter.kind}
        options={[
          ["all", p("kindAll")],
          ["friendly", p("kindFriendly")],
          ["championship", p("kindChampionship")],
        ]}
        onChoose={(kind) => onChoose({ ...filter, kind: kind === "all" ? "" : kind })}
      />
      <Pick
        label={p("partner")}
        testid="partner"
        value={filter.partner}
        options={[["", p("partnerAny")], ...people]}
        onChoose={(partner) => onChoose({ ...filter, partner })}
      />
      <Pick
        label={p("week")}
        testid="week"
        value={filter.week}
        options={[["", p("weekAny")], ...all.map((monday) => [monday, nameOf(monday)] as const)]}
        onChoose={(week) => onChoose({ ...filter, week })}
      />
    </div>
  );
}

const nameOf = (monday: string) => p("weekOf", { from: dayAndMonth(monday), to: dayAndMonth(monday, SUNDAY) });

interface PickProps {
  readonly label: string;
  readonly testid: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

function Pick({ label, testid, value, options, onChoose }: PickProps) {
  return (
    <label class="select">
      <span>{label}</span>
      <select data-testid={testid} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id} selected={id === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
