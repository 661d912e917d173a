// Ids made by the client: a command keeps its id however often it is sent.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

function encoded(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomChars(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % 32)).join("");
}

/** A ULID: 48 bits of time, 80 random ones. */
export function ulid(now: number = Date.now()): string {
  return encoded(now, TIME_CHARS) + randomChars(RANDOM_CHARS);
}

/** 128 bits as a ULID writes its own: one number in 26 digits. */
export function ulidOf(bytes: Uint8Array): string {
  let rest = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let text = "";
  for (let i = 0; i < TIME_CHARS + RANDOM_CHARS; i++) {
    text = ALPHABET.charAt(Number(rest % 32n)) + text;
    rest /= 32n;
  }
  return text;
}

const TABLE_ID = /[0-9A-HJKMNP-TV-Z]{26}/;

/** The table's id in what somebody pasted: a link or the bare id. */
export function tableIdIn(text: string): string | null {
  return TABLE_ID.exec(text.trim().toUpperCase())?.[0] ?? null;
}

/** The few characters by which people tell tables apart. */
export function shortCode(table: string): string {
  return table.slice(-4);
}

const CODE = /^[A-HJ-NP-Z2-9]{6}$/;

/** What somebody typed or pasted to get to a table. */
export type Wanted = { readonly table: string } | { readonly code: string };

/** A link, a table's id, or a code with its spaces, dashes and small letters forgiven. */
export function wantedIn(text: string): Wanted | null {
  const linked = /\/m\/([^/?#\s]+)/.exec(text)?.[1];
  const code = (linked ?? text).toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (CODE.test(code)) return { code };
  const table = tableIdIn(text);
  return table === null ? null : { table };
}

/** A code as it is read out: two groups of three. */
export function spelled(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}
