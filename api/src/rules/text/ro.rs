//! The rules in Romanian.

use crate::rules::prose::{Advice, Prose, Repetition, SetUp, Sheets, Titles};

pub(in crate::rules) const PROSE: Prose = Prose {
    sheets: Sheets {
        original: "Pliantul de călătorie, „Stratego Original”",
        duel: "Pliantul de călătorie, „Stratego Duel”",
        classic: "Foile franceză, spaniolă și română ale jocului clasic",
        original_forfeit: "Foaia grecească",
        barrage: "Practica federației, opt piese",
    },
    titles: Titles {
        aim: "Scopul jocului",
        board: "Tabla",
        setup: "Așezarea pieselor",
        moving: "Mutarea pieselor",
        battles: "Luptele",
        repetition: "Mutări repetate",
        options: "Opțiuni",
        end: "Sfârșitul partidei",
    },
    aim: &[
        "Fiecare tabără comandă o armată ale cărei grade nu sunt văzute de adversar. Câștigi dacă capturezi steagul inamic sau dacă adversarul nu mai are nicio mutare.",
    ],
    board: &[
        "Tabla are zece coloane, de la a la j, și zece rânduri, de la 1 la 10. În mijloc se află două lacuri de câte patru pătrate (c5, d5, c6, d6 și g5, h5, g6, h6); nicio piesă nu poate sta pe un lac și nu poate trece peste el.",
        "Roșu își așază piesele pe rândurile 1–4, Albastru pe rândurile 7–10; la început rândurile 5 și 6 sunt goale. Pătratele au același nume pentru ambii jucători.",
    ],
    setup: SetUp {
        army: "Numărul de piese al fiecărei tabere este {army_size}: {army}.",
        full: "Cele două armate se așază în secret, câte o piesă pe fiecare dintre cele 40 de pătrate ale celor patru rânduri proprii.",
        one_empty: "Cele două armate se așază în secret pe cele patru rânduri proprii, câte o piesă pe pătrat. Unul dintre cele 40 de pătrate rămâne gol, la alegerea jucătorului.",
        many_empty: "Cele două armate se așază în secret pe cele patru rânduri proprii, câte o piesă pe pătrat. Dintre cele 40 de pătrate, {empty} rămân goale, la alegerea jucătorului.",
        ready: "O așezare care nu lasă taberei sale nicio primă mutare este refuzată. După ce ambele armate sunt așezate, nu se mai poate schimba nimic.",
    },
    moving: &[
        "Începe Roșu, apoi taberele mută pe rând. La rândul său, jucătorul mută o singură piesă cu un pătrat înainte, înapoi sau lateral, pe un pătrat gol sau pe unul ocupat de o piesă inamică, ceea ce înseamnă un atac. Piesele nu se mută niciodată în diagonală, nu sar peste alte piese și nu stau două pe același pătrat.",
        "Bombele și steagul nu se mută niciodată.",
        "Un cercetaș poate parcurge în linie dreaptă oricâte pătrate goale și poate ataca la capătul drumului. O mutare mai lungă de un pătrat îi arată adversarului că piesa este un cercetaș.",
        "Atacul nu este niciodată obligatoriu.",
    ],
    battles: &[
        "Când o piesă atacă alta, ambele grade sunt dezvăluite. Câștigă numărul mai mare, iar piesa învinsă este scoasă de pe tablă: {order}. La grade egale sunt scoase amândouă.",
        "Atacatorul care câștigă ocupă pătratul piesei învinse; apărătorul care câștigă rămâne pe loc.",
        "Spionul învinge mareșalul dacă spionul este cel care atacă. Orice piesă care atacă un spion îl învinge, cu excepția faptului că doi spioni se elimină reciproc.",
        "Bomba elimină orice atacator și rămâne pe loc; numai minerul o dezamorsează și îi ia locul.",
        "Orice piesă care se poate mișca poate captura steagul, atacându-l.",
    ],
    repetition: Repetition {
        two_squares: "Regula celor două pătrate: o piesă poate trece peste granița dintre aceleași două pătrate vecine de cel mult {limit} ori în ture consecutive ale taberei sale. Și atacurile se numără, iar un cercetaș trece peste toate granițele din drumul său. Mutarea altei piese reia numărătoarea de la zero; mutările adversarului, nu.",
        illegal: "O mutare care ar trece granița încă o dată este refuzată și trebuie aleasă alta.",
        forfeit_turn: "O mutare care ar trece granița încă o dată duce la pierderea turei: piesa rămâne pe loc și urmează adversarul. Dacă încercarea era mai lungă de un pătrat, se știe totuși că piesa este un cercetaș. Jucătorul căruia i-au rămas numai astfel de mutări pierde.",
        more_squares: "Regula urmăririlor: jucătorul care, tură după tură, vine lângă o piesă inamică, în timp ce adversarul se tot îndepărtează, este în urmărire. O mutare de urmărire care amenință din nou o piesă inamică nu poate readuce o poziție a pieselor apărută deja în aceeași urmărire. Face excepție numai întoarcerea directă pe pătratul abia părăsit, cât timp o permite regula celor două pătrate. Un atac încheie urmărirea, iar tabăra urmărită poate repeta în voie.",
        no_more_squares: "În această variantă urmăririle mai lungi nu sunt limitate, decât dacă provocarea cere regula urmăririlor.",
    },
    options: &[
        "O provocare poate activa aceste opțiuni pentru partida ei; altfel nu se aplică niciuna. Ea poate schimba și regulile despre mutările repetate.",
        "Avantajul agresorului: la grade egale câștigă atacatorul și este scos numai apărătorul.",
        "Apărarea tăcută: într-o luptă se declară numai gradul atacatorului. Gradul apărătorului rămâne ascuns oricare ar fi rezultatul, cu excepția cazului în care atacă un cercetaș: atunci apărătorul trebuie să își dezvăluie gradul.",
        "Salvarea: când o piesă, alta decât un cercetaș, își încheie mutarea pe ultimul rând al inamicului, printr-o mutare simplă sau printr-un atac câștigat, proprietarul ei poate lua înapoi pe loc una dintre piesele sale pierdute, dar nu o bombă, și o poate pune pe orice pătrat gol din jumătatea sa de tablă (rândurile 1–5 pentru Roșu, 6–10 pentru Albastru). Fiecare tabără poate face aceasta de două ori într-o partidă, de fiecare dată cu altă piesă.",
        "Lipsa progresului: partida este remiză după un număr convenit de mutări la rând fără atac, numărând mutările ambelor tabere (între {min_plies} și {max_plies}).",
    ],
    end: &[
        "Capturarea steagului câștigă partida.",
        "Jucătorul care este la mutare și nu are nicio mutare permisă pierde; la fel și cel care nu mai are nicio piesă ce se poate mișca. Dacă niciuna dintre tabere nu poate muta, partida este remiză.",
        "Un jucător poate ceda partida, iar cei doi pot conveni remiza. Cine lasă să treacă timpul pentru mutare pierde. Dacă un jucător cedează sau depășește timpul înainte ca ambele tabere să fi mutat, partida este anulată fără rezultat.",
    ],
    advice: Advice {
        full: &[
            "Așază steagul pe ultimul rând și înconjoară-l cu bombe, astfel încât numai un miner să poată ajunge la el.",
            "Grupează câteva bombe departe de steag, ca momeală: poate că adversarul își va irosi acolo timpul și minerii.",
            "Pune puține bombe pe primul rând, unde stau în calea propriilor tale piese.",
            "Pune câțiva cercetași în față, ca să afli din timp ce ai în față; păstrează-i pe ceilalți pentru mai târziu, când tabla este liberă și pot ajunge departe.",
            "Lasă minerii pe rândurile din spate. Vei avea nevoie de ei spre sfârșit, când bombele vor fi ultima apărare a steagului inamic.",
            "Ține spionul aproape de general: dacă mareșalul inamic îți ia generalul, spionul tău poate lua mareșalul.",
            "Împarte piesele puternice între cele două flancuri, ca niciunul să nu rămână fără apărare.",
        ],
        small: &[
            "Așază steagul pe ultimul rând, cu bombele pe care le ai lângă el.",
            "Multe pătrate rămân goale, iar locul unei piese spune multe. Lasă o altă piesă singură în spate, ca momeală: cât timp nu se mișcă, ar putea fi steagul.",
            "Nu pune bombe pe primul rând; pune acolo un cercetaș, ca să afli din timp ce ai în față. Tabla este liberă și un cercetaș ajunge departe.",
            "Păstrează un miner în rezervă și nu îl schimba cu ușurință: este singura piesă care poate trece de o bombă.",
            "Ține spionul aproape de general: dacă mareșalul inamic îți ia generalul, spionul tău poate lua mareșalul.",
        ],
    },
};
