//! The rules in French.

use crate::rules::prose::{Advice, Prose, Repetition, SetUp, Sheets, Titles};

pub(in crate::rules) const PROSE: Prose = Prose {
    sheets: Sheets {
        original: "Notice de voyage, « Stratego Original »",
        duel: "Notice de voyage, « Stratego Duel »",
        classic: "Notices française, espagnole et roumaine du jeu classique",
        original_forfeit: "Notice grecque",
        barrage: "Usage de la fédération, huit pièces",
    },
    titles: Titles {
        aim: "But du jeu",
        board: "Le plateau",
        setup: "Mise en place",
        moving: "Déplacements",
        battles: "Combats",
        repetition: "Coups répétés",
        options: "Options",
        end: "Fin de la partie",
    },
    aim: &[
        "Chaque camp commande une armée dont l'adversaire ne voit pas les grades. On gagne en capturant le drapeau ennemi, ou lorsque l'adversaire ne peut plus jouer aucun coup.",
    ],
    board: &[
        "Le plateau compte dix colonnes, de a à j, et dix rangées, de 1 à 10. Au milieu se trouvent deux lacs de quatre cases chacun (c5, d5, c6, d6 et g5, h5, g6, h6) ; aucune pièce ne peut s'y arrêter ni les traverser.",
        "Rouge se place sur les rangées 1 à 4, Bleu sur les rangées 7 à 10 ; les rangées 5 et 6 sont vides au départ. Les cases portent le même nom pour les deux joueurs.",
    ],
    setup: SetUp {
        army: "Chaque camp dispose de {army_size} pièces : {army}.",
        full: "Les deux armées sont disposées en secret, une pièce sur chacune des 40 cases des quatre rangées de départ.",
        one_empty: "Les deux armées sont disposées en secret sur les quatre rangées de départ, une pièce par case. Une des 40 cases reste vide, au choix du joueur.",
        many_empty: "Les deux armées sont disposées en secret sur les quatre rangées de départ, une pièce par case. Sur les 40 cases, {empty} restent vides, au choix du joueur.",
        ready: "Une disposition qui ne laisse à son camp aucun premier coup est refusée. Une fois les deux armées en place, plus rien ne peut être changé.",
    },
    moving: &[
        "Rouge commence, puis les camps jouent à tour de rôle. À son tour, on déplace une seule pièce d'une case, en avant, en arrière ou de côté, vers une case vide ou vers une pièce ennemie, ce qui est une attaque. On ne se déplace jamais en diagonale, on ne saute par-dessus aucune pièce et deux pièces n'occupent jamais la même case.",
        "Les bombes et le drapeau ne bougent jamais.",
        "Un éclaireur peut parcourir autant de cases vides qu'il veut en ligne droite, et peut attaquer au bout de sa course. Un déplacement de plus d'une case révèle à l'adversaire qu'il s'agit d'un éclaireur.",
        "On n'est jamais obligé d'attaquer.",
    ],
    battles: &[
        "Lorsqu'une pièce en attaque une autre, les deux grades sont dévoilés. Le plus grand nombre l'emporte et le perdant est retiré : {order}. À grade égal, les deux pièces sont retirées.",
        "L'attaquant victorieux prend la place du vaincu ; le défenseur victorieux reste où il est.",
        "L'espionne bat le maréchal si c'est elle qui attaque. Toute pièce qui attaque une espionne la bat ; deux espionnes, toutefois, s'éliminent l'une l'autre.",
        "Une bombe élimine tout attaquant et reste en place ; seul le démineur la neutralise, et il prend alors sa place.",
        "Toute pièce mobile peut capturer le drapeau en l'attaquant.",
    ],
    repetition: Repetition {
        two_squares: "Règle des deux cases : une pièce peut franchir la limite entre les deux mêmes cases voisines au plus {limit} fois lors de tours consécutifs de son camp. Les attaques comptent aussi, et un éclaireur franchit toutes les limites sur son chemin. Déplacer une autre pièce remet le compte à zéro, les coups de l'adversaire non.",
        illegal: "Un coup qui la franchirait une fois de plus est refusé, et il faut en choisir un autre.",
        forfeit_turn: "Un coup qui la franchirait une fois de plus fait perdre le tour : la pièce reste où elle est et c'est à l'adversaire de jouer. Si la tentative dépassait une case, on sait néanmoins que la pièce est un éclaireur. Le joueur à qui il ne reste que de tels coups a perdu.",
        more_squares: "Règle des poursuites : le joueur qui, tour après tour, vient se placer à côté d'une pièce ennemie, tandis que l'adversaire s'écarte sans cesse, mène une poursuite. Un coup de poursuite qui menace de nouveau une pièce ennemie ne peut pas ramener une disposition des pièces déjà survenue au cours de la même poursuite. Seul le retour direct sur la case que l'on vient de quitter échappe à cette règle, dans les limites de la règle des deux cases. Une attaque met fin à la poursuite, et le camp poursuivi peut répéter ses coups librement.",
        no_more_squares: "Les poursuites plus longues ne sont pas limitées dans cette variante, sauf si le défi demande la règle des poursuites.",
    },
    options: &[
        "Un défi peut activer ces options pour sa partie ; sinon, aucune ne s'applique. Il peut aussi modifier les règles sur les coups répétés.",
        "Avantage à l'attaquant : à grade égal, l'attaquant l'emporte et seul le défenseur est retiré.",
        "Défense silencieuse : lors d'un combat, seul l'attaquant annonce son grade. Celui du défenseur reste caché quelle que soit l'issue, sauf si l'attaquant est un éclaireur : le défenseur doit alors dévoiler son grade.",
        "Sauvetage : lorsqu'une pièce autre qu'un éclaireur termine son coup sur la dernière rangée ennemie, par un simple déplacement ou par une attaque gagnée, son propriétaire peut aussitôt reprendre une de ses pièces perdues, mais pas une bombe, et la poser sur n'importe quelle case vide de sa moitié du plateau (rangées 1 à 5 pour Rouge, 6 à 10 pour Bleu). Chaque camp peut le faire deux fois par partie, chaque fois avec une pièce différente.",
        "Absence de progrès : la partie est nulle après un nombre convenu de coups de suite sans attaque, les coups des deux camps étant comptés (de {min_plies} à {max_plies}).",
    ],
    end: &[
        "La capture du drapeau gagne la partie.",
        "Le joueur qui a le trait et n'a aucun coup permis perd ; de même celui qui n'a plus aucune pièce mobile. Si aucun des deux camps ne peut jouer, la partie est nulle.",
        "Un joueur peut abandonner, et les deux peuvent convenir d'une partie nulle. Celui qui laisse passer le temps accordé pour son coup perd. Si un joueur abandonne ou dépasse son temps avant que les deux camps aient joué, la partie est annulée sans résultat.",
    ],
    advice: Advice {
        full: &[
            "Placez le drapeau sur la dernière rangée et entourez-le de bombes, afin que seul un démineur puisse l'atteindre.",
            "Regroupez quelques bombes loin du drapeau pour servir de leurre : l'adversaire y perdra peut-être du temps et des démineurs.",
            "Mettez peu de bombes en première ligne, où elles gênent vos propres pièces.",
            "Placez quelques éclaireurs devant pour découvrir tôt ce qui vous fait face ; gardez-en d'autres pour plus tard, quand le plateau est dégagé et qu'ils peuvent aller loin.",
            "Laissez les démineurs à l'arrière. Vous en aurez besoin vers la fin, quand les bombes seront la dernière protection du drapeau ennemi.",
            "Gardez l'espionne près du général : si le maréchal ennemi prend votre général, votre espionne peut prendre le maréchal.",
            "Répartissez les pièces fortes sur les deux ailes, pour qu'aucune ne soit sans défense.",
        ],
        small: &[
            "Placez le drapeau sur la dernière rangée, avec à côté de lui ce que vous avez de bombes.",
            "Beaucoup de cases restent vides, et la position d'une pièce en dit long. Laissez une autre pièce seule à l'arrière comme leurre : tant qu'elle ne bouge pas, elle pourrait être le drapeau.",
            "Ne mettez pas de bombe en première ligne ; placez-y plutôt un éclaireur, pour découvrir tôt ce qui vous fait face. Le plateau est dégagé et il va loin.",
            "Gardez un démineur en réserve et ne l'échangez pas à la légère : c'est la seule pièce qui vienne à bout d'une bombe.",
            "Gardez l'espionne près du général : si le maréchal ennemi prend votre général, votre espionne peut prendre le maréchal.",
        ],
    },
};
