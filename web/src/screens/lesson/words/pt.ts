// What is told in the first match; *stars* make a word strong. The source of the other languages.

export const pt = {
  title: "Dica",
  understood: "OK",
  again: "Ver a dica",
  stop: "Sem dicas",
  stopLong: "Parar as dicas; a partida continua",

  do_open_double: "Você sai: toque na {tile}",
  do_open_any: "Você sai: toque na pedra que quiser",
  do_choose: "Quem sai: você ou o parceiro?",
  do_last: "É a última: {kind}, {points}!",
  do_one_fits: "Só a {tile} encaixa: toque nela",
  do_some_fit: "{count} pedras encaixam: toque numa clara",
  do_pick_end: "Serve nos dois lados: toque no lugar",
  do_pass: "Nada encaixa: toque em Passo",
  do_wait: "Vez de {name}: espere e escute",
  do_between: "A próxima mão já vem",
  do_over: "Acabou: agora você sabe jogar",

  tell_partner: "*{partner}*, na sua frente, joga com você contra os outros dois. Ganha a mão a dupla de quem acabar primeiro as suas pedras.",
  tell_fit: "A fileira termina em *{left}* e em *{right}*. Encaixa toda pedra que tem um desses números; as que não têm ficaram escuras.",
  tell_both_ends: "Uma das suas pedras serve nas duas pontas. Quando tocar nela, aparecem dois lugares: você escolhe o que quer fechar.",
  tell_knocked: "Ouviu as batidas? Quem passa não tem *nenhum* dos números que estavam nas pontas. Guarde isso: é assim que se adivinha a mão dos outros.",
  tell_call: "Quem joga canta o número que abriu. Branco, pio, duque, terno, quadra, quina, sena: do zero ao seis.",
  tell_going_out: "Está perto de bater! Pedra comum vale 1. Mais valem a carroça, 2; o *lá e lô*, que serve nas duas pontas, 3; e a *cruzada*, carroça nas duas pontas, 4.",
  tell_few_left: "Alguém só tem *uma pedra*. Se for adversário, tente mudar as pontas para o que ele não tem.",
  tell_doubles: "Carroça só entra por um número: é mais difícil de gastar. Muita gente joga logo as suas.",
  tell_score: "O placar está no alto. A primeira dupla com *seis pontos* ganha a partida; se os outros ficarem no zero, é buchuda.",
  tell_tie: "A mão anterior empatou, e por isso esta vale *{times} vezes*.",
  tell_block: "Quando ninguém mais pode jogar, a mesa *tranca*: ganha a pessoa com menos pontinhos na mão. Pedras pesadas são um perigo.",
  tell_must_pass: "Nenhuma pedra sua tem {ends}. Então você bate na mesa e passa; não se compra pedra.",
  tell_choosing: "Você ganhou a mão e escolhe quem abre a próxima. Tem bastante pedra de um número só? Saia você, e com ele.",

  eitherEnd: "{left} nem {right}",

  doneTitle: "Lição completa",
  doneText: "Você jogou uma partida inteira. O resto vem com as mesas.",
  doneRules: "Ler todas as regras",
};

export type LessonKey = keyof typeof pt;
export type LessonWords = Readonly<Record<LessonKey, string>>;
