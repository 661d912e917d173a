// A picture of the table at a moment: an SVG of our own, colours and all, painted on a canvas.

import { aim, usable } from "../../game/camera";
import { boxAround, gridFor, layOut, slotAt } from "../../game/layout";
import { situationAt } from "../../game/replay";
import { t } from "../../i18n";
import type { PastHand, Tile } from "../../net/protocol.gen";
import { pastName } from "../../state/past";
import type { TableState } from "../../state/table";
import { spots } from "../../ui/TileFace";
import { p } from "./words";
import { endTold, moveTold } from "./telling";

const WIDTH = 1200;
const HEIGHT = 1200;
const CLOTH = { x: 36, y: 196, width: WIDTH - 72, height: 600 };
const INK = "#1d1511";
const PAPER = "#f7ecd4";
const IVORY = "#fffaec";
const CLAY = "#8f3a1b";
const LINE = "#b4552c";
const TEAMS = ["#1d5ea8", "#c4202f"] as const;
const DISPLAY = "Rockwell, 'Roboto Slab', 'Bookman Old Style', 'URW Bookman', Georgia, 'DejaVu Serif', serif";

interface Lying {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly lying?: boolean;
  readonly face?: string;
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

function tile([a, b]: Tile, { x, y, scale, lying = false, face = IVORY }: Lying): string {
  const pips = ([[a, -0.5], [b, 0.5]] as const).flatMap(([number, middle]) =>
    spots(number).map(([dx, dy]) => `<circle cx="${dx}" cy="${middle + dy}" r=".105"/>`),
  );
  return `<g transform="translate(${x} ${y}) scale(${scale})${lying ? " rotate(-90)" : ""}" fill="${INK}">
<rect x="${lying ? -0.56 : -0.44}" y="-.94" width="1" height="2" rx=".13"/>
<rect x="-.47" y="-.97" width=".94" height="1.94" rx=".13" fill="${face}" stroke="${INK}" stroke-width=".06"/>
<path d="M-.36 0H.36" stroke="${INK}" stroke-width=".05"/>${pips.join("")}</g>`;
}

function line(text: string, x: number, y: number, size: number, more = ""): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="${DISPLAY}" font-weight="700" ${more}>${escaped(text)}</text>`;
}

function board({ view }: TableState): string {
  const area = usable(CLOTH);
  const grid = gridFor(area.width, area.height);
  const layout = layOut(grid, view.chain, view.opened);
  const ends = view.chain.length > 0 ? [slotAt(grid, layout, "left"), slotAt(grid, layout, "right")] : [];
  const camera = aim(CLOTH, boxAround([...layout.tiles, ...ends]), {});
  const newest = view.last_end === "left" ? 0 : layout.tiles.length - 1;
  const tiles = layout.tiles.map(({ x, y, lying, a, b }, i) =>
    tile([a, b], {
      x: CLOTH.x + camera.x + x * camera.scale,
      y: CLOTH.y + camera.y + y * camera.scale,
      scale: camera.scale,
      lying,
      face: i === newest ? "#ffe8a3" : IVORY,
    }),
  );
  const { x, y, width, height } = CLOTH;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="16" fill="${CLAY}" stroke="${INK}" stroke-width="4"/>
<rect x="${x + 12}" y="${y + 12}" width="${width - 24}" height="${height - 24}" rx="8" fill="none" stroke="${LINE}" stroke-width="3" stroke-dasharray="14 8"/>${tiles.join("")}`;
}

/** The four hands below the table, in the order of play. */
function hands(state: TableState, held: readonly (readonly Tile[])[]): string {
  return held
    .map((tiles, seat) => {
      const [x, y] = [36 + (seat % 2) * 576, 826 + Math.floor(seat / 2) * 186];
      const row = tiles.map((one, i) => tile(one, { x: x + 24 + i * 64, y: y + 92, scale: 44 }));
      const mark = seat % 2 === 0 ? `<circle cx="${x + 12}" cy="${y + 14}" r="10"` : `<rect x="${x + 2}" y="${y + 4}" width="20" height="20"`;
      return `${mark} fill="${TEAMS[seat % 2]}" stroke="${INK}" stroke-width="3"/>${line(pastName(state, seat), x + 34, y + 24, 28)}${row.join("")}`;
    })
    .join("");
}

function scores({ view }: TableState): string {
  const cell = (team: 0 | 1) =>
    `<rect x="${WIDTH - 236 + team * 100}" y="40" width="100" height="76" fill="${TEAMS[team]}" stroke="${INK}" stroke-width="4"/>${line(String(view.scores[team]), WIDTH - 186 + team * 100, 97, 56, 'text-anchor="middle" fill="#fff"')}`;
  return cell(0) + cell(1);
}

/** The picture as a text. Nobody is "you" in it. */
export function drawing(shown: TableState, hand: PastHand, move: number): string {
  const { me: _, ...view } = shown.view;
  const state: TableState = { ...shown, view };
  const now = hand.moves[move - 1];
  const news = [now === undefined ? p("dealt") : moveTold(now, state), view.hand_end === undefined ? "" : endTold(view.hand_end, state)];
  const words = news.filter((part) => part !== "").join(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" fill="${INK}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAPER}"/>
${line("Lá e Lô", 36, 104, 84)}${line(`${t("talkHand", { n: hand.number })} · ${p("at", { n: move, all: hand.moves.length })}`, 400, 68, 28)}${line(location.host, 400, 108, 28, 'fill="#5a463a"')}
${scores(state)}${line(words, 36, 168, words.length > 64 ? 26 : 32)}
${board(state)}${hands(state, situationAt(hand, move).hands)}</svg>`;
}

/** The same as PNG. Fails where there is no canvas. */
export async function pictureOf(state: TableState, hand: PastHand, move: number): Promise<Blob> {
  const image = new Image(WIDTH, HEIGHT);
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing(state, hand, move))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob === null) throw new Error("nothing was painted");
  return blob;
}
