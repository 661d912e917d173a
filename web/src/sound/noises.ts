// The few noises of the table, made in code: nothing to download.

import { settings } from "../state/settings";

let context: AudioContext | null = null;
let out: AudioNode | null = null;

function unlock(): void {
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume();
}

/** Browsers allow sound only after a tap, and some silence the page again behind its back. */
export function unlockSound(): void {
  window.addEventListener("pointerdown", unlock, { passive: true });
  window.addEventListener("keydown", unlock);
}

function ready(): AudioContext | null {
  return settings.value.sounds && context?.state === "running" ? context : null;
}

/** What sounds together is kept from crackling. */
function speakers(audio: AudioContext): AudioNode {
  if (out === null) {
    out = audio.createDynamicsCompressor();
    out.connect(audio.destination);
  }
  return out;
}

interface Stroke {
  /** Where the pitch begins and ends, in hertz. */
  readonly from: number;
  readonly to: number;
  /** In seconds. */
  readonly length: number;
  /** From 0 to 1. */
  readonly loud: number;
  /** Seconds from now. */
  readonly later?: number;
  readonly shape?: OscillatorType;
}

/** One stroke of a drum or a string: a tone that fades. */
function thump(audio: AudioContext, { from, to, length, loud, later = 0, shape = "sine" }: Stroke): void {
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  const begin = audio.currentTime + later;
  tone.type = shape;
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, begin + length);
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  tone.connect(gain).connect(speakers(audio));
  tone.start(begin);
  tone.stop(begin + length);
}

/** A burst of noise that fades, made once. */
function burst(audio: AudioContext): AudioBuffer {
  const frames = Math.ceil(audio.sampleRate * 0.05);
  const made = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = made.getChannelData(0);
  for (let i = 0; i < frames; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 3;
  return made;
}

let noise: AudioBuffer | null = null;

/** Wood on wood: the burst through a narrow band. */
function crack(audio: AudioContext, later: number): void {
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  const gain = audio.createGain();
  noise ??= burst(audio);
  source.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = 2400;
  gain.gain.value = 0.9;
  source.connect(band).connect(gain).connect(speakers(audio));
  source.start(audio.currentTime + later);
}

/** Notes one after another, `step` seconds apart. */
function tune(audio: AudioContext, pitches: readonly number[], step: number, later = 0): void {
  for (const [i, pitch] of pitches.entries()) {
    const length = i === pitches.length - 1 ? step * 3 : step * 1.6;
    thump(audio, { from: pitch, to: pitch * 1.01, length, loud: 0.28, later: later + i * step, shape: "triangle" });
  }
}

const BETWEEN_TILES = 0.11;

/** Tiles on the table, one clack each. */
export function clack(tiles = 1): void {
  const audio = ready();
  if (audio === null) return;
  for (let i = 0; i < tiles; i++) {
    crack(audio, i * BETWEEN_TILES);
    thump(audio, { from: 210, to: 90, length: 0.12, loud: 0.5, later: i * BETWEEN_TILES });
  }
}

/** Knuckles on wood: toc, toc. */
export function knock(): void {
  const audio = ready();
  if (audio === null) return;
  for (const later of [0, 0.13]) thump(audio, { from: 320, to: 140, length: 0.07, loud: 0.4, later });
}

/** The last tile of a hand is slammed down: a clack and a low drum. */
export function slam(): void {
  const audio = ready();
  if (audio === null) return;
  clack();
  thump(audio, { from: 140, to: 50, length: 0.35, loud: 0.7 });
}

/** The scale of the north-east, with its sharp fourth and flat seventh, up and round: lá, e lô. */
const FLOURISH = [440, 554, 622, 659, 784, 659, 880] as const;

/** The last tile fitted both ends: a flourish of the fife. */
export function flourish(): void {
  const audio = ready();
  if (audio !== null) tune(audio, FLOURISH, 0.09, 0.2);
}

const WON = [392, 494, 587, 784] as const;
const LOST = [392, 349, 294] as const;

/** A hand or a match went to one's own team, or to the others. */
export function result(won: boolean): void {
  const audio = ready();
  if (audio !== null) tune(audio, won ? WON : LOST, won ? 0.1 : 0.18, 0.2);
}

/** It is the person's turn. */
export function nudge(): void {
  const audio = ready();
  if (audio !== null) thump(audio, { from: 520, to: 660, length: 0.09, loud: 0.15 });
  vibrate(20);
}

const FANFARE = [523, 659, 784, 1047] as const;

/** A match of the person's is called: four rising strokes and three buzzes. */
export function ring(): void {
  const audio = ready();
  if (audio !== null) {
    for (const [i, pitch] of FANFARE.entries()) {
      thump(audio, { from: pitch, to: pitch * 1.02, length: 0.22, loud: 0.5, later: i * 0.14 });
    }
  }
  vibrate([200, 100, 200, 100, 200]);
}

/** Before a first tap browsers refuse, and complain about being asked. */
function vibrate(pattern: number | number[]): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
