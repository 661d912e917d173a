import type { LessonWords } from "./pt";

export const es: LessonWords = {
  title: "Consejo",
  understood: "OK",
  again: "Ver el consejo",
  stop: "Sin consejos",
  stopLong: "Quitar los consejos; la partida sigue",

  do_open_double: "Sales tú: toca el {tile}",
  do_open_any: "Sales tú: toca la ficha que quieras",
  do_choose: "¿Quién sale: tú o tu pareja?",
  do_last: "Es la última: ¡{kind}, {points}!",
  do_one_fits: "Solo encaja {tile}: toca esa ficha",
  do_some_fit: "Encajan {count} fichas: toca una clara",
  do_pick_end: "Sirve en los dos lados: toca el lugar",
  do_pass: "Nada encaja: toca Paso",
  do_wait: "Turno de {name}: espera y escucha",
  do_between: "La próxima mano ya viene",
  do_over: "Se acabó: ya sabes jugar",

  tell_partner: "*{partner}*, enfrente, juega contigo contra los otros dos. Gana la mano la pareja de quien se quede primero sin fichas.",
  tell_fit: "La fila termina en *{left}* y en *{right}*. Encaja toda ficha que tenga uno de esos números; las que no, se ven oscuras.",
  tell_both_ends: "Una de tus fichas sirve en las dos puntas. Al tocarla aparecen dos lugares: tú eliges cuál quieres cerrar.",
  tell_knocked: "¿Oíste los golpes? Quien pasa no tiene *ninguno* de los números que había en las puntas. Recuérdalo: así se adivina la mano de los demás.",
  tell_call: "Quien juega canta el número que abrió: así nadie tiene que mirar de cerca, y el juego se sigue también de oído.",
  tell_going_out: "¡Estás cerca de cerrar! Una ficha común vale 1. Más valen el doble, 2; el *lá e lô*, que sirve en las dos puntas, 3; y la *cruzada*, un doble en las dos puntas, 4.",
  tell_few_left: "A alguien le queda *una ficha*. Si es del otro equipo, intenta cambiar las puntas a lo que no tiene.",
  tell_doubles: "Un doble solo entra por un número: cuesta más gastarlo. Mucha gente juega pronto los suyos.",
  tell_score: "El marcador está arriba. La primera pareja con *seis puntos* gana la partida; si los otros se quedan en cero, es buchuda.",
  tell_tie: "La mano anterior fue un empate, y por eso esta vale por *{times}*.",
  tell_block: "Cuando nadie puede jugar, la mesa se *tranca*: gana la persona con menos puntitos en la mano. Las fichas pesadas son un peligro.",
  tell_must_pass: "Ninguna ficha tuya tiene {ends}. Entonces golpeas la mesa y pasas; no se roba.",
  tell_choosing: "Ganaste la mano y eliges quién abre la próxima. ¿Tienes muchas fichas de un mismo número? Sal tú, y con él.",

  eitherEnd: "{left} ni {right}",

  doneTitle: "Lección completa",
  doneText: "Has jugado una partida entera. Lo demás se aprende en las mesas.",
  doneRules: "Leer todas las reglas",
};
