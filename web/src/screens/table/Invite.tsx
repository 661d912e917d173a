import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { tablePath } from "../../router";
import { say } from "../../state/session";

interface Code {
  readonly size: number;
  readonly path: string;
}

/** The QR code of a text as one path of squares; its code is loaded when it is wanted. */
async function codeOf(text: string): Promise<Code> {
  const { encode } = await import("uqr");
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: squares.join("") };
}

/** The table's link: to send, to copy, to be photographed. */
export function Invite({ table }: { readonly table: string }) {
  const link = new URL(tablePath(table), location.href).href;
  const [code, setCode] = useState<Code | null>(null);
  useEffect(() => {
    let wanted = true;
    void codeOf(link).then((made) => wanted && setCode(made));
    return () => {
      wanted = false;
    };
  }, [link]);
  const share = "share" in navigator;
  return (
    <section class="invite" aria-label={t("lobbyInvite")}>
      <div class="links">
        <h2>{t("lobbyInvite")}</h2>
        <input
          readonly
          class="link"
          data-testid="table-link"
          value={link}
          aria-label={t("homeJoinField")}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div class="row">
          {share && (
            <button type="button" data-testid="share" onClick={() => void navigator.share({ url: link }).catch(() => {})}>
              {t("lobbyShare")}
            </button>
          )}
          <button type="button" data-testid="copy" onClick={() => void copy(link)}>
            {t("lobbyCopy")}
          </button>
        </div>
      </div>
      {code !== null && (
        <svg
          class="qr"
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label={t("lobbyQr")}
          shape-rendering="crispEdges"
        >
          <path d={code.path} />
        </svg>
      )}
    </section>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or no secure context: the field is there to be copied by hand.
    document.querySelector<HTMLInputElement>("input.link")?.select();
    return;
  }
  say(t("lobbyCopied"));
}
