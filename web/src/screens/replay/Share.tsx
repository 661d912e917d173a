// A moment to send: its link, a picture of the table, the hand in words.

import { useState } from "preact/hooks";
import { searchFor } from "../../game/replay";
import { t } from "../../i18n";
import type { PastHand } from "../../net/protocol.gen";
import { say } from "../../state/session";
import type { TableState } from "../../state/table";
import { passOn, shared } from "../../ui/share";
import type { Player } from "./player";
import { handInWords } from "./text";
import { p } from "./words";

interface Props {
  readonly state: TableState;
  /** The table at the end of the hand. */
  readonly over: TableState;
  readonly hand: PastHand;
  readonly player: Player;
}

export function Share({ state, over, hand, player }: Props) {
  const link = new URL(searchFor(player.moment), location.href).href;
  const [text, setText] = useState<string | null>(null);
  const tell = async () => {
    const words = `${handInWords(hand, over)}\n${link}`;
    setText((await passOn({ text: words }, words, p("textCopied"))) ? null : words);
  };
  const paint = async () => {
    try {
      const { pictureOf } = await import("./picture");
      await give(await pictureOf(state, hand, player.moment.move));
    } catch {
      say(p("pictureFailed"));
    }
  };
  return (
    <section class="share">
      <h2>{p("share")}</h2>
      <label>
        <span class="unseen">{p("link")}</span>
        <input
          readonly
          class="link"
          data-testid="moment-link"
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="row">
        <button type="button" class="small" data-testid="copy-link" onClick={() => void passOn({ url: link, title: t("appTitle") }, link, p("linkCopied"))}>
          {p("copyLink")}
        </button>
        <button type="button" class="small" data-testid="share-picture" onClick={() => void paint()}>
          {p("picture")}
        </button>
        <button type="button" class="small" data-testid="share-text" onClick={() => void tell()}>
          {p("text")}
        </button>
      </div>
      {text !== null && (
        <textarea readonly rows={5} data-testid="hand-text" aria-label={p("textHere")} value={text} />
      )}
    </section>
  );
}

async function give(picture: Blob): Promise<void> {
  const file = new File([picture], "la-e-lo.png", { type: picture.type });
  if (navigator.canShare?.({ files: [file] }) && (await shared({ files: [file] }))) return;
  const address = URL.createObjectURL(picture);
  const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  say(p("pictureSaved"));
}
