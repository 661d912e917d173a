import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { codePath, tablePath } from "../../router";
import type { TableState } from "../../state/table";
import { canShare, copied, passOn } from "../../ui/share";

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

/** The table's link: to send, to copy, to be photographed. The short one, where there is a code. */
export function Invite({ state, bare = false }: { readonly state: TableState; readonly bare?: boolean }) {
  const { code: word } = state.view;
  const path = word === "" ? tablePath(state.id) : codePath(word);
  const link = new URL(path, location.href).href;
  const [code, setCode] = useState<Code | null>(null);
  useEffect(() => {
    let wanted = true;
    void codeOf(link).then((made) => wanted && setCode(made));
    return () => {
      wanted = false;
    };
  }, [link]);
  return (
    <section class="invite" aria-label={t("lobbyInvite")}>
      <div class="links">
        {!bare && <h2>{t("lobbyInvite")}</h2>}
        <input
          readonly
          class="link"
          data-testid="table-link"
          value={link}
          aria-label={t("homeJoinField")}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div class="row">
          {canShare() && (
            <button type="button" class="primary" data-testid="share" onClick={() => void passOn({ title: t("appTitle"), url: link }, link, t("lobbyCopied"))}>
              {t("lobbyShare")}
            </button>
          )}
          <button type="button" data-testid="copy" onClick={() => void copied(link, t("lobbyCopied"))}>
            {t("lobbyCopy")}
          </button>
          {word !== "" && (
            <button type="button" data-testid="copy-code" onClick={() => void copied(word, t("lobbyCodeCopied"))}>
              {t("lobbyCopyCode")}
            </button>
          )}
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
