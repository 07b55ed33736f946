"""The ordinary words of a rule about a person, in six languages. Data only.

A sentence that is told in another project has no other words than these: a name nobody thought of (of a client, a
product, a colleague) is not among them, in capitals or not.
"""

from __future__ import annotations

ENGLISH = """
a abandon abbreviate abbreviation ability able aboard about above abridge abroad abruptly absent
absolute absolutely absorb abstain abstract absurd accent accept acceptable acceptance accessible
accident accidental accompany accomplish according accordingly accuracy accurate accurately ache
achieve achievement acknowledge acquaintance acquire acronym across act active actor actress actual
actually adapt add additional additionally address addressing adequate adjective adjectives adjust
admire admit adopt adorable adore adult adulthood advance advanced advantage adventure adventurous
adverb adverbs advice advise affect affection affectionate afford afraid after afternoon afterward
afterwards again against age agent aggressive ago agree agreement ah aha ahead aid aim ain't air
airplane alarm alcohol alert alike alive all allergic allergy alley allow almond almost alone along
alongside aloud already alright also alter alternative although altogether always am amateur amaze
amazement amazing ambiguity ambition ambitious american amid among amongst amount ample amuse amused
amusement amusing an analogies analogy analyse analyze ancient and anecdote anger angle angrily
angry animal ankle anniversary announce announcement annoy annoyance annoyed annoying annual
annually anonymous another answer answering answers ant anticipate antonym anxiety anxious any
anybody anyhow anymore anyone anything anyway anyways anywhere apart apartment apologise apologize
apology apostrophe apparent apparently appeal appear appetite applaud apple apply appointment
appreciate approach appropriate approval approve approximate approximately april apron arabic are
area aren't argue argument arise arithmetic arm around arrange arrival arrive arrogance arrogant art
article artificial artist as ashamed aside ask asked asking asleep aspect assertion assertive assess
assign assist assistant assume assumption assure asterisk astonish astonishment at attach attempt
attend attention attentive attic attitude attract attractive audience august aunt auntie authentic
author automatic automatically autumn available average avoid await awake awaken aware away awe
awful awfully awkward axe aye babble baby babysitter back backache background backpack backward
backwards bacon bad badly bag bagel baguette bake baker bakery balance balcony bald ball ballet
balloon banana band bang banter bar barbecue bare barefoot barely bargain bark barley base basement
basic basically basket basketball bat bath bathe bathroom bathtub be beach bean bear beard beast
beat beautiful beauty because become bed bedroom bedtime bee beef been beer before beforehand beg
begin beginner beginning behave behavior behaviour behind being belief believe belly belong beloved
below belt bench bend beneath beneficial benefit beside besides best bet better between beyond bias
bicycle big bike bilingual billion bin bind biography biology bird birth birthday biscuit bit bite
bitter bizarre blab black blackboard blame bland blank blanket bleak blend bless blind blindness
blink bliss block blood bloom blossom blouse blow blue blueberry blues blunder blunt bluntly
bluntness blush board boast boat body boil boiled bold boldly bone book bookcase bookshelf bookshop
boot bored boredom boring born borrow boss bossy both bother bottle bottom bounce boundary bow bowl
boy boyfriend bracket brackets brain brave bravery bravo bread break breakfast breaks breath breathe
breed breeze breezy brevity brick bride bridge brief briefly bright brightly brilliant bring brisk
briskly british broad broadly broken bronze brook broom brother brown bruise brunch brush bucket
buddy build bulb bulgarian bullet bulleted bullets bully bump bumpy bun bunch bundle bunny burger
burn burnout bury bus bush busy but butcher butter butterfly button buy buzzword by bye cab cabbage
cabin cabinet cafe cake calculate calendar call calm calmly calorie camera camp can can't cancel
candid candidly candle candy cannot canvas cap capable capitalise capitalize capitals captain
caption car card cardboard care career careful carefully careless carpet carrot carry cartoon carve
case cash castle casual casually cat catch cause cautious cave caveat cease ceiling celebrate
celebration celsius cent center central centre century cereal certain certainly certainty chair
challenge chance change changes chaos chapter character charge charming chart charts chase chat
chatter chatty cheap cheat check checkup cheek cheekily cheeky cheer cheerful cheerfully cheerily
cheers cheese cheesy chemist chemistry cherish cherry chess chest chew chick chicken chief chiefly
child childhood childish children chilli chilly chimney chin chinese chirpy chitchat chocolate
choice choke choose choosy chop chore chorus christmas chuckle church ciao cinema cinnamon circle
cite city civil claim clap clarification clarify clarity class classic classmate classroom clause
clean cleaner cleanliness clear clearly clever click climate climb clock close closed closely cloth
clothes clothing cloud cloudy clown clumsily clumsy clutter coach coal coarse coast coat cocoa
coconut coddle code coffee coherence coin coincidence cold coldly coldness collapse collar colleague
collect collection college colloquial colon colons color colorful colour colour-blind colourful
column comb combine come comedian comedy comes comfort comfortable comfortably comic comma command
commas comment comments commit common commonly communicate community compact companion company
compare comparison compass compassion compassionate compete competent complain complaint complete
completely completeness complex complexity complicate compliment compliments compose comprehensive
compress compromise compulsory computer con conceal conceited concentrate concept concern concerning
concert concise concisely conciseness conclusion condense condescending condition confess confidence
confident confidential confirm confuse confused confusion congratulate conjugate conjunction connect
connection conscience conscious consent consequence consequently consider considerate consist
consistency consistent consistently consonant constant constantly consult consume contact contain
contempt content context continually continue continuously contradict contrary contrast contribute
control convenient conventional conversation converse convert convey conviction convince cook cookie
cooking cool cope copy cordial core corn corner corny correct correction correctly correctness cost
costume cosy cottage cotton couch cough could could've couldn't count country countryside couple
couplet couplets courage courageous course court courteous courtesy cousin cover cow cozy crack
cracker crafty crash crave crawl crayon crazy cream creamy create creative creature credible creep
cricket crisis crisp crisply crisps critical criticise criticism criticize critique croatian crochet
crooked cross crossroads crossword crow crowd crowded crucial crude cruel crumb crumble crunchy
crush crutch cry cucumber cuddle cuddly cup cupboard cure curiosity curious curly current currently
curry curse curt curtain curtly curtness curve cushion custom cut cute cycle cyclist cynical czech
dad daddy daft daily dairy damage damp dance dancer danger dangerous danish dare daren't daring dark
darling dash dashes date daughter dawn day daybreak daylight days daytime dead deadline deadpan deaf
deafness deal dear death debate decade decaf december decent decide decision decisive declaration
declare decline decorate decrease deed deep deeply deer default defeat defend define definite
definitely definition degree delay deliberate deliberately delicate delicately delicious delight
delighted delightful deliver demand demonstrate denial dense dentist deny depart departure depend
dependent depression depth describe description desert deserve design desire desk despair desperate
despite dessert destination destiny detail detailed details detect determine determined detest
develop devote diagram diagrams dialect dialogue diary dice dictate dictionary did didn't die diet
differ different differently difficult difficulty dig digest digit dignified dignity digression
diligent dim dine dinner dinnertime dip diplomatic direct direction directly dirt dirty disadvantage
disagree disagreement disappear disappoint disappointed disappointment disapproval disapprove
disaster disclaimer discourage discover discreet discreetly discretion discuss discussion disease
disgust dish dishonest dishwasher dislike dismiss disobey disorder display dispute disrespect
distance distant distinct distinguish distract disturb dive diverse divide divorced dizziness dizzy
do doctor does doesn't dog doing doll dollar dolphin don't done donkey donut door doorbell doorstep
doorway dot double doubt doubtful dough doughnut dour down down-to-earth downright downstairs
downward doze dozen dr draft drafts drag dragon drama draw drawback drawer drawing dread dreadful
dream dreamer dreamy dreary dress drift drily drink drinks drive driver drizzle drop drown drowsy
drum dry dryly dual duck dude due duet dull dumb dump dunno duration during dusk dust duster dusty
dutch duty dwell each eager eagerly eagerness eagle ear earache early earn earnest earth ease
easiest easily east easter eastern easy easygoing eat eccentric echo edge educate education effect
efficient effort egg eight eighteen eighth eighty either elaborate elbow elderly elegant elephant
elevator eleven eleventh eliminate ellipsis eloquent else elsewhere email embarrass embarrassed
embarrassment embrace embroider emergency emoji emojis emotion emotional emotionally empathetic
empathy emphasis emphasise emphasize empty enable encourage encouragement encyclopedia end ending
endless endlessly endure energetic energy engage engagement english enjoy enormous enormously enough
enquire ensure enter entertain enthusiasm enthusiastic entire entirely envelope envy equal equality
equally era eraser errand error escape especially essay essence essential essentially establish
estimate ethical etiquette euphemism euro evaluate even evening evenings evenly event eventually
ever every everybody everyday everyone everything everywhere evidence evident evil ex exact exactly
exaggerate exam examine example examples excellent except exception excessive exchange excite
excited excitement exciting exclaim exclamation exclude exclusive exclusively excuse exercise
exhaust exhausted exist existence exotic expand expect expensive experience experienced experiment
expert expertise explain explained explaining explanation explanations expletive explicit explore
express extend extent external extra extreme extremely extrovert eye eyebrow fable fabric face fact
fade fahrenheit fail failure faint fair fairly faith faithful faithfully fake fall false familiar
family famous fan fancy fantastic far farewell farm farmer fascinate fashion fashionable fast fasten
fat fatal fate father fatigue fault favor favorite favour favourite fear feast feather feature
february fed feeble feed feedback feel feeling feet fellow female feminine fence festival fetch
fever few fiction field fierce fifteen fifth fifty fig fight figure fill filler film final finally
find fine finger finish finnish fire fireplace fireworks firm firmly firmness first first-person
firstly fish fist fit fitness five fix flame flap flash flashcard flat flatly flatmate flatter
flattery flavor flavour flaw flawless flee flexible flick flinch flip float flood floor flour flow
flower flowery flu fluent fluently fluff fluffy flute fly focus fog foggy fold folk folks folksy
follow fond font food fool foolish foot football footnote for forbid force forecast forehead foreign
foreigner forename forest forever forget forgetful forgive forgiveness fork form formal formality
formally format formatting former formerly formulaic forthright fortnight fortunate fortunately
fortune forty forward forwards found four fourteen fourth fox fragile frame frank frankly free
freedom freely freeze freezer freezing french frequent frequently fresh freshly friday fridays
fridge fried friend friendly friendship fries fright frighten frightening frog from front frost
frosty frown frozen fruit frustrate frustrated frustration fry fulfil fulfill full full-time fully
fun functional funniest funny fur furious furniture further furthermore fury fuss fussy future
gaelic gag gain gamble game garage garbage garden gardener gardening garlic garnish gas gate gather
gaze gee gender general generalise generalize generally generosity generous generously genius gentle
gentleman gentleness gently genuine genuinely geography german gesture get ghost gift gifted gig
giggle gimme ginger girl girlfriend gist give giving glad gladly glance glare glass glasses globe
gloomier gloomiest gloomy glorious gloss glossary glove glow glue go goal goat god going gold golden
gonna good good-natured goodbye goofy goose gorgeous gosh gossip got gotta grab gracious grade
gradual gradually grammar grammatical grammatically grand grandad grandchild granddaughter
grandfather grandiose grandma grandmother grandpa grandparent grandson granny grape grapefruit grasp
grass grateful gratefully gratitude grave gray great greatly greedy greek green greet greeting
greetings grey grief grieve grill grim grin grind grip groan grocery groom gross ground group grow
growl grown grown-up growth gruffly grumble grumpy guarantee guess guest guidance guide guilt guilty
guitar gullible gum guy gym ha habit had hadn't haiku haikus hair hairbrush hairdryer halal half
halfway hall halloween hallway halt ham hammer hamster hand handbag handbook handkerchief handle
handout handshake handsome handwriting handy hang happen happily happiness happy hard hardest hardly
harm harmful harmless harmony harsh harshly has hasn't haste hastily hasty hat hate hatred have
haven't having haze he he'd he'll he's head headache heading headings headline headlines heal health
healthy heap hear heart heartily hearty heat heatwave heaven heavily heavy hebrew hectic hedge heel
height hello help helpful helpfully helpless hen hence her herb herbal here here's hero hers herself
hesitant hesitate hey hi hiccup hide high highly hike hilarious hill him himself hindi hint hints
hip his hiss history hit hmm hoarse hobby hold hole holiday hollow home homework honest honestly
honesty honey honor honorific honour hood hook hoop hooray hop hope hopefully horizon horrible
horror horse hot hour hourly hours house household housewife housework how how'd how's however howl
hug huge hum human humble humbly humid humility humor humorous humour hundred hundredth hungarian
hunger hungry hunt hurried hurry hurt husband hush hype hyphen hyphenate hyphens hypothesis
hypothetical i i'd i'll i'm i've ice iced icelandic icy idea ideal ideally identical identify idiom
idiomatic idioms idiot idle if ignorant ignore ill illness illustrate illustration imaginary
imagination imaginative imagine imitate immature immediate immediately impatience impatient
imperative imperfect imperial impersonal imply impolite important impossible impress impressive
improve improvement impulse in in-depth inaccurate inadequate inappropriate inch incident
incidentally include incomplete inconvenient incorrect increase incredible incredibly indeed indent
independence independent indicate indirect indirectly individual individually indoors inevitable
infant infinitive influence inform informal informality informally informative ingredient inhale
inherit initial initially injure inner innocent input insect insecure inside insight insincere
insist inspect inspiration inspire instance instant instantly instead instruct instruction
instructor insult intellectual intelligence intelligent intend intense intention intentional
interactive interest interested interesting interfere internal interpret interpreter interrupt
interruption interval intimate into introduce introduction introvert introverted intuition intuitive
invent invention invisible invitation invite involve irish iron ironic irony irregular irrelevant
irritable irritate irritating irritation is island isn't issue it it'd it'll it's italian italicise
italicize italics itch item its itself jacket jam january japanese jar jargon jazz jealous jealousy
jeans job jobless jocular jog join joint jointly joke jokes joking jokingly jolly jot journal
journey jovial joy joyful judge juggle juice juicy july jump jumper june jungle junior just justify
karaoke keen keep kept ketchup kettle key kick kid kilo kilometers kilometres kind kinda
kindergarten kindly kindness king kiss kitchen kitten kiwi knead knee kneel knife knit knock knot
know knowledge knowledgeable korean kosher label lace lack laconic ladder lady laid-back lake lamb
lame lamp land landscape lane language languages large largely last lasting lastly late lately later
latin laugh laughter laundry lawn lay layer laziness lazy lead leaf lean leap learn learner learning
least leave leaves lecture left left-handed leftover leftovers leg legend legible leisure lemme
lemon lemonade lend length lengthen lengthy lenient less lesson lest let let's letter letters
lettuce level liberal librarian library lick lid lie life lifestyle lifetime lift light
light-hearted lightly lightning like likelihood likely likes likewise lime limerick limericks limit
limited line lines linger linguistic link links lion lioness lip liquid lisp list listen listener
lists literal literally literary literature litter little live lively load loathe local locally lock
logic logical logically loneliness lonely long long-term long-winded longer longest loo look loose
loosely loosen lose loser lot lots loud loudly lounge love lovely lovingly low lower lower-case
lowercase loyal loyalty lucid luck lucky lukewarm lullaby lunch lunchtime luxury ma'am machine mad
madam magician magnificent mail main mainly maintain major majority make makes male mama man manage
mandarin mango manner manners manual many map march margin mark markdown marker market marks
marriage married marry marvellous marvelous masculine mash massage massive master mat match mate
material math mathematics maths matter matter-of-fact mature maximum may maybe me meal mealtime mean
meaning meaningful meaningless meantime meanwhile measly measure meat meatball meddle medicine
mediocre medium meet meeting meetings mellow melodic melody melon melt memo memorise memorize memory
men mend mental mention mentor merciful mercy mere merely merry mess message messages messy metal
metaphor metaphors meter meters method meticulously metre metres metric mice microwave midday middle
midnight midway might might've mightn't mild mildly mile miles milk milkshake million mince mind
mindful mine minimal minimum minor minority mint minus minute minutes mirror miserable misery
mislead misleading mispronounce misread miss missing misspell mist mistake mistakes mister mistrust
misty misunderstand misunderstanding mix mnemonic moan mock mode model moderate modern modest
modestly modesty modify moist mom moment mommy monday mondays money monkey monologue monotonous
month monthly mood moody moon moonlight mop moral moralise moralize more moreover morning mornings
most mostly mother mother-tongue motivate motivation motive motorbike mountain mourn mouse mouth
mouthful move movie mow mr mrs much mud muffin mug multiply mum mumble mummy mundane murmur muscle
museum mushroom music musical musician must must've mustard mustn't mutter mutual mutually my myself
mysterious myth nag nah nail naive name namely names nanny nap napkin narrate narrow nasty native
natural naturally nature naughty near nearby nearly neat neatly necessarily necessary neck need
needle needn't needs negative neglect negotiate neighbor neighborhood neighbour neighbourhood
neither nephew nerd nerve nervous nervously nervousness nest net neutral never nevertheless new
newly news newspaper next nibble nice nicely nicety nickname nicknames niece night nightly nightmare
nights nine nineteen ninety ninth nitpick no no-nonsense noble nobody nod noise noisy nonchalant
none nonetheless nonsense nonstop noodle noon nope nor norm normal normally north norwegian nose
nostril nosy not notable notably note notebook notepad notes nothing notice noun nouns novel
novelist november novice now nowadays nowhere nuance nudge numb number numbered numbering numbers
numerous nurse nursery nut o'clock oat oath oatmeal obedient obey object objection objections
objective obscure observation observe obsess obsessed obstacle obvious obviously occasion
occasionally occupation occur ocean october odd oddly of off offbeat offend offer offhand office
official officially often oftentimes oh oil ok okay old omelette omit on once one one-line oneself
onion only onto oops open open-minded opener openly operate opinion opinions opportunity oppose
opposite optimist optimistic option optional options or oral orange order ordinarily ordinary organ
organic organise organize original originally other others otherwise ouch ought oughtn't our ours
ourselves out outcome outdoor outdoors outer outfit outgoing outing outline outrageous outright
outside outspoken outstanding oven over overall overcast overcoat overcome overdo overhead overhear
overlook overly overnight oversleep overthink overview overweight overwhelm overwhelmed owe owl own
pace pack padding page pain painful painfully paint painter painting pair pajamas palace pale pamper
pan pancake panic pant pants papa paper paperclip paragraph paragraphs paraphrase pardon parent
parentheses parenthesis park parody parrot part part-time partial partially participate particular
particularly partly partner party pass passion passionate passive past pasta paste pastime pat path
patience patiently patronise patronising patronize patronizing pattern pause pavement paw pay pea
peace peaceful peacefully peach peak peanut pear peculiar pedantic peel peer pen pencil people pep
pepper per percent percentage perfect perfectionist perfectly perform perfume perhaps period
permanent permanently permission permit persian persist persistent person personal personality
personally perspective persuade pessimist pessimistic pet petty phase phew philosophical philosophy
phone photo photograph photography phrase phrases phrasing physical physics piano pick picky picnic
picture pie piece pig pigeon pile pill pillow pin pinch pine pineapple pink pitch pithy pity pizza
place plain plainly plan plane planet plant plate platitude play player playful playfully
playfulness playground plead pleasant pleasantly pleasantry please pleased pleasure plenty plot plug
plum plump plural plus pocket poem poems poet poetic poetry poignant point pointless points poke
polish polite politely politeness politics pompous pond ponder pony poor poorly pop popcorn popular
pork porridge portion portuguese position positive positively possibility possible possibly post
postcard poster postpone postscript pot potato potential pound pour poverty power powerful practical
practically practice practise praise prank pray prayer preamble precious precise precisely precision
predict predictable prefer preferably preference preferred prefers prefix pregnant prejudice
preliminary prepare preposition prescribe present presentation presently preserve press pressure
presumably pretend pretentious pretty prevent previous previously price pride primarily primary
prince princess principle print prior privacy private privately prize pro probability probable
probably problem problems procrastinate produce productive profanity profession professional
professor profound progress prolonged prominent promise prompt promptly pronoun pronounce pronouns
pronunciation proof proofread proper properly proposal propose prose protect protection protest
proud prove proverb proverbs provide provided provoke prudent psst psychology pub public publicly
publish pudding puddle pull pump pumpkin pun punch punchline punctual punctuality punctually
punctuate punctuation punish puns pupil puppy pure purely purple purpose purposeful purposely purse
pursue push pushy put puzzle pyjamas quaint qualify quality quantity quarrel quarter queen question
questions queue quick quickly quiet quietly quilt quip quirk quirky quit quite quiz quizzes quotable
quotation quote quotes rabbit race radio rage rain rainbow raincoat raindrop rainy raise raisin
ramble rambling random randomly range rap rapid rapidly rare rarely rash raspberry rat rate rather
rational rattle raw reach reaction read readily reading ready real realise realist realistic realize
really rear reason reasonable reasonably reasons reassure rebuke recall recap receive recent
recently recheck recipe recite reckless reckon recognise recognize recommend recommendation
reconsider record recover recovery recycle red redo reduce redundancy redundant refer refined
reflect refrain refresh refusal refuse regard regarding regardless regards regional regret regular
regularly rehearse reject relate related relationship relative relatively relax relaxation relaxed
relevant reliable reliably relief relieved religion reluctance reluctant reluctantly rely remain
remark remarkable remember remind reminder remote remove rename repair repeat repeatedly repeating
repetition repetitive rephrase replace replies reply replying report represent reproach request
require reread rescue resemble resent reserve reserved resilient resist resolve respect respectful
respectfully respond response responses responsible responsive rest restart restate restaurant
restless restore restrain restrict result results resume retell rethink retire retired retort return
reunion reveal reverse review revise revision reward reword rework rewrite rhyme rhymes rhyming
rhythm rice rich richness rid riddle riddles ride ridiculous right right-handed rigid rigorous ring
rinse ripe rise risk risky ritual rival river road roar roast robust rock role roll romanian
romantic roof room roommate root rope rose rotten rough roughly round rounded route routine row
royal rub rubbish rude rudely rudeness rug ruin rule ruler rules rumor rumour run rural rush russian
rye sad saddest sadly sadness safe safely safety sail salad salmon salt salty salutation same sand
sandal sandwich sane sarcasm sarcastic sass sassy satire satisfaction satisfied satisfy satisfying
saturday sauce saucer sausage save savory savoury saw say saying says scale scar scarcely scare
scared scarf scary scatter scattered scene scenery sceptical schedule school science scientific
scissors scold scolding score scottish scowl scratch scream screen screw scribble scrub sea search
season seat second second-person secondary secondly secrecy secret secretary section sections secure
see seed seek seem seemingly seize seldom select selection selective self selfish sell semester
semicolon semicolons send senior sense sensible sensitive sentence sentences sentimental separate
september sequence serene series serious seriously seriousness serve set settle seven seventeen
seventh seventy several severe severely sew shade shadow shake shaky shall shallow shame shampoo
shan't shape share shark sharp sharpen sharply shave she she'd she'll she's shed sheep sheer sheet
shelf shh shift shine shiny ship shirt shiver shock shocked shoe shop shopping shore short
short-sighted short-term shorten shorter shortest shortly shorts should should've shoulder shouldn't
shout shove show shower shrink shrug shut shutter shy shyness sibling sick side sidewalk siesta sigh
sign significant silence silent silently silk silliness silly silver similar similarly simile simmer
simple simplest simplicity simplify simplistic simply simultaneously since sincere sincerely
sincerity sing singer singing single singular sink sip sir sister sit situation six sixteen sixth
sixty size skate skeptical sketch ski skilful skill skillful skim skin skinny skip skirt sky slang
slap slapstick slash sleep sleepy slender slice slide slight slightly slim slip slippery slogans
slope sloppy slow slowly small smalltalk smart smash smell smile smiley smoke smooth smoothly smug
snack snail snake snap snappy snark snarky sneaky sneeze sniff snip snobbish snooze snore snow
snowball snowflake snowman snowy snuggle so soak soap sober soccer sociable social society sock soda
sofa soft soft-spoken soften softly softness soil sole solely solemn solid solitude solo solution
solve some somebody someday somehow someone something sometime sometimes somewhat somewhere son song
sonnet sonnets soon sooner soothe soothing sophisticated sore sorrow sorry sort soul sound soup sour
source sources south space spaces spacing spacious spaghetti spanish spare speak speaker speaking
special specially specific specifically specify spectacles spectacular speculate speech speed speedy
spell spelling spend spice spicy spider spill spin spirit splash splendid split spoil spoiler spoken
sponge spontaneous spontaneously spoon spoon-feed sport spot spotted spouse spray spread spring
sprout square squarely squeak squeamish squeeze squirrel stable stage stain staircase stairs stale
stamina stamp stance stand standard standpoint star stare start starter starting startle starve
starving state statement stay steadily steady steak steal steep steer stem step step-by-step steps
stereotype stern sternly stew stick stiff stiffly still stilted sting stingy stink stir stitch stoic
stomach stomachache stone stool stop stories storm stormy story stove straight straightaway
straightforward straightforwardly strange strangely stranger strawberry stream street strength
strengthen stress stressed stretch strict strictly strictness strike striking strip stripe striped
strive stroke stroll strong strongly structure struggle stubborn stubbornly student study stuff
stuffed stuffy stumble stunning stupid stupidly stutter style subject subjective submit subtitle
subtle subtly suburb succeed success successful successfully succinct succinctly such suck sudden
suddenly suffer sufficient sufficiently suffix sugar sugarcoat suggest suggestion suggestions suit
suitable suitcase sulk sum summaries summarise summarize summary summer sun sunburn sunday
sunglasses sunlight sunny sunrise sunset sunshine super superb superficial superior superlative
supermarket superstitious supper support supportive suppose sure surely surname surplus surprise
surprised surprising surprisingly surrender survive suspect suspicion suspicious swallow swear
swearword sweat sweater sweaty swedish sweep sweet sweetener sweetheart sweetly sweets swim swimsuit
swing switch syllable symbol sympathetic sympathise sympathize sympathy synonym syrup systematic
t-shirt ta tab table tables tablespoon tablet tabs tackle tact tactful tactless tail tailor take
takeaway tale talent talented talk talkative talking tall tame tangent tap tape task taste tasteful
tasteless tasty taxi tea teabag teach teacher teaching team teamwork tear tease teasing teaspoon
teatime technical technique teddy tedious teen teenage teenager teeth telephone television tell
temper temperature tempo temporarily temporary tempt ten tend tender tenderly tenderness tennis
tense tension tent tenth term terms terrible terribly terrific terror terse tersely terseness test
textbook thai than thank thankful thankfully thanks thanksgiving that that'd that'll that's the
theater theatre theatrical thee their theirs them theme themselves then theoretical theory there
there'd there'll there's therefore thesaurus these they they'd they'll they're they've thick
thick-skinned thicken thin thing things think thinking third third-person thirdly thirst thirsty
thirteen thirty this thorough thoroughly those thou though thought thoughtful thoughtless thousand
threaten three thrice thrifty throat through throughout throw thumb thunder thunderstorm thursday
thus tick tickle ticklish tide tidiness tidy tie tiger tight tighten tightly tights till time timely
times timetable timid tinkle tint tiny tip tire tired tiresome tiring tissue title to to-do toast
toaster today toddler toe together toilet tolerate tomato tomorrow tone tongue tongue-in-cheek
tonight too tool tooth toothache toothbrush toothpaste top topic topics toss total totally touch
touchy tough tour tow toward towards towel tower town toy trace track tradition traditional
traditionally traffic tragic train trainer training tram tranquil transcript transform translate
translation translator transparent trap trash travel traveler traveller tray treat treatment tree
tremble trick tricky trim trip triple triplet trivial trouble troublesome trousers truck true truly
trunk trust trustworthy truth truthful try tuck tuesday tug tummy tuna tune tunnel turkish turn
turtle tutor tutorial tv twelfth twelve twentieth twenty twice twig twilight twin twist two type
typical typically typing typo typos ugh ugliness ugly ukrainian ultimate ultimately umbrella unable
unambiguous unasked unavoidable unaware unbearable unbelievable unbelievably uncanny uncertain
uncertainty uncle unclear uncomfortable uncommon unconscious uncover under underground underline
underlying underneath understand understanding underwear undo undoubtedly undress uneasy unemployed
unequal uneven unexpected unexpectedly unfair unfamiliar unfold unfortunate unfortunately unfriendly
ungrateful unhappy unhealthy unhurried uniform unimportant uninterested unique unit unite units
universal universe university unkind unknown unless unlike unlikely unlock unlucky unnatural
unnecessarily unnecessary unpack unpleasant unpopular unpredictable unprompted unreasonable
unreliable unsafe unsure untidy untie until untrue unusual unusually unwanted unwell unwilling
unwind up upbeat update upfront upon upper upper-case uppercase upright upset upstairs uptight
upward urban urge urgent urgently us use used useful useless user uses using usual usually utter
utterly vacant vacation vacuum vague vaguely vagueness vain valid valley valuable value vanilla
vanish vanity variety various vary vase vast veg vegan vegetable vegetarian veggie verb verbal
verbatim verbose verbosely verbosity verbs verse verses versus vertical very vest vet via vibrant
vice victory video vietnamese view viewpoint vigorous village violent violin virtually virtue
visible visibly visit visitor visual vital vitamin vivid vividly vocabulary vocal voice volume
volunteer vote vow vowel vulgar vulnerable waffle wag waist wait waiter waitress wake walk wall
wallet walnut wander wanna want wanted wants wardrobe warm warm-hearted warmly warmth warn warning
wary was wash wasn't waste watch water waterfall watermelon wave wax way we we'd we'll we're we've
weak weakness wealth wealthy wear weariness weary weather weave wedding wednesday weed week weekday
weekend weekends weekly weep weigh weight weird welcome well well-mannered welsh were weren't west
western wet what what'd what'll what're what's whatever whatsoever wheat wheel when when's whenever
where where'd where's whereas wherever whether which whichever while whine whisper whistle white
whiteboard who who'd who'll who's who've whoa whoever whole wholeheartedly wholly whom whose why
why's wicked wide widely widen width wife wild wilderness wildly will willing willingly willingness
win wind window windowsill windy wine wing wink winner winter wipe wisdom wise wisecrack wisely wish
wit with withdraw within without witty wobble wolf woman women won't wonder wonderful wonderfully
wood wooden wool woolly word wordily wordiness wording wordplay words wordy work workbook worker
working workout workplace works world worm worried worry worse worst worth worthless worthwhile
worthy would would've wouldn't wound wow wrap wreck wrist write writer writing written wrong wrongly
wry yard yawn yay yeah year yearly yell yellow yep yes yesterday yet yield yikes yoga yoghurt yogurt
you you'd you'll you're you've young your yours yourself yourselves youth yuck yum yummy yup zealous
zero zip zoo
"""
GERMAN = """
ab abends aber absätze alle alles als also am an andere anders antwort antworte antworten auch auf
aus ausführlich ausführliche bei beim beispiel beispiele beispielen benutze benutzt bin bist bitte
da danach dann das dass dazu deine deinen dem den der des deutsch deutschen die dies diese dir
direkt direkte doch du durch duze duzen ehrlich ein eine einem einen einer einfach einfache emoji
emojis englisch er erkläre erklären erklärung erklärungen erst es etwas euch fasse floskeln form
formell frage fragen freundlich für ganz gar gehe gern gerne gib gut guten habe haben halte hasse
ich ihr im immer in informell ist ja jede jeden jedes kaffee kann kein keine keinen klar klare knapp
knappe kommentare kurz kurze kurzen kürzer lang lange langen langsam leise liebe lieber liste listen
lob mag man mehr mein meine meinem meinen meiner mich mir mit morgen morgens möchte möglichst nach
nachfragen nicht nichts nie niemals noch nur ob oder ohne punkte rede sag sage sagen satz schnell
schreib schreibe schreiben schritt schritte sehr sei sein sich sie sieze siezen so sofort sprache
sprich statt stichpunkte stichpunkten stil sätze sätzen tabellen tee ton und uns unter vegan
vegetarisch verwende viel vom von vor vorher warum was weil welche wenig weniger wenn wer wie will
wir wird worte wörter wünsche zu zuerst zum zur zusammen zusammenfassung zwei
"""
SPANISH = """
a al antes bien breve breves cada café clara claras claro claros como con conmigo corta cortas corto
cortos cuando cómo de del después detallada detalladas directa directo dos ejemplo ejemplos el ella
ellos emoji emojis en entonces es esa ese eso español esta este esto explica explicaciones
explicación explícame formal frase frases gracias gusta gustan gusto habla hablar hable hacia hasta
háblame idioma informal inglés la las le lenguaje lentamente les lista listas lo los me mejor menos
mi mis mucho muy más mí nada ni no nunca o odio para paso pasos pero poco por porque prefiero
pregunta preguntas primero puedes pues que quiero qué responde responder responderme respuesta
respuestas respóndeme resumen rápido se sea sean ser si siempre sin sobre solo son soy su sus sí
sólo tablas también te toda todas todo todos tono trato tutéame té tú un una unas unos usa usar usas
usted vegetariana vegetariano y ya yo
"""
FRENCH = """
ai aime ainsi alors anglais après au aux avant avec bien bref brefs brève brèves c'est café ce ces
cette chaque clair claire claires comme comment court courte courtes courts d'abord dans de des deux
direct directe donc du détail détaillée détaillées détails emoji emojis en encore est et exemple
exemples explication explications explique expliquer expliquez facile faire fais fait faut formel
formelle français il ils j'adore j'ai j'aime j'utilise jamais je l'anglais la langue le lentement
les leur liste listes lui m'expliquer ma mais me merci mes moi moins mon mots même n'aime n'utilise
ne ni non nous on ou où par parce parle parler parlez pas peu phrase phrases plaît plus plutôt
points politesse pour pourquoi préfère quand que quel quelle question questions qui quoi rapide
répondez répondre réponds réponse réponses résumé s'il sa sans se ses si simple simples sois soit
son sont style suis sur ta tableau tableaux te thé toi ton tou toujours tous tout toutes très tu
tutoie tutoie-moi un une utilise va veux vite vous vouvoie végétarien végétarienne y à être
"""
# Of Chinese and Japanese, which have no words to count, these pieces; nothing else may be in a sentence.
CHINESE = """
一步 一直 不 不是 不要 中文 以 你 使用 例子 偏好 先 先给 再 写 列表 别 句子 叫 和 咖啡 喜欢
回复 回答 在 地 太 始终 对 希望 很 得 总是 您 想要 我 我的 或 把 日语 早上 时 时候 是 晚上
更 正式 步骤 永远 汉语 用 的 直接 短 礼貌 称呼 符号 简单 简洁 简短 素食 结论 给 者 而 英文
英语 茶 表情 表情符号 被 要 要点 解释 讨厌 话 详细 语气 语言 说 说明 说话 请 请用 跟 长 问
问题
"""
JAPANESE = """
いつも お茶 お願い お願いします から が ください した して します する だ で です と な ない
ないで に の は へ ほしい まず まで も ゆっくり より を コーヒー 丁寧 丁寧に 下さい 中国語
使って 使わ 使わない 例 例を 僕 先に 夜 好き 好みます 好む 嫌い 常に 必ず 教えて 敬語 文 文章
方 日本語 書いて 朝 欲しい 決して 率直 率直に 直接 短い 短く 私 答え 答えて 箇条書き 簡単 簡単に
簡潔 簡潔に 結論 絵文字 英語 話し 話して 詳しく 説明 返事
"""
