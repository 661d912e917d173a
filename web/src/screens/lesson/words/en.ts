import type { LessonWords } from "./pt";

export const en: LessonWords = {
  title: "Hint",
  understood: "OK",
  again: "Show the hint",
  stop: "No hints",
  stopLong: "Stop the hints; the match goes on",

  do_open_double: "You open: tap the {tile}",
  do_open_any: "You open: tap any tile you like",
  do_choose: "Who opens: you or your partner?",
  do_last: "Your last tile: {kind}, {points}!",
  do_one_fits: "Only {tile} fits: tap it",
  do_some_fit: "{count} tiles fit: tap a bright one",
  do_pick_end: "It fits both ends: tap a place",
  do_pass: "Nothing fits: tap Pass",
  do_wait: "{name} to play: wait and listen",
  do_between: "The next hand is coming",
  do_over: "That was it: now you can play",

  tell_partner: "*{partner}*, across from you, plays with you against the other two. The hand goes to the team of whoever first runs out of tiles.",
  tell_fit: "The chain ends in *{left}* and in *{right}*. Every tile with one of these numbers fits; the others have been darkened.",
  tell_both_ends: "One of your tiles fits at both ends. When you tap it two places appear, and you choose which end to close.",
  tell_knocked: "Did you hear the knock? Who passes has *neither* of the numbers that were at the ends. Keep it in mind: that is how hands are guessed.",
  tell_call: "Who plays calls the number they have opened, so that nobody has to look closely, and the game can be followed by ear.",
  tell_going_out: "You are close to going out! An ordinary tile makes 1. Better: a double, 2; a *lá e lô*, which fits both ends, 3; and a *cruzada*, a double that fits both, 4.",
  tell_few_left: "Somebody has only *one tile* left. If they play against you, try to turn the ends into what they do not have.",
  tell_doubles: "A double can only be laid at one number, so it is harder to get rid of. Many people play theirs early.",
  tell_score: "The score is at the top. The first team with *six points* wins the match; if the others have none, it is a buchuda.",
  tell_tie: "The hand before was a tie, so this one counts *{times} times*.",
  tell_block: "When nobody can play any more the table is *blocked*: whoever has the fewest pips in hand wins. Heavy tiles are a danger.",
  tell_must_pass: "None of your tiles has a {ends}. So you knock and pass; there is nothing to draw.",
  tell_choosing: "You won the hand, so you choose who opens the next. Plenty of tiles with the same number? Open yourself, with that one.",

  eitherEnd: "{left} or a {right}",

  doneTitle: "Lesson complete",
  doneText: "You have played a whole match. The rest you learn at the tables.",
  doneRules: "Read all the rules",
};
