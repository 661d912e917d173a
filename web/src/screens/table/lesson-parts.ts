// The hints of a first match; their code comes with them.

import { lazily } from "../../ui/lazily";

async function parts() {
  const lesson = await import("../lesson");
  await lesson.wordsReady();
  return lesson;
}

export const Lesson = lazily(async () => (await parts()).Lesson, true);
export const LessonDone = lazily(async () => (await parts()).LessonDone, true);
