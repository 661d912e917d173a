// The few noises of the table, made in code: nothing to download.

import { settings } from "../state/settings";

let context: AudioContext | null = null;

function unlock(): void {
  context ??= new AudioContext();
  void context.resume();
}

/** Browsers allow sound only after a tap. */
export function unlockSound(): void {
  window.addEventListener("pointerdown", unlock, { once: true, passive: true });
  window.addEventListener("keydown", unlock, { once: true });
}

function ready(): AudioContext | null {
  return settings.value.sounds && context?.state === "running" ? context : null;
}

function thump(audio: AudioContext, from: number, to: number, length: number, loud: number): void {
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.exponentialRampToValueAtTime(to, now + length);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + length);
}

function crack(audio: AudioContext, pitch: number, length: number, loud: number): void {
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 3;
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = buffer;
  band.type = "bandpass";
  band.frequency.value = pitch;
  gain.gain.value = loud;
  source.connect(band).connect(gain).connect(audio.destination);
  source.start();
}

/** A tile on the table. */
export function clack(): void {
  const audio = ready();
  if (audio === null) return;
  crack(audio, 2400, 0.05, 0.9);
  thump(audio, 210, 90, 0.12, 0.5);
}

/** Knuckles on wood: toc, toc. */
export function knock(): void {
  const audio = ready();
  if (audio === null) return;
  thump(audio, 320, 140, 0.07, 0.4);
  setTimeout(() => thump(audio, 320, 140, 0.07, 0.4), 130);
}

/** A hand is won: two clacks and a low drum. */
export function slam(): void {
  const audio = ready();
  if (audio === null) return;
  clack();
  thump(audio, 140, 50, 0.35, 0.7);
}

/** It is the person's turn. */
export function nudge(): void {
  const audio = ready();
  if (audio !== null) thump(audio, 520, 660, 0.09, 0.15);
  if (settings.value.motion) navigator.vibrate?.(20);
}

const FANFARE = [523, 659, 784, 1047] as const;

/** A match of the person's is called: four rising strokes and three buzzes. */
export function ring(): void {
  const audio = ready();
  if (audio !== null) {
    for (const [i, pitch] of FANFARE.entries()) {
      setTimeout(() => thump(audio, pitch, pitch * 1.02, 0.22, 0.5), i * 140);
    }
  }
  // Before a first tap browsers refuse, and complain about being asked.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([200, 100, 200, 100, 200]);
}
