"""Words that say nothing about a topic, by language, in lower case: articles, pronouns, prepositions, auxiliaries."""

from __future__ import annotations

STOP_WORDS: dict[str, str] = {
    "en": """
        a about above across after again against all almost along already also although always am among an and
        another any anyone anything are aren around as asp aspx at away back be became because become becomes been
        before began behind being below between both but by came can cannot com could couldn did didn do does doesn
        doing don done down during each either else enough especially etc even ever every everyone everything few
        first for former from further gave get gets give given go goes going got had hadn has hasn have haven having
        he hence her here hers herself him himself his how however htm html http https i ie if in including indeed
        instead into is isn it its itself just keep kept know known last later latter least less let like ll made
        mainly make makes making many may me means might more most mostly much must my myself near nearly need
        neither net never new next no nor not nothing now of off often on once one only onto or org other others our
        ours ourselves out over own per perhaps php put quite rather re really said same say says second see seem
        seems several shall she should shouldn since so some something sometimes soon still such take taken than
        that the their theirs them themselves then there therefore these they thing things this those though three
        through throughout thus to together too took toward towards two under until up upon us use used uses using
        usually ve very via was wasn way we well went were weren what whatever when where whereas whether which
        while who whole whom whose why will with within without won would wouldn www yes yet you your yours yourself
        yourselves""",
    "de": """
        ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus
        außer bei beim bereits bevor bin bis bist bzw da dabei dadurch dafür dagegen daher dahin damals damit danach
        daneben dann daran darauf daraus darf darin darum darunter darüber das dass davon davor dazu daß dein deine
        deinem deinen deiner dem den denen denn dennoch der deren derer des deshalb desselben dessen desto dich die
        dies diese dieselbe diesem diesen dieser dieses dir doch dort du durch dürfen eben ebenfalls ebenso eher ein
        eine einem einen einer eines einige einigen einiger einmal er erst erste ersten es etc etwa etwas euch euer
        eure fast für gab ganz gar gegen gegenüber geht gemacht genug gewesen gibt gleich hab habe haben hast hat
        hatte hatten her hier hin hinter hinzu hätte hätten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im
        immer in indem innerhalb ins inzwischen ist ja je jede jedem jeden jeder jedes jedoch jene jenem jenen jener
        jenes jetzt jeweils kam kann kannst kein keine keinem keinen keiner könne können könnte könnten lassen
        lediglich lässt machen macht man manche manchem manchen mancher mehr mehrere mein meine meinem meinen meiner
        meist meisten mich mir mit muss musste mussten möchte mögen müssen nach nachdem natürlich neben nein nicht
        nichts noch nun nur ob oben oder oft ohne per schon sehr sei seien sein seine seinem seinen seiner seines
        seit seitdem selbst sich sie sind so sobald sofern sogar solche solchem solchen solcher soll sollen sollte
        sollten somit sondern sonst soweit sowie sowohl statt trotz um und uns unser unsere unserem unseren unserer
        unter usw viel viele vielen vieler vielleicht vom von vor völlig wann war waren warum was weder weg wegen
        weil weiter weitere weiteren weiterhin welche welchem welchen welcher welches wem wen wenig weniger wenn wer
        werde werden wessen wie wieder will wir wird wirst wo wobei wodurch woher wohin wollen wollte worden wurde
        wurden während würde würden zu zudem zum zur zwar zwei zwischen über überhaupt""",
    "fr": """
        a afin ai ainsi alors après as assez au aucun aucune auquel aura auraient aurait aussi autant autre autres
        aux avaient avais avait avant avec avez avoir avons ayant beaucoup bien c car ce ceci cela celle celles
        celui cependant certain certaine certaines certains ces cet cette ceux chacun chaque chez ci combien comme
        comment contre d dans de depuis derrière des dessous dessus deux devant doit doivent donc dont du duquel
        durant dès désormais elle elles en encore enfin ensuite entre envers es est et etc eu eux faire fait fois
        font furent fut grâce hors ici il ils j jamais je jusqu jusque l la laquelle le lequel les lesquelles
        lesquels leur leurs lors lorsque lui là m ma mais malgré me mes mien mieux moi moins mon même mêmes n ne ni
        non nos notamment notre nous on ont ou outre où par parce parfois parmi pas pendant peu peut peuvent plus
        plusieurs plutôt pour pourquoi pourtant presque près puis puisque qu quand que quel quelle quelles quelque
        quelques quels qui quoi quoique s sa sans sauf se selon sera seront ses seul seulement si sien sinon soit
        sommes son sont sous souvent suis sur surtout t ta tandis tant te tel telle telles tels tes toi ton toujours
        tous tout toute toutefois toutes trop très tu un une vers via voici voilà vos votre vous vu y ça étaient
        étais était étant été être""",
    "es": """
        a acá además ahora ahí al algo alguien alguna algunas alguno algunos algún allá allí ambos ante antes aquel
        aquella aquellas aquello aquellos aquí así aun aunque aún bajo bastante bien cabe cada casi cerca cierto
        como con conmigo contigo contra cual cuales cualquier cualquiera cuando cuanto cuya cuyas cuyo cuyos cuál
        cuándo cómo da dado de debe deben debido del demás dentro desde después detrás dicho donde dos durante dónde
        e el ella ellas ello ellos embargo en encima entonces entre era eran eres es esa esas ese eso esos esta
        estaba estaban estado estamos estar estas este esto estos estoy está están etc excepto fue fuera fueron gran
        ha haber había habían hace hacen hacer hacia han has hasta hay haya he hemos hizo hubo igual incluso junto
        la las le les lo los luego me mediante menos mi mientras mis misma mismas mismo mismos mucha muchas mucho
        muchos muy más mí mía nada nadie ni ninguna ninguno ningún no nos nosotros nuestra nuestras nuestro nuestros
        nunca o os otra otras otro otros para parece parte pero poca poco pocos podía por porque primer primera
        primero pudo pueda puede pueden pues que quien quienes quién qué se sea sean según ser será serán si sido
        siempre siendo sin sino sobre sola solo somos son soy su sus suya suyo sí sólo tal tales también tampoco tan
        tanta tanto te tener tenía ti tiene tienen toda todas todavía todo todos tras través tres tu tus tuvo tú u
        un una unas uno unos usted ustedes va van varias varios veces vez y ya yo él ésta éste""",
    "it": """
        a abbia abbiamo ad ai al alcun alcuna alcune alcuni alcuno alla alle allo allora altra altre altri altro
        anche ancora anzi appena assai attraverso avendo aver avere aveva avevano avuto basta benché bene c che chi
        chiunque ci ciascuna ciascuno cioè circa ciò codesto coi col come con contro cosa così cui d da dagli dai
        dal dall dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dunque durante e ebbe
        ecc ecco ed egli ella entrambi era erano eravamo essa esse essendo esser essere essi esso fa fanno fare
        fatta fatto finché fino fra fu fuori furono già gli grazie ha hanno ho i il in infatti infine inoltre
        insieme invece io l la le lei li lo loro lui lungo là ma mai me medesimo mediante meglio meno mentre mi mia
        mie miei mio molta molte molti molto ne negli nei nel nell nella nelle nello nemmeno neppure nessun nessuna
        nessuno niente noi non nostra nostre nostri nostro nulla né o od ogni ognuno oltre oppure ora per perché
        perciò però piuttosto più po poca pochi poco poi poiché possa possono presso prima primo proprio pur pure
        può qua qual qualche qualcosa qualcuno quale quali quando quante quanti quanto quasi quegli quei quel quell
        quella quelle quelli quello quest questa queste questi questo qui quindi s saranno sarebbe sarà se secondo
        sei sembra sempre senza si sia siamo siano siete sino solo soltanto sono sopra soprattutto sotto sta stata
        state stati stato stessa stesse stessi stesso su sua subito successivamente sue sugli sui sul sull sulla
        sulle sullo suo suoi sé tale tali tanto te ti tra tranne troppo tu tua tuo tutta tuttavia tutte tutti tutto
        un una uno v va vengono verso vi via viene voi volta volte vostro è""",
    "pt": """
        a acerca agora ainda algo algum alguma algumas alguns alguém ali além ambos ante antes ao aos apenas após
        aquela aquelas aquele aqueles aqui aquilo as assim através atrás até bem cada caso cerca certa certo cima
        com como conforme contra contudo cuja cujas cujo cujos da dado das de debaixo dela delas dele deles demais
        dentro depois desde dessa dessas desse desses desta destas deste destes deve devem devido disso disto do
        dois dos duas durante e ela elas ele eles em embora enquanto entanto entre então era eram essa essas esse
        esses esta estamos estar estas estava estavam este estes esteve estive estou está estão etc eu fazem fazer
        fez foi for fora foram fosse haver havia há isso isto jamais junto já la lhe lhes lo logo longe lá mais mas
        me mediante meio menos mesma mesmas mesmo mesmos meu meus minha minhas muita muitas muito muitos na nada nas
        nem nenhum nenhuma nesse nesta neste no nos nossa nossas nosso nossos num numa nunca não nós o onde os ou outra
        outras outro outros para parte pela pelas pelo pelos per perante perto pode podem poder pois por porque
        porquê portanto porém posso pouca pouco poucos primeira primeiro própria próprio próximo quais qual qualquer
        quando quanto quantos quase que quem quer quê se seja sejam sem sempre sendo ser será serão seu seus si sido
        sob sobre somente sua suas são só tal também tampouco tanto te tem tendo ter teve tinha tinham toda todas
        todavia todo todos três tu tua tudo têm um uma umas uns vai vez vezes você vocês vos várias vários à às é""",
    "nl": """
        aan aangaande achter af al aldus alhoewel alle allebei alleen alles als alsof altijd ander andere anders
        behalve beide ben beneden bent bepaald bij bijna bijvoorbeeld binnen boven bovendien buiten daar daarbij
        daardoor daarmee daarna daarom daarop daarvan dan dat de deze die dit doch doen doet door dus echter een
        eens eerst eerste eigen elk elke en enige enkel enkele er ervan even evenals eén ge geen gehad gekund
        geleden gemaakt geweest gewoon haar had hadden heb hebben hebt heeft hem hen het hier hierbij hierdoor hij
        hoe hoewel hun hunne iemand iets ik in inmiddels is ja je jij jou jouw jullie kan kon konden kunnen laat
        later liever maar mag maken me meer meest meestal men met mij mijn minder misschien moest moesten moet
        moeten mogen na naar naast nadat net niemand niet niets nog nogal nooit nu of ofwel om omdat omhoog omtrent
        onder ondertussen ons onze ook op over overigens pas per precies reeds samen sedert sinds slechts soms
        steeds t te tegen tegenover ten ter terug terwijl tevens thans tijdens toch toe toen tot totdat tussen twee
        u uit uw vaak van vanaf vandaan vanuit vanwege veel verder verschillende via vind volgens voor vooral
        voordat vooruit vrij waar waarbij waardoor waarin waarom waarop waarvan want waren was wat we weer wel welk
        welke werd werden wie wij wil word worden wordt zal ze zeer zei zelf zelfde zelfs zich zij zijn zo zoals
        zodat zonder zou zouden zowel zulke één""",
    "ru": """
        а без более больше будет будто будут бы был была были было быть в вам вами вас ваш ваша ваше ваши вдруг ведь
        весь весьма во вокруг вообще вот впрочем все всегда всего всей всем всеми всему всех всею всю вся всякий всё
        вы г гг где д да даже два две для до другая другие другим другими других другого другое другой его ее ей ему
        если есть еще ещё ею её же за зачем здесь и из или им именно ими иногда их к каждая каждый как какая какие
        каким какой когда кого ком кому конечно которая которого которое которой котором которому которую которые
        который которым которыми которых кроме кто куда ли либо лишь лучше между меня мне много могут может можно
        мой моя мы на над надо наиболее нам нами нас наш наша не него нее ней некоторые некоторых нельзя нем
        несколько нет нею неё ни нибудь никак никогда них ничего но ну нём о об обычно один одна однако одни одно
        одного одной около он она они оно опять от откуда очень перед по под после потом потому почему почти поэтому
        при про просто против пусть раз разве с сам сама сами само самый свое своего своей свои своих свой свою себе
        себя сегодня сейчас со собой собою совсем т так такая также такие таким такими таких такого такое такой там
        твой тебе тебя тем теми теперь тех то тоб тобой тогда того тоже той только том тому тот три ту туда тут ты у
        уж уже хоть хотя чего чей чем через что чтоб чтобы чуть эта эти этим этими этих это этого этой этом этому
        этот эту я является являются""",
    "zh": """
        一 一个 一些 一样 一种 一般 上 下 不 不是 不过 与 两 两个 个 中 为 为了 主要 之
        之一 之前 之后 也 了 于 什么 从 他 他们 以 以前 以及 以后 任何 会 但 但是 作为 你
        你们 使 使得 使用 例如 做 像 关于 其 其中 其他 其实 具有 内 再 几 出 到 前 包括
        去 又 及 只 只是 只有 可 可以 可能 各 各种 同 同时 同样 后 向 吗 吧 呢 和 哪
        哪些 啊 因 因为 在 地 外 多 多少 大 太 她 她们 好 如 如何 如果 它 它们 对 对于
        将 少 就 就是 属于 已 已经 年 并 并且 应 应该 当 当时 很 很多 得 怎么 您 想 成为
        我 我们 或 或者 所 所以 所有 把 按照 日 时 时候 是 更 曾 曾经 最 月 有 来 某
        某些 根据 次 正在 此 此外 每 比 没 没有 然而 用 由 由于 的 的话 着 种 称为 第一
        等 等等 给 而 而且 能 能够 自己 虽然 被 要 让 许多 说 谁 起 过 还 还是 这 这个
        这些 这样 这里 进行 通常 通过 那 那个 那些 那样 那里 都 里 需要 非常""",
    "pl": """
        a aby ach acz aczkolwiek albo ale ależ ani aż bardziej bardzo bez bo bowiem by byli bym być był była
        było były będzie będą cali cała cały chce choć ci co cokolwiek coś czasem czego czemu czy czyli czym
        czyż dla dlaczego dlatego do dobrze dokąd dość dużo dwa dwaj dwie dzisiaj dziś gdy gdyby gdyż gdzie
        go i ich ile im inna inne inni inny innych itd itp iż ja jak jaka jaki jakie jako jakoś je jeden
        jedna jednak jedno jego jej jemu jest jestem jeszcze jeśli jeżeli już ją każda każde każdy kiedy
        kilka kto która które którego której który których którym którzy którą lecz lub ma mają mam mamy mi
        mimo między mnie mną mogą moim moja moje może można mu musi my mój na nad nam nami nas nasz nasza
        nasze natomiast nawet nic nich nie niej nim nimi niż no o obok od około on ona one oni ono oraz po
        pod podczas ponieważ powinien powinna powinno poza prawie przecież przed przede przez przy również
        sam sama się skąd sobie sobą swoje swój są ta tak taka taki takie także tam te tego tej ten też to
        tobie toteż trzeba tu tutaj twoja twoje twój ty tych tylko tym tą tę u w we według wiele wielu więc
        więcej wszyscy wszystkich wszystkie wszystko wy właśnie z za zawsze zaś ze żaden żadna żadne że żeby""",
    "tr": """
        acaba ama ancak artık aslında az bana bazen bazı belki ben benden beni benim beri bile bir biraz
        biri birkaç birlikte birçok biz bizden bizi bizim bu buna bunda bundan bunlar bunları bunların bunu
        bunun burada böyle bütün da daha dahi de demek değil diye diğer dolayı e en fakat gibi göre hala
        hangi hangisi hem henüz hep hepsi her herhangi herkes hiç hiçbir ile ilgili ise itibaren için içinde
        işte kadar karşı karşın kendi kendine kendini kez ki kim kimi kimse m mi mu mü mı nasıl ne neden
        nerede nereye neyse niye niçin o olan olarak oldu olduğu olduğunu olmak olması olsa olsun olur on
        ona ondan onlar onlardan onları onların onu onun ora oysa pek rağmen sadece sana sanki sen senden
        seni senin siz sizden sizi sizin son sonra tarafından tüm var vardır ve veya ya yani yapılan yerine
        yine yok yoksa zaten zira çok çoğu çünkü önce öyle üzere üzerinde şey şeyler şimdi şu şuna şunu
        şöyle""",
    "ar": """
        آخر أجل أحد أخرى أصبح أقل أكثر أم أما أمام أن أنا أنت أنه أنها أو أي أيضا أيها إذ إذا إلا إلى إما إن
        إنه إنها اذا الآن الا التي الذي الذين اللاتي اللواتي الى ان انه او اي ب بأن بسبب بشكل بعد بعض بل بما
        بن به بها بين تحت تكون تلك تم ثم جدا جميع حال حتى حول حيث حين خلال دون ذات ذلك رغم سواء سوف ضد ضمن
        عام عبر عدة عدم على علي عليه عليها عن عند عندما عنه عنها غير ف فإن فقد فقط فلا فى في فيه فيها قال
        قبل قد كان كانت كذلك كل كلما كما كنت كيف ل لأن لا لدى لذلك لقد لكن لكنه لم لما لن له لها لهم لو لي
        ليس ليست ما ماذا متى مثل مع معه مما من منذ منه منها مهما نحن نحو نعم نفس ها هذا هذه هل هم هن هنا
        هناك هو هي و وأن وإن والتي والذي وفي وقد وكان وكانت ولا ولكن ولم ومن وهو وهي يا يتم يجب يكون يمكن""",
    "ja": """
        一 二 三 的 者 年 月 日 時 分 今 何 中 上 下 前 後 方 等 事 物 所 為 私 俺 僕
        君 彼 彼女 自分 他 別 場合 以上 以下 以外 必要 可能 使用 使い 使う 使っ 使わ 行う 行い
        行っ 行わ 出来 思う 思っ 思い 思わ 言う 言っ 言わ 見る 見 見え 無い 良い 多い 同じ 次
        各 又 及び 或いは 例えば 全て 内 間 用 化 系 度 回 個 数 人 本 目 気 話 時間 今日
        最近 最後 最初 一番 一緒 少し 本当に 知ら 知っ 入れ 入っ 持っ 来 出 出し 行く 作っ 感じ
        考え 場所 部分 万 円""",
    "ko": """
        이 는 은 을 를 가 에 의 과 와 도 로 으로 에서 에게 한테 께서 께 부터 까지 만 마다
        처럼 보다 라고 이라고 고 하고 이나 나 라 며 면 면서 지만 거나 든지 든 도록 려고 러
        어서 아서 니까 으니 으면 으며 는데 은데 인데 던 었 았 였 겠 시 셨 습니다 습 십시오 시오 ㅂ니다 합니다
        입니다 니다 습니까 니 다 네 네요 세요 어요 아요 해요 죠 지 요 까 야 여 아 어 게 기
        음 ㅁ 인 한 할 하 해 했 된 될 되 됐 된다 한다 하는 하여 하면 있 있다 있는 없 없다
        없이 것 거 걸 수 등 및 또 또는 또한 그 그것 그리고 그러나 그래서 그런 그렇 그럼 이것
        이런 이렇 저 저것 제 내 너 우리 저희 당신 누구 무엇 뭐 어디 언제 왜 어떤 어떻 어느 들
        적 씩 쯤 정도 때 때문 위해 위한 위하 통해 대해 대한 따라 따르 관한 경우 동안 이후 이전
        다음 모든 모두 각 각각 매우 아주 너무 더 가장 잘 못 안 않 아니 아닌 같 같은 같이 다른
        다시 바로 이미 아직 지금 오늘 여기 거기 저기 이제 함께 많이 많 좀 조금 두 세 하나 둘
        번 개 명 년 월 일 분 중 후 전 간 외 말 시키 주 보 오 놓 받 라는 다는 라도 마저
        조차 밖 뿐 데 줄 바 채 듯 님 씨 건 서 군 자 엔 란 랑 으""",
}
