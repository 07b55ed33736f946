"""The ordinary words of a rule about a person, in six languages. Data only.

A sentence that is told in another project has no other words than these: a name nobody thought of (of a client, a
product, a colleague) is not among them, in capitals or not.
"""

from __future__ import annotations

ENGLISH = """
a about above absolutely accurate add advice after afternoon again agent all almost alone already
also always am an and another answer answers answering any anything apologize apologise apology are
as ask asked asking at avoid away back bad be because been before begin behind being best better
between big bit blunt bold both breaks brief briefly bullet bullets but by bye call calm can cannot
can't careful casual change changes chart charts chatty cheer cheerful clear clearly code colour
color come comes coffee comment comments commit compliment compliments concise concisely confirm
consider correct could couldn't day days deep default describe detail detailed details diagram
diagrams did different direct directly do does doesn't doing done don't down draft drafts dry during
each early easy either else emoji emojis emphasis end ending english enough especially even evening
every everything everyone exactly example examples exclamation explain explained explaining
explanation explanations explicit fast feedback few filler final find fine first flattery fluff
focus follow font for form formal format formatting found french friendly from full further general
german get give giving go going good got great greet greeting greetings grammar guess had half hand
happy hard has hate have having headings headlines help helpful here hint hints honest honestly how
however humor humour i i'd if i'll i'm important in indent informal inform input instead into
introduction is isn't it italian italics its it's i've japanese jargon joke jokes just keep kept
kind know korean language languages large late later leave left length less let letter letters level
like likes line lines links list lists literal little long longer look loud love low lower lunch
make makes mandarin many margin markdown mark marks may me mean meeting meetings message messages
metaphors metric mind mine minutes mistake mistakes mode monday more morning most much music must my
myself name names near need needs never new next nice night no nobody noise none noon not note notes
nothing now number numbers of off offer often ok okay old on once one only open opinion opinions
options or order other others otherwise out over overly own padding page paragraph paragraphs part
pause people per person phrase phrases plain plainly please points polite politely portuguese praise
precise prefer preferred prefers preamble problem problems promise pronouns proof propose
punctuation questions question quick quickly quiet quietly quote quotes rather read reading ready
real really reason reasons remember remind repeat repeating replies reply replying respond response
responses rest result results right rough rude rule rules russian same saturday say saying says
second section sections see seldom send sentence sentences serious set short shorter should
shouldn't show side simple simply since single slow slowly slang small smalltalk so some something
sometimes soon sorry source sources space spaces spanish speak speaking spell spelling standard
start starting state step steps still stop straight style sugarcoat suggest suggestion suggestions
summaries summary sunday sure swear tab table tables tabs talk talking tea technical tell terms
terse than thank thanks that the their them then there these they thing things think thinking this
those though through thursday time times tired to today together tomorrow tone too topic topics
train translate translation true try tuesday twice two type typos understand uncertain unless unsure
until up upper us use used user uses using usual usually vegetarian vegan verbose very wait want
wanted wants warn was way we wednesday week weekend weekends well were what when whenever where
whether which while who why will wish with within without won't word words work working works would
wouldn't write writing written wrong yes yesterday yet you your yours yourself friday fridays
mondays mornings evenings nights hours hour celsius fahrenheit kilometers kilometres metres meters
miles dutch chinese british american spelling dark light mode theme sarcasm irony ironic witty warm
cold objections objection disagree agree challenge push
address addressing adjective adjectives adverb adverbs analogies analogy bracket brackets bulleted
capitals cheerfully colon colons comma commas couplet couplets dash dashes drink drinks dull eat
easiest ellipsis fancy funniest funny gloomier gloomiest gloomy haiku haikus hardest hyphen hyphens
idiom idioms imperial joking limerick limericks longest lowercase metaphor metric nickname nicknames noun nouns numbered
parentheses parenthesis passive poem poems poetry pronoun proverb proverbs pun puns quiz quizzes
rhyme rhymes rhyming riddle riddles sad saddest semicolon semicolons shortest simplest singing
slogans sonnet sonnets stories story surname underline units unit uppercase verb verbs verse verses
voice worst
"""
GERMAN = """
ab aber absätze alle alles als also am an andere anders antworte antworten antwort auch auf aus
ausführlich ausführliche bei beim beispiele beispiel beispielen benutze benutzt bin bitte bist da
danach dann das dass dazu deine deinen dem den der des deutsch deutschen die dies diese direkt
direkte dir doch du durch duze duzen ehrlich ein eine einem einen einer einfach einfache emojis
emoji englisch er erkläre erklären erklärung erklärungen erst es etwas euch fasse floskeln form
formell frage fragen freundlich für ganz gar gehe gern gerne gib gut guten habe haben hasse halte
ich ihr im immer in informell ist ja jede jeden jedes kann kein keine keinen klar klare knapp knappe
kommentare kurz kurze kurzen kürzer lang lange langen langsam leise lieber liebe listen liste lob
man mag mehr mein meine meinem meinen meiner mich mir mit möchte möglichst morgens morgen abends
nach nachfragen nicht nichts nie niemals noch nur ob oder ohne punkte rede sag sage sagen satz sätze
sätzen schnell schreib schreibe schreiben schritt schritte sehr sei sein sich sie sieze siezen so
sofort sprich sprache statt stil stichpunkte stichpunkten tee kaffee tabellen ton und uns unter
vegetarisch vegan verwende viel vom von vor vorher warum was weil welche wenig weniger wenn wer wie
will wir wird wörter worte wünsche zu zuerst zum zur zusammen zusammenfassung zwei
"""
SPANISH = """
a al antes breve breves bien café cada café claro clara claras claros cómo como con conmigo corta
cortas cortos corto cuando de del después detallada detalladas directo directa dos ejemplo ejemplos
el ella ellos en entonces es esa ese eso español esta este esto explica explicaciones explicación
explícame formal frase frases gracias gusta gustan gusto hable habla háblame hablar hacia hasta
idioma inglés informal la las le lentamente lenguaje les lista listas lo los más me mejor menos mi
mis mí mucho muy nada ni no nunca o odio para paso pasos pero poco por porque prefiero pregunta
preguntas primero puedes pues que qué quiero rápido resumen respóndeme responde responder
responderme respuesta respuestas se sea sean ser si sí siempre sin sobre solo sólo son soy su sus
también te té toda todas todo todos tono trato tú tutéame un una unas unos usa usar usas usted vegetariana vegetariano y
ya yo emojis emoji tablas
"""
FRENCH = """
à ai aime ainsi alors après au aux avant avec bien bref brefs brève brèves café c'est ce ces cette
chaque clair claire claires comme comment court courte courtes courts d'abord dans de des deux
détail détails détaillée détaillées directe direct donc du en emoji emojis encore est et être
exemple exemples explication explications explique expliquer expliquez facile faire fais fait faut
français anglais formel formelle il ils j'aime j'ai je jamais j'adore j'utilise l'anglais la langue
le lentement les leur liste listes lui ma mais me même merci mes moi moins mon mots m'expliquer
n'aime n'utilise ne ni non nous on ou où par parce parle parler parlez pas peu phrase phrases plaît
plus plutôt points politesse pour pourquoi préfère question questions que quand quel quelle qui quoi
rapide réponds répondez répondre réponse réponses résumé s'il sa sans se ses si simple simples soit
son sont sois style suis sur ta tableau tableaux te thé toi ton tou toujours tous tout toutes très
tu tutoie tutoie-moi un une utilise va végétarien végétarienne veux vite vous vouvoie y
"""
# Of Chinese and Japanese, which have no words to count, these pieces; nothing else may be in a sentence.
CHINESE = """
我 你 您 请 请用 用 回答 回复 解释 说明 总是 始终 一直 永远 不要 别 不 更 喜欢 偏好 希望
想要 简短 简洁 简单 详细 直接 短 长 句子 语言 中文 英文 英语 汉语 日语 表情 符号 表情符号 列表
要点 先 再 时候 时 给 我的 的 地 得 和 或 先给 结论 例子 语气 正式 礼貌 而 不是 是 讨厌 被
称呼 叫 问题 问 一步 步骤 早上 晚上 咖啡 茶 素食 者 太 很 要 把 在 以 对 跟 说 说话 话 写
使用
"""
JAPANESE = """
私 僕 は が を に の で と も へ から まで より いつも 必ず 常に 決して 答え 答えて 返事
説明 話し 話して 日本語 英語 中国語 短く 短い 簡潔 簡潔に 簡単 簡単に 詳しく 丁寧 丁寧に 敬語
絵文字 箇条書き 結論 先に 例 例を 好き 好む 好みます 嫌い 使わ 使わない 使って ない ないで
ください 下さい して した する します です だ ほしい 欲しい 文 文章 朝 夜 コーヒー お茶 ゆっくり
直接 率直 率直に お願い お願いします 方 な 書いて 教えて まず
"""
