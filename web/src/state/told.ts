// What the house tells everybody. Who has closed it is not told it again on this device.

import { signal } from "@preact/signals";
import type { Announcement } from "../net/protocol.gen";
import { recall, remember } from "./settings";

type News = Required<Announcement>;

export const told = signal<News | null>(null);

export function onAnnouncement(news: Announcement): void {
  told.value = news.id === "" || news.id === recall("told") ? null : (news as News);
}

export function hush(): void {
  remember("told", told.value?.id ?? null);
  told.value = null;
}
