//! The rules in Spanish.

use crate::rules::prose::{Advice, Prose, Repetition, SetUp, Sheets, Titles};

pub(in crate::rules) const PROSE: Prose = Prose {
    sheets: Sheets {
        original: "Folleto de viaje, «Stratego Original»",
        duel: "Folleto de viaje, «Stratego Duel»",
        classic: "Hojas francesa, española y rumana del juego clásico",
        original_forfeit: "Hoja griega",
        barrage: "Práctica de la federación, ocho piezas",
    },
    titles: Titles {
        aim: "Objetivo del juego",
        board: "El tablero",
        setup: "Colocación",
        moving: "Movimientos",
        battles: "Combates",
        repetition: "Jugadas repetidas",
        options: "Opciones",
        end: "Final de la partida",
    },
    aim: &[
        "Cada bando manda un ejército cuyos rangos el adversario no puede ver. Se gana capturando la bandera enemiga, o cuando el adversario ya no puede hacer ninguna jugada.",
    ],
    board: &[
        "El tablero tiene diez columnas, de la a a la j, y diez filas, de la 1 a la 10. En el centro hay dos lagos de cuatro casillas cada uno (c5, d5, c6, d6 y g5, h5, g6, h6); ninguna pieza puede detenerse en un lago ni atravesarlo.",
        "Rojo se coloca en las filas 1 a 4 y Azul en las filas 7 a 10; las filas 5 y 6 están vacías al principio. Las casillas se llaman igual para los dos jugadores.",
    ],
    setup: SetUp {
        army: "Cada bando tiene {army_size} piezas: {army}.",
        full: "Los dos ejércitos se colocan en secreto, una pieza en cada una de las 40 casillas de las cuatro filas propias.",
        one_empty: "Los dos ejércitos se colocan en secreto en las cuatro filas propias, una pieza por casilla. Una de las 40 casillas queda vacía, a elección del jugador.",
        many_empty: "Los dos ejércitos se colocan en secreto en las cuatro filas propias, una pieza por casilla. De las 40 casillas, {empty} quedan vacías, a elección del jugador.",
        ready: "Se rechaza una colocación que deje a su bando sin ninguna primera jugada. Cuando los dos ejércitos están colocados, ya no se puede cambiar nada.",
    },
    moving: &[
        "Empieza Rojo y después los bandos juegan por turnos. En cada turno se mueve una sola pieza, una casilla hacia delante, hacia atrás o hacia un lado, a una casilla vacía o contra una pieza enemiga, lo que es un ataque. Las piezas nunca se mueven en diagonal, nunca saltan por encima de otra y nunca comparten casilla.",
        "Las bombas y la bandera no se mueven nunca.",
        "Un explorador puede recorrer en línea recta cuantas casillas vacías quiera, y puede atacar al final de su recorrido. Un movimiento de más de una casilla revela al adversario que la pieza es un explorador.",
        "Atacar nunca es obligatorio.",
    ],
    battles: &[
        "Cuando una pieza ataca a otra, se descubren los dos rangos. Gana el número más alto y la pieza vencida se retira: {order}. Si los rangos son iguales, se retiran las dos.",
        "El atacante que vence ocupa la casilla del vencido; el defensor que vence se queda donde está.",
        "El espía vence al mariscal cuando es el espía quien ataca. Cualquier pieza que ataque a un espía lo vence, salvo que dos espías se eliminan entre sí.",
        "Una bomba elimina a todo atacante y permanece en su casilla; solo un minero la desactiva, y entonces ocupa su casilla.",
        "Cualquier pieza que pueda moverse puede capturar la bandera atacándola.",
    ],
    repetition: Repetition {
        two_squares: "Regla de las dos casillas: una pieza puede cruzar el límite entre las mismas dos casillas vecinas como máximo {limit} veces en turnos consecutivos de su bando. También cuentan los ataques, y un explorador cruza todos los límites de su recorrido. Mover otra pieza reinicia la cuenta; las jugadas del adversario, no.",
        illegal: "Se rechaza la jugada que lo cruzaría una vez más, y hay que elegir otra.",
        forfeit_turn: "La jugada que lo cruzaría una vez más hace perder el turno: la pieza se queda donde está y le toca jugar al adversario. Si el intento era de más de una casilla, se sabe de todos modos que la pieza es un explorador. El jugador al que solo le queden jugadas así pierde.",
        more_squares: "Regla de las persecuciones: el jugador que, turno tras turno, se coloca junto a una pieza enemiga mientras el adversario se va apartando está persiguiendo. Una jugada de persecución que vuelva a amenazar a una pieza enemiga no puede repetir una disposición de las piezas que ya se haya dado en la misma persecución. Solo queda exento el regreso directo a la casilla que se acaba de dejar, mientras lo permita la regla de las dos casillas. Un ataque pone fin a la persecución, y el bando perseguido puede repetir libremente.",
        no_more_squares: "En esta variante no se limitan las persecuciones más largas, salvo que el desafío pida la regla de las persecuciones.",
    },
    options: &[
        "Un desafío puede activar estas opciones para su partida; si no lo hace, no se aplica ninguna. También puede cambiar las reglas sobre jugadas repetidas.",
        "Ventaja del atacante: entre rangos iguales gana el atacante y solo se retira el defensor.",
        "Defensa silenciosa: en un combate solo se declara el rango del atacante. El del defensor permanece oculto sea cual sea el resultado, excepto cuando ataca un explorador: entonces el defensor debe descubrir su rango.",
        "Rescate: cuando una pieza que no sea un explorador termina su jugada en la última fila enemiga, con un simple movimiento o con un ataque ganado, su dueño puede recuperar en el acto una de sus piezas retiradas, pero no una bomba, y ponerla en cualquier casilla vacía de su mitad del tablero (filas 1 a 5 para Rojo, 6 a 10 para Azul). Cada bando puede hacerlo dos veces por partida, cada vez con una pieza distinta.",
        "Falta de progreso: la partida es tablas tras un número acordado de jugadas seguidas sin ataque, contando las de los dos bandos (de {min_plies} a {max_plies}).",
    ],
    end: &[
        "Quien captura la bandera gana la partida.",
        "Pierde el jugador al que le toca jugar y no tiene ninguna jugada permitida; también el que ya no tiene ninguna pieza capaz de moverse. Si ningún bando puede mover, la partida es tablas.",
        "Un jugador puede rendirse, y los dos pueden acordar tablas. Pierde quien deje pasar el tiempo para su jugada. Si un jugador se rinde o agota su tiempo antes de que hayan movido los dos bandos, la partida se anula sin resultado.",
    ],
    advice: Advice {
        full: &[
            "Coloca la bandera en la última fila y rodéala de bombas, para que solo un minero pueda llegar hasta ella.",
            "Agrupa algunas bombas lejos de la bandera como señuelo: quizá el adversario gaste allí tiempo y mineros.",
            "Pon pocas bombas en primera línea, donde estorban a tus propias piezas.",
            "Pon algunos exploradores delante para averiguar pronto qué tienes enfrente; guarda otros para más tarde, cuando el tablero esté despejado y puedan llegar lejos.",
            "Deja los mineros en las filas de atrás. Los necesitarás hacia el final, cuando las bombas sean lo único que proteja la bandera enemiga.",
            "Mantén al espía cerca del general: si el mariscal enemigo captura a tu general, tu espía puede capturar al mariscal.",
            "Reparte las piezas fuertes entre los dos flancos, para que ninguno quede indefenso.",
        ],
        small: &[
            "Coloca la bandera en la última fila, con las bombas que tengas a su lado.",
            "Muchas casillas quedan vacías, y el lugar de una pieza dice mucho. Deja otra pieza sola atrás como señuelo: mientras no se mueva, podría ser la bandera.",
            "No pongas bombas en primera línea; pon allí un explorador para averiguar pronto qué tienes enfrente. El tablero está despejado y un explorador llega lejos.",
            "Reserva un minero y no lo cambies a la ligera: es la única pieza que puede con una bomba.",
            "Mantén al espía cerca del general: si el mariscal enemigo captura a tu general, tu espía puede capturar al mariscal.",
        ],
    },
};
