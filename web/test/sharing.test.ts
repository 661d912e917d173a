import fc from "fast-check";
import { expect, it } from "vitest";

import { DEFAULTS, type Settings } from "../src/state/settings";
import { afterAnswer, difference, toBring } from "../src/state/sharing";

type Part = Partial<Settings>;

/** The account, as the gateway merges. */
class Account {
  kept: Part = {};

  merge({ changed = {}, otherwise = {} }: { changed?: Part; otherwise?: Part }): Part {
    this.kept = { ...otherwise, ...this.kept, ...changed };
    return this.kept;
  }
}

class Device {
  now = DEFAULTS;
  private agreed: Settings | null = null;

  set(part: Part): void {
    this.now = { ...this.now, ...part };
  }

  /** Tells the account; `meanwhile` is set before the answer is there. */
  meet(account: Account, meanwhile: Part = {}): void {
    const before = this.now;
    const answer = account.merge(toBring(before, this.agreed));
    this.set(meanwhile);
    this.agreed = { ...before, ...answer };
    this.now = afterAnswer(this.now, before, this.agreed);
  }
}

const parts: fc.Arbitrary<Part> = fc.record(
  {
    dim: fc.boolean(),
    sounds: fc.boolean(),
    theme: fc.constantFrom("auto" as const, "light" as const, "dark" as const),
    lang: fc.constantFrom("pt" as const, "es" as const, null),
  },
  { requiredKeys: [] },
);

const steps = fc.array(
  fc.record({ device: fc.nat({ max: 2 }), set: parts, meanwhile: parts, meets: fc.boolean() }),
  { maxLength: 20 },
);

it("makes all devices alike, whatever was set where and when", () => {
  fc.assert(
    fc.property(steps, (story) => {
      const account = new Account();
      const devices = [new Device(), new Device(), new Device()];
      for (const { device, set, meanwhile, meets } of story) {
        devices[device]?.set(set);
        if (meets) devices[device]?.meet(account, meanwhile);
      }
      for (let round = 0; round < 2; round++) for (const device of devices) device.meet(account);
      for (const { now } of devices) {
        expect(difference(now, devices[0]?.now ?? DEFAULTS)).toEqual({});
        expect(now).toEqual({ ...DEFAULTS, ...account.kept });
      }
    }),
  );
});

it("keeps what was set last at a device that the account knows", () => {
  fc.assert(
    fc.property(steps, parts, (story, last) => {
      const account = new Account();
      const devices = [new Device(), new Device(), new Device()];
      for (const device of devices) device.meet(account);
      for (const { device, set, meanwhile } of story) {
        devices[device]?.set(set);
        devices[device]?.meet(account, meanwhile);
      }
      for (const device of devices) device.meet(account);
      devices[1]?.meet(account);
      devices[1]?.set(last);
      devices[1]?.meet(account);
      devices[2]?.meet(account);
      expect(devices[2]?.now).toMatchObject(last);
    }),
  );
});

it("changes nothing of an account that has been set elsewhere", () => {
  fc.assert(
    fc.property(parts, parts, (known, here) => {
      const account = new Account();
      account.merge({ changed: known });
      const device = new Device();
      device.set(here);
      device.meet(account);
      expect(account.kept).toMatchObject(known);
      expect(device.now).toMatchObject(known);
    }),
  );
});

it("leaves to a device what is its own", () => {
  const named = { ...DEFAULTS, name: "Anna", voiceName: "Luciana" };
  expect(toBring(named, null)).toEqual({ otherwise: {} });
  expect(toBring(named, DEFAULTS)).toEqual({ changed: {} });
  expect(afterAnswer(named, named, { ...named, dim: false })).toEqual({ ...named, dim: false });
});
