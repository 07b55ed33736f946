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
ab abend abendbrot abende abendessen abends aber abfrage abfragen abgewöhnen abhängen abitur
abkürzung abkürzungen abnehme abnehmen abneigung absatz abschied abschnitt abschnitte abseits
absichtlich absolut abstrakt abstrakte absätze absätzen abwarten abwärts ach acht achte achten
achtest achtet achtzehn achtzig adjektiv adjektive affe affen aha ahnung akkusativ akte akten aktiv
aktuell aktuelle aktuellen akzent akzeptiere akzeptieren akzeptierst akzeptiert albern alberne
albernen alkohol alkoholfrei alle allein allem allen aller allerdings allergie allergien allergisch
allergischen alles allgemein allgemeine allgemeinen alltag alltagssprache allzu alphabet als also
alt alte altem alten alter alternative alternativen altes altmodisch am ameise amüsiere amüsieren
amüsiert an ananas andere anderem anderen anderer anderes andernfalls anders andersherum anderswo
anekdote anekdoten anfang anfangen anfangs anfänger anfängerin anfängern anfängst anführungszeichen
angeben angefangen angegeben angekommen angeln angenehm angenehme angenehmen angenommen angepasst
angeredet angerufen angeschaut angesehen angesichts angesprochen angestellte angestellter angewöhnen
angle angst anhören ankommen annehmen anpassen anrede anreden anredest anredet anruf anrufe anrufen
anschauen anschaulich anschauliche ansehen ansicht ansichten ansonsten ansprache ansprechen
ansprichst anspricht anstand anstatt anstelle anstrengend anstrengende antwort antworte antworten
antwortest antwortet anwalt anwältin anzahl anziehen anzug anzüge apfel apotheke appetit april
arabisch arbeit arbeite arbeiten arbeitest arbeitet arbeitete arbeitsplatz arbeitstag arbeitszeit
arbeitszeiten arbeitszimmer arm armbanduhr arme armen art arten artikel arzt assistent assistentin
asthma atem atheist atme atmen atmest atmet auch auf aufdringlich aufgabe aufgaben aufgeben
aufgegeben aufgehört aufgepasst aufgeräumt aufgeschrieben aufgestanden aufgewacht aufgezählt
aufhören auflauf aufmachen aufmerksam aufmerksame aufmerksamkeit aufmuntern aufmunternd aufpassen
aufrichtig aufräumen aufs aufsatz aufschreiben aufstehe aufstehen aufsätze aufwachen aufwärts aufzug
aufzählen aufzählung aufzählungen aufzählungszeichen auge augen augenblick august aus ausbildung
ausdruck ausdrucksform ausdrucksweise ausdrücke ausdrücken ausdrückst auseinander ausflug ausflüge
ausführlich ausführliche ausführlichen ausführlicher ausführlicheren ausgedrückt ausgehen ausgeruht
ausgewählt ausgezeichnet ausland ausnahme ausnahmen ausnahmsweise ausprobieren ausprobiert
ausreichend ausrufezeichen ausruhen aussage aussagen ausschlafen ausschließlich ausschweifend
ausschweifende aussprache ausstellung auswahl auswählen ausziehen auto autor autorin autos außer
außerdem außerhalb aß baby babys backe backen backofen backst backt bad bade baden badest badet
badewanne badezimmer bahn bahnhof bairisch bald balkon ball banane bananen band bart basilikum
basketball baskisch basteln bastelst bastle bauch bauchschmerzen bauer bauernhof bauernhöfe baum
baumwolle bayerisch beachte beachten beachtest beachtet beamter beantworte beantworten beantwortest
beantwortet becher bedanke bedanken bedankst bedankt bedauere bedauern bedeuten bedeutet bedeutung
bedeutungen bedürfnis bedürfnisse beeil beeile beeilen beeilst beende beenden beendest beendet
begeistere begeistern begeistert begeisterung beginn beginne beginnen beginnst beginnt begleite
begleiten begleitet begonnen begreife begreifen begreifst begreift begriff begriffe begriffen
begründe begründen begründest begründet begründung begründungen begrüße begrüßen begrüßt begrüßung
behalte behalten behandeln behandelst behandelt behandle behaupte behaupten behauptest behauptet
behauptung behauptungen behinderung behält behältst bei beibringen beibringst beide beiden beider
beides beige beigebracht beim bein beinahe beine beinen beispiel beispiele beispielen beispielsweise
bekam bekannt bekannte bekannten bekannter beklage beklagen bekomme bekommen bekommst bekommt
belehrend belehrung belehrungen beliebt bemerke bemerken bemerkt bemerkung bemerkungen benehme
benehmen benimm benutz benutze benutzen benutzt beobachte beobachten bequem bequeme berg berge
bericht berichte berichtige berichtigen beruf berufe beruflich berufliche beruflichen beruhige
beruhigen beruhigst beruhigt berücksichtige berücksichtigen berücksichtigst berücksichtigt berühmt
berühre berühren bescheid beschreib beschreibe beschreiben beschreibst beschreibt beschreibung
beschreibungen beschrieben beschäftige beschäftigen beschäftigt besen besitze besitzen besitzt
besondere besonderen besonderes besonders besprechung besprechungen besser bessere besseren besserer
besseres bestanden beste besteck bestehe bestehen besteht bestelle bestellen bestellt besten bester
bestes bestimme bestimmen bestimmst bestimmt bestimmte bestimmten bestimmter bestätige bestätigen
bestätigst bestätigt besuch besuche besuchen besuchst besucht betone betonen betonst betont betrifft
betrunken bett bettdecke betten bevor bevorzuge bevorzugen bevorzugst bevorzugt bevorzugte beweg
bewege bewegen bewegst bewegt bewegung bewerbung bezahle bezahlen bezahlt beziehung beziehungen
beziehungsweise bezüglich bibliothek biene bienen bier biere bild bilder bildhaft bildliche
bildsprache bildung billig billige bin bindestrich bindestriche binnen biologie birne birnen bis
bisher bislang bist bitte bitten bitter bittere bitteschön bittest bittet blatt blau blaue blauen
blaues bleib bleibe bleiben bleibst bleibt bleistift bleistifte blieb blind blinde bloß blume blumen
bluse blut blute blätter blöd blöde blöden blödsinn boden bohnen bonbon bonbons boot boxen brate
braten brauch brauche brauchen brauchst braucht brauchte braun braune braunen breit breite
brettspiel brettspiele brief briefe briefen briefkasten briefmarke brille brillenträger bring bringe
bringen bringst bringt brokkoli brot brote bruder brust bräuche bräuchte brötchen brücke brüder buch
buchhandlung buchstabe buchstaben buchstabiere buchstabieren buddhist bulgarisch bunt bunte bunten
bus busse butter bzw bäcker bäckerei bälle bär bären bäume böse bösen bücher bücherei bügeln bügle
büro büros ca café cello celsius cent chance chaotisch charakter chef chefin chemie chinesisch chor
christ circa cola cousin cousine da dabei dach dachboden dachte dadurch dafür dagegen daheim daher
dahin dahinter damals dame damen damit danach daneben dank dankbar dankbare dankbarkeit danke danken
dankeschön dankst dankt dann daran darauf daraus darf darfst darin darum darunter darüber das
dasjenige dass dasselbe dativ datum dauer dauerhaft dauern dauernd dauert daumen davon davor dazu
dazwischen decke dein deine deinem deinen deiner deines delfin dem demnächst demselben den denen
denk denke denken denkfehler denkst denkt denn dennoch denselben der deren derjenige derselbe des
deshalb desselben dessen dessert desto deswegen detail details deutlich deutliche deutlichen
deutlicher deutliches deutsch deutsche deutschen deutscher dezember dh diabetes diabetiker dialekt
dialekte dich dick dicke dicken die diejenige dienstag dienstags dies diese dieselbe dieselben
diesem diesen dieser dieses diesmal diesseits ding dinge dingen dir direkt direkte direkten direkter
direktes diskussion diskussionen diskutiere diskutieren diskutiert divers diät doch donnerstag
donnerstags doof doofe doppelpunkt doppelt doppelte dorf dort dorthin dran drauf draufhin draußen
dreh drehe drehen dreht drei dreimal dreizehn dreißig drin drinnen dritte drittel dritten drittens
dritter druck drum drüben drück drücke drücken drückst drückt du duform dumm dumme dummen dunkel
dunkelblau dunkle dunklen dunkler dunkles durch durchaus durcheinander durchs durfte durften durst
durstig dusche duschen duschst duscht dutzend duz duze duzen duzt dänisch dörfer dünn dünne dürfen
dürft dürfte dürften eben ebenfalls ebenso ecke ecken eckig egal ehe ehefrau ehemann ehrlich
ehrliche ehrlichen ehrlicher ehrliches ehrlichkeit ei eichhörnchen eier eiern eifersucht
eifersüchtig eigene eigenen eigener eigenes eigenschaftswort eigentlich eile eilt ein einander
eindruck eindrücke eine einem einen einer eines einfach einfache einfachem einfachen einfacher
einfachere einfaches einfachheitshalber einfachsten einfühlungsvermögen eingehalten eingehen
eingekauft eingeladen einhalten einheit einheiten einheitlich einige einigen einiger einigermaßen
einiges einkauf einkaufe einkaufen einkäufe einladen einladung einladungen einleitung einleuchtend
einmal eins einsam einsamkeit einschlafen einstellen eintopf einundzwanzig einzahl einzelheit
einzelheiten einzelkind einzeln einzelne einzelnen einzig einzige einzigen eis elefant elefanten elf
ellbogen eltern emoji emojis empfehle empfehlen empfehlung empfehlungen empfiehl empfiehlst
empfiehlt empfindlich empfindlichen empfohlen ende enden endet endlich endung endungen eng enge
englisch englische englischen enkel enkelin enkelkinder ente enten entfernt entlang entscheide
entscheiden entscheidest entscheidet entscheidung entscheidungen entschieden entschuldige
entschuldigen entschuldigst entschuldigt entschuldigung entschuldigungen entspannt entspannte
enttäuscht enttäuschung entweder er erbsen erdbeere erdbeeren erde erdkunde erdnuss erdnüsse
erfahrung erfahrungen erfolg erfolge ergebnis ergebnisse ergänze ergänzen ergänzt erhalte erhole
erholen erholt erhält erhältst erinnere erinnern erinnerst erinnert erinnerung erinnerungen erkannt
erkenne erkennen erkennst erkennt erklär erkläre erklären erklärst erklärt erklärte erklärung
erklärungen erkältung erlaube erlauben erlaubst erlaubt erlebnis erlebnisse erledige erledigen
erledigst erledigt erläuterung erläuterungen ermahnung ermutige ermutigen ermutigend ermutigende
ermutigst ermutigt erneut ernst ernste ernsten ernster ernstes ernsthaft erschöpft ersetze ersetzen
ersetzt erst erste ersten erstens erster erstes ertrage ertragen erträgst erträgt erwachsen
erwachsene erwarte erwarten erwartest erwartet erwähne erwähnen erwähnst erwähnt erzähl erzähle
erzählen erzählst erzählt erzählte erzählung es eselsbrücke eselsbrücken esperanto espresso esse
essen essig esszimmer etc etwa etwas euch euer eure eurem euren eurer eures euro europäer euros
eventuell evtl ewig existiert fach fachbegriff fachbegriffe fachbegriffen fachchinesisch fachsprache
fachwort fachwörter faden fahr fahre fahren fahrenheit fahrkarte fahrrad fahrräder fall falle fallen
falls falsch falsche falschen falscher falsches familie familien familienname fand fang fange fangen
fantastisch farbe farben farbenblind farbig fass fasse fassen fasst fast faste fasten faul faule
fazit februar fehle fehlen fehler fehlern fehlt feier feierabend feiere feiern feierst feiert
feiertag feiertage feld felder fenster ferien fern ferner fernsehen fernseher fest feste festen
festhalten fett fettdruck fette fetten fettig fettige feucht feuer fieber film filme finde finden
findest findet finger fingern fingernägel finnisch fisch fische fit flach flasche flaschen fleisch
fleißig fleißige fliege fliegen fliegst fliegt fließend fließendem fließender fließtext floskel
floskeln fluche fluchen fluchst flucht flughafen flugzeug flur fluss flöte flüssig flüstere flüstern
folge folgen folgende folgenden folgender folglich folgst folgt form formell formelle formellen
formeller formen formular formulare formuliere formulieren formulierst formuliert forscher
forscherin forschung fort fortan fortgeschrittene fortgeschrittener fortschritt fortschritte foto
fotografiere fotografieren fotos frag frage fragen fragezeichen fragst fragt fragte französisch
französische frau frauen freiheit freitag freitags freiwillig freizeit fremd fremde fremden
fremdsprache fremdsprachen fremdwort fremdwörter fremdwörtern freude freuden freue freuen freund
freunde freunden freundin freundinnen freundlich freundliche freundlichen freundlicher freundliches
freundlichkeit freundschaft freundschaften freust freut frieden friere frieren frierst friert frisch
frische frischen frischer frisches friseur friseurin frist frosch frucht fröhlich fröhliche früchte
früh frühaufsteher frühaufsteherin frühe frühen früher frühjahr frühling frühstück frühstücke
frühstücken frühstückst frühstückt fuchs fuhr funktionieren funktioniert furchtbar futur fuß fußball
fußnote fußnoten fächer fährst fährt fälle fällt fände fängst fängt förmlich förmliche förmlichen
förmlicher füchse fühle fühlen fühlst fühlt führe führen führerschein führst führt füller füllwort
füllwörter füllwörtern fünf fünfte fünfundzwanzig fünfzehn fünfzig für fürchte fürchten füreinander
fürs füße füßen gab gabel gag gans ganz ganze ganzen ganzer ganzes gar garage garnelen garten gast
geachtet geantwortet gearbeitet gebacken gebe geben gebet gebeten geblieben geboren gebracht
gebraten gebrauchen gebraucht geburt geburtstag gebärdensprache gebäude gedacht gedanke gedanken
gedankenstrich gedankenstriche gedankt gedauert gedicht gedichte geduld geduldig geduldige
geduldiger geduzt gedächtnis geendet gefahr gefahren gefalle gefallen gefehlt gefeiert gefiel
geflogen gefolgt gefragt gefreut gefunden gefährlich gefährliche gefälligst gefällst gefällt gefühl
gefühle gefühlen gefühlt geführt gegangen gegeben gegebenenfalls gegen gegend gegenfrage gegenfragen
gegenstand gegenwart gegenüber gegessen geglaubt gegliedert gegrillt geh gehabt gehalt gehalten
gehasst gehe geheimnis geheimnisse geheißen gehen gehirn geholfen geholt gehorche gehst geht gehöre
gehören gehörst gehört geige geist gekannt gekauft geklappt gekocht gekommen gekonnt gekostet
gekriegt gekümmert gekürzt gelacht gelassen gelaufen gelb gelbe gelben geld gelebt gelegen
gelegentlich gelegt gelehrt geleitet gelernt gelesen geliebt geliehen gelingen gelingt gelitten
gelobt gelogen gelungen gemacht gemalt gemeinsam gemeinschaft gemeint gemeldet gemerkt gemessen
gemocht gemälde gemäß gemüse gemütlich gemütliche genannt genau genaue genauen genauer genaues
genauso gendern genderstern gendersternchen generation generell genervt genieße genießen genießt
genitiv genommen genossen genug genutzt geordnet gepflegt geplant geprüft geputzt gepäck gerade
gerannt geraten geraucht gerechnet gerede geredet gereist gericht gerichte gern gerne gerufen gesagt
gesamte gesamten geschafft geschaut geschehen geschenk geschenke geschenkt geschichte geschichten
geschickt geschieden geschieht geschlafen geschlecht geschlechtsneutral geschlossen geschmack
geschmeckt geschnitten geschrieben geschwafel geschwister geschwollen geschwollene geschwommen
gesehen gesellschaft gesendet gesessen gesetz gesetzt gesicht gesichter gesiezt gesorgt gespart
gespielt gesprochen gespräch gespräche gesprächen gesprächspartner gestanden gestellt gestern
gestimmt gestorben gestresst gestritten gestört gesucht gesund gesunde gesunden gesunder gesundes
gesundheit gesungen getan getanzt geteilt getippt getragen getroffen getrunken getränk getränke
gewachsen gewandert gewarnt gewartet gewaschen gewechselt geweckt gewesen gewicht gewinne gewinnen
gewinnst gewinnt gewiss gewisse gewissen gewissermaßen gewitter gewogen gewohnheit gewohnheiten
gewohnt gewohnte gewollt gewonnen geworden geworfen gewusst gewählt gewöhn gewöhne gewöhnen
gewöhnlich gewöhnliche gewöhnt gewünscht gewünschte gewürz gewürze gewürzt gezeigt gezogen gezwungen
gezählt geändert geärgert geöffnet geübt ggf gib gibst gibt gieße gießen ging ginge giraffe gitarre
glas glatt glaub glaube glauben glaubst glaubt gleich gleiche gleichen gleicher gleiches gleichfalls
gleichgültig gleichzeitig gliedere gliedern gluten glutenfrei gläser glück glücklich glückliche
glücklichen glücklicherweise golden golf gott grad gramm grammatik grammatikalisch grammatikfehler
gras gratis grau graue grauen grenze grenzen griechisch grille grillen grippe groß großartig
großbuchstaben große großeltern großem großen großer großes großmutter großschreibung großvater
grund grundlage grundlagen grundlos grundschule grundsätzlich gruppe gruppen gruß größe größer
größere größeren größte größten größtenteils grün gründe gründlich gründliche gründlichen grüne
grünen grüner grünes grüß grüße grüßen grüßt guck gucke gucken guckst guckt gurke gurken gut gute
gutem guten guter gutes gymnasium gymnastik gärten gärtner gäste gästen günstig gürtel haar haare
haaren haargenau hab habe haben habt haferflocken hahn hai halb halbe halben halber halbsatz half
hallo hals halt halte halten haltestelle hammer hamster hand handball handeln handelst handelt
handle handschrift handschuhe handtuch handwerker handy harmlos hart harte harten hase haselnüsse
hasen hass hasse hassen hasst hast hat hatte hatten hattest hattet hauptgericht hauptsatz
hauptsächlich hauptwort haus hausaufgabe hausaufgaben hausfrau haushalt hausmann hausschuhe haustier
haustiere haut heb hebe heben hebräisch hefe heft hefte heile heilen heim heimat heimweh heirate
heiraten heiratet heizung heiß heiße heißen heißer heißes heißt hektisch helfe helfen hell hellblau
helle hellen heller helles hemd hemden her herauf heraus herausfinden herbst herd herein herr herren
herrlich herum herunter hervorragend herz herzen herzlich herzliche herzlichen herüber heute heutige
hey hier hierbei hierfür hierher hierhin hiermit hiervon hierzu hilf hilfe hilfen hilfreich
hilfreiche hilfreichen hilfsmittel hilfst hilft himbeeren himmel hin hinauf hinaus hindi hinein
hinlegen hinten hinter hinterfrage hinterfragen hintergrund hinterher hinunter hinweis hinweise
hinweisen hinzufügen hinzufügst hinzugefügt hinüber hirn hitze hm hobby hobbys hoch hochdeutsch
hochschule hochtrabend hochzeit hoffe hoffen hoffentlich hoffnung hoffnungen hoffst hofft hohe hohen
hoher hol hole holen holländisch holst holt homeoffice honig hose hosen hotel huhn humor hund hunde
hunden hundert hunger hungere hungrig huste husten hustet hut hähnchen häkeln häkle hälfte hält
hältst hände händen hängen hängt härter hässlich hässliche hätte hätten hättest hättet häufig häuser
höchste höchstens höflich höfliche höflichen höflicher höflichkeit höher höhere hör höre hören
hörgerät hörst hört hübsch hübsche hüfte hühner hündin hüte ich idealerweise idee ideen igel ihm ihn
ihnen ihr ihre ihrem ihren ihrer ihres im imbiss imker immer imperativ in indem indonesisch
informell informelle informellen ingenieur ingenieurin ingwer inhalt inkl innerhalb insbesondere
insel instrument instrumente interessant interessante interessanten interesse interessen
interessiere interessieren interessierst interessiert inzwischen irgendein irgendeine irgendeinen
irgendetwas irgendjemand irgendwann irgendwas irgendwelche irgendwer irgendwie irgendwo irgendwohin
ironie ironisch ironische ironischen isländisch iss isst ist italienisch italienische ja jacke
jacken jahr jahre jahrelang jahren jahreszeit jahrhundert jahrzehnt jammere jammern januar japanisch
jazz je jeans jede jedem jeden jedenfalls jeder jederzeit jedes jedesmal jedoch jemand jemandem
jemanden jene jenem jenen jener jenes jenseits jetzt jiddisch job jogge joggen joggst joggt joghurt
journalist journalistin jude judo jugend juli jung junge jungen junger junges juni jährlich jünger
jüngere jüngste kaffee kakao kalauer kalender kalt kalte kaltem kalten kalter kaltes kam kaninchen
kann kannst kannte kantine kapiere kapieren kapiert kapitel kaputt kaputte karotte karotten karten
kartenspiel kartoffel kartoffeln katalanisch kater katze katzen kauf kaufe kaufen kaufst kauft kaum
kehre kehren kein keine keinem keinen keiner keines keinesfalls keineswegs keinmal keks kekse keller
kellner kellnerin kenne kennen kennenlernen kennst kennt kenntnis kenntnisse kerze ketchup kette
kilo kilogramm kilometer kind kinder kindergarten kindern kinderzimmer kindheit kinn kino kirche
kirsche kirschen kissen kita klage klagen klammer klammern klappen klappt klar klare klaren klarer
klares klasse klassen klassenzimmer klassik klatsch klausur klausuren klavier kleid kleider kleidung
klein kleinbuchstaben kleine kleinem kleinen kleiner kleinere kleines kleinigkeit kleinigkeiten
kleinschreibung kleinste kleinsten klettere klettern klinge klingen klingst klingt klo klug kluge
klugen knapp knappe knappen knapper knappes kneipe knie knoblauch knochen knopf knöpfe koch koche
kochen kochst kocht koffein koffer kohl kollege kollegen kollegin kolleginnen komisch komische
komischen komm komma kommas komme kommen kommende kommenden kommentare kommst kommt kompliment
komplimente kompliziert komplizierte komplizierten komplizierter konjunktion konjunktiv konkret
konkrete konkreten konkreter konnte konnten konntest kontaktlinsen konzentration konzert konzerte
kopf kopfschmerzen koreanisch koriander korrekt korrekte korrekten korrigier korrigiere korrigieren
korrigierst korrigiert kosename kosenamen kosewort koste kosten kostenlos kostet krabben
kraftausdrücke krank kranke kranken krankenhaus krankenpfleger krankenschwester krankheit
krankheiten krawatte kreide krieg kriege kriegen kriegst kriegt kritik kritisiere kritisieren
kritisierst kritisiert kroatisch krumm kräuter kräutertee kuchen kugelschreiber kuh kultur kunst
kurs kurse kursiv kursive kurz kurze kurzem kurzen kurzer kurzes kurzgefasst kurzsichtig kurzum kuss
kälte kälter käse kätzchen köchin können könnt könnte könnten könntest könntet köpfe körper köstlich
küche kühe kühl kühle kühlen kühlschrank kümmer kümmere kümmern kümmerst kümmert künftig künstler
künstlerin kürbis kürze kürzen kürzer kürzere kürzeren kürzeste kürzesten kürzlich kürzt lache
lachen lachs lachst lacht lade laden laktose laktosefrei lampe lampen land lang langatmig langatmige
langatmigen lange langem langen langer langes langeweile langsam langsame langsamen langsamer
langsames langschläfer langweile langweilen langweilig langweilige langweiligen langweilst langweilt
las lass lasse lassen lasst latein lateinisch lauf laufe laufen laune launen laut laute lauten
lauter lautes lauwarm lebe leben lebendig lebenslang lebenslauf lebensmittel leber lebewohl lebst
lebt lebte lecker leckere leder ledig lediglich leer leere leg legasthenie legastheniker lege legen
legst legt lehre lehren lehrer lehrerin lehrerinnen lehrern lehrst lehrt leicht leichte leichten
leichter leichtes leichtfallen leichtfällt leide leiden leidenschaft leider leidest leidet leihe
leihen leise leisen leiser leite leiten leitest leitet leitungswasser lektion lektionen lern lerne
lernen lernst lernt lernte lesbar lese lesen leserlich letzte letzten letzter letztes leute leuten
licht lieb liebe lieben lieber liebes liebst liebste liebsten liebt lied lieder lieg liege liegen
liegst liegt lies liest ließ ließen lila limonade lineal links linkshänder linkshänderin linsen
lippe lippen liste listen liter lob lobe loben lobst lobt locker lockere lockeren lockerer lockeres
logisch lohn los luft lunge lust lustig lustige lustigen lustiger lustiges lächeln lächle lädst lädt
länder länge länger längere längeren längste längsten lässt lästig läufst läuft löffel lösung
lösungen lösungsweg löwe löwen lüge lügen lügst lügt mach mache machen machst macht machte mag magen
magst mahlzeit mahlzeiten mai mais mal male malen malerei malst malt mama man manche manchem manchen
mancher manches manchmal mandeln mango manieren mann mannschaft mantel mappe marathon margarine
markt marmelade mathe mathematik maus mayonnaise maß maße maßeinheiten meckere meckern medikament
medikamente medizin meer meeresfrüchte meerschweinchen mehl mehr mehrere mehreren mehrerer mehrmals
mehrzahl mein meine meinem meinen meiner meines meinst meint meinung meinungen meist meiste meisten
meistens melde melden meldest meldet melodie melone menge mengen mensch menschen merk merke merken
merksatz merkst merkt merkwürdig messe messen messer metapher metaphern meter methode methoden
metzgerei mich miete migräne milch mild milde milliarde million millionen mindestens mineralwasser
minute minuten mir misserfolg misstrauen mit mitdenken miteinander mitgefühl mitgeteilt mithilfe
mitkommen mitleid mitmachen mittag mittagessen mittags mittagspause mitte mitteilen mitteilung
mitteilungen mittelmäßig mittelpunkt mittels mitten mittendrin mitternacht mittlerweile mittwoch
mittwochs mochte mochten mode modern moderne moin moment monat monate monaten monatlich mond montag
montags morgen morgenmensch morgens motiviere motivieren motivierst motiviert motorrad mund mundart
muscheln museum musik musiker musikerin muskel muskeln muslim muss musst musste mussten musstest mut
mutig mutige mutter muttersprache muttersprachler muttersprachlerin mutti mädchen männer männern
männlich männliche männlichen mäntel märchen märz mäuse möbel möchte möchten möchtest möchtet mögen
möglich mögliche möglichen möglicherweise möglichkeit möglichkeiten möglichst mögt möhre möhren
mücke mücken müde müden mühe müll mülleimer mündlich müsli müssen müsst müsste müssten müsstest
mütter mütze mützen na nach nachbar nachbarin nachbarn nachbarschaft nachdem nachdenken nacheinander
nachfrage nachfragen nachgedacht nachgefragt nachher nachmittag nachmittags nachname nachnamen
nachricht nachrichten nachschauen nachschlagen nacht nachteule nachtisch nachts nachtschicht nacken
nadel nagel nah nahe nahm naja name namen nase nass nasse natur natürlich nebel neben nebenan
nebenbei nebeneinander nebensatz nebensätze neffe nehme nehmen neid nein nenn nenne nennen nennst
nennt nerv nerve nerven nervosität nervst nervt nervös nett nette netten netter nettes neu neue
neuem neuen neuer neues neueste neugier neugierig neugierige neujahr neulich neun neunte neunzehn
neunzig neutral neutrale neutralen nicht nichte nichtraucher nichtraucherin nichts nie niederlage
niederländisch niedrig niedrige niemals niemand niemandem niemanden niere niese niesen nimm nimmst
nimmt nirgends nirgendwo niveau noch nochmal nochmals nominativ norden normal normale normalen
normalerweise norwegisch note noten notiz notizen notwendig notwendige notwendigen november nudeln
null nummer nummeriere nummerieren nummeriert nun nur nuss nutze nutzen nutzt nächste nächsten
nächster nächstes nächte nähe nähen näher nämlich nötig nötige nötigen nüchtern nüchterne nüchternen
nüsse nüssen nützlich nützliche nützlichen ob oben obgleich obst obwohl oder ofen offen offene
offenen offener offenes offenheit oft oh ohne ohnehin ohr ohren ohrringe ok okay oktober olivenöl
oma onkel opa oper operation orange orangen orchester ordentlich ordentliche ordne ordnen ordner
ordnest ordnet ordnung ort orte osten ostern paar papa papagei papier paprika park parks partizip
partner partnerin partnerschaft party pass passe passen passieren passiert passiv passt pasta pause
pausen peinlich perfekt perfekte persisch person personen persönlich persönliche persönlichen
persönlicher petersilie pfanne pfarrer pfeffer pferd pferde pfingsten pfirsich pflanze pflanzen
pflaster pflaume pflaumen pflege pflegen pfleger pflegst pflegt pflicht pflichten philosophie phrase
phrasen physik pille pilz pilze pizza plan plane planen planst plant planung plattdeutsch platz
plaudere plaudern plural pläne plätzchen plätze plötzlich politik polizist polnisch pommes pop
portion portionen portugiesisch post postkarte praktisch praktische praktischen preis preise prima
prinzipiell privat private privaten probier probiere probieren probierst probiert problem probleme
problemen pronomen prost prozent präposition präpositionen präsens präteritum präzise präzisen
präziser prüfe prüfen prüfst prüft prüfung prüfungen psychologe pulli pullover punkt punkte punkten
puppe putze putzen putzt puzzle pünktlich pünktliche quark quasi quatsch quelle quellen
quellenangabe quellenangaben rad radeln radfahren radiergummi radio radle rand rat rate raten
rathaus ratschlag ratschläge rauche rauchen raucher rauchst raucht rauf raus rausgehen raushalten
reagiere reagieren reagierst reagiert rechne rechnen rechnest recht rechte rechts rechtschreibfehler
rechtschreibung rechtshänder rechtzeitig rede reden redest redet redewendung redewendungen
redseligkeit regal regale regel regelmäßig regelmäßige regelmäßigen regeln regen regenschirm regnen
regnet reich reif reife reihenfolge rein reis reise reisen reist reite reiten reißverschluss
religion renne rennen rennst rennt rente rentner rentnerin respekt respektiere respektieren
respektierst respektiert restaurant rezept rezepte rhythmus richter richtig richtige richtigen
richtiger richtiges richtung rieche riechen riechst riecht rindfleisch ring ringe rock roh rohe
rohen rohes rolle rollstuhl roman romane rosa rose rosen rot rote roten roter rotes rotwein rucksack
ruf rufe rufen rufst ruft ruhe ruhen ruhig ruhige ruhigen ruhiger ruhigere ruhiges ruhst ruht
rumänisch rund runde runter russisch rät rätsel rätst räume räumen räumst räumt röcke rüber rücken
rückenschmerzen rückfrage rückfragen rücksicht rücksichtsvoll rückwärts rühre rühren sache sachen
sachlich sachliche sachlichen sachlicher sachliches sachverhalt saft sag sage sagen sagst sagt sagte
sah sahne salat salate salbe salz salzig salzige sammeln sammelst sammelt sammle samstag samstags
samt sandalen sarkasmus sarkastisch sarkastische satt satz satzbau sauber saubere sauer saure sauren
saures saß schach schachtelsätze schaf schafe schaffe schaffen schaffst schafft schal schals scham
scharf scharfe scharfen scharfes schau schaue schauen schaust schaut scheidung scheinen scheint
schenke schenken schenkst schenkt schere scherz scherze scherzen schicht schick schicke schicken
schickst schickt schief schiff schildkröte schimpfe schimpfen schimpfwort schimpfwörter
schimpfwörtern schinken schirm schlaf schlafe schlafen schlafzimmer schlag schlage schlagen schlager
schlagzeug schlange schlangen schlank schlau schlaue schlecht schlechte schlechten schlechter
schlechtes schließe schließen schließlich schließt schlimm schlimme schlimmer schloss schluss
schlusssatz schläfst schläft schlägst schlägt schlüssel schmal schmecke schmecken schmeckt schmeckte
schmeichelei schmeicheleien schmeichelhaft schmerz schmerzen schmerzhaft schmetterling schmuck
schmutzig schnaps schnee schneide schneiden schneien schneit schnell schnelle schnellen schneller
schnelles schnupfen schnur schokolade schon schone schonen schrank schrecklich schreckliche schrei
schreib schreibe schreiben schreibst schreibstil schreibt schreibtisch schreibweise schreie schreien
schrieb schrift schriftart schriftlich schriftsteller schriftstellerin schriftstil schritt schritte
schritten schrittweise schränke schuh schuhe schuhen schuld schule schulen schulter schultern
schwach schwache schwachen schwanger schwarz schwarze schwarzen schwarzer schwarzes schwedisch
schweig schweige schweigen schweigt schwein schweine schweinefleisch schweizer schweizerdeutsch
schwer schwere schweren schwerer schweres schwerfallen schwerfällt schwerhörig schwester schwestern
schwiegereltern schwiegermutter schwiegervater schwierig schwierige schwierigen schwieriger
schwieriges schwierigkeit schwierigkeiten schwimme schwimmen schwimmst schwimmt schwitze schwitzen
schwitzt schwäbisch schäle schälen schäme schämen schön schöne schönem schönen schöner schönes
schüchtern schüler schülerin schülern schüssel sechs sechste sechzehn sechzig see seele sehe sehen
sehnsucht sehr sei seid seide seien seife sein seine seinem seinen seiner seines seit seitdem seite
seiten seitlich sekt sekunde sekunden selber selbst selbstständig selbstverständlich sellerie selten
seltsam seltsame semikolon sende senden sendest sendet sendung senf sensibel september serbisch
serie serien serviette servus sessel setz setze setzen setzt shampoo shirt sich sicher sichere
sicheren sicherheit sicherlich sie sieben siebte siebzehn siebzig sieform sieg sieh siehst sieht
siez sieze siezen siezt silbe silben silbern silvester sind singe singen single singst singt
singular sinn sinngemäß sinnlich sinnlos sinnvoll sinnvolle sitz sitze sitzen sitzt sitzung
sitzungen ski skifahren slowakisch slowenisch smiley smileys so sobald socke socken sodass sofa
sofern sofort sogar sohn soja solange solche solchem solchen solcher solches soll sollen sollst
sollt sollte sollten solltest somit sommer sondern sonnabend sonne sonntag sonntags sonst sooft
sorge sorgen sorgfältig sorgfältige sorgfältigen sorgst sorgt sortiere sortieren sortierst sortiert
sowie sowieso sowohl sozusagen soße soßen spanisch spanische spannend spannende spannenden spare
sparen spargel sparst spart spaziere spazieren spaziergang spaziergänge spaß speck speise
speisekarte speisen speziell spezielle spiegel spiel spiele spielen spieler spielerin spielst spielt
spielzeug spinat spinne spinnen spitz spitzname spitznamen sport spott sprach sprache sprachen
sprachlich sprachliche sprachniveau spreche sprechen sprecht sprich sprichst spricht sprichwort
sprichwörter spring springe springen springt spät späte späten später spüle spülen spüre spüren
spürst spürt stadt stand stark starke starken starker starkes statt staubsauger staune staunen steh
stehe stehen stehst steht stein steine stell stelle stellen stellst stellt stempel sterbe sterben
stern sterne stets stichpunkt stichpunktartig stichpunkte stichpunkten stichwort stichworte stiefel
stiefmutter stiefvater stift stifte stil stile stilistisch stille stimme stimmen stimmst stimmt
stimmung stirbt stirn stoff stoffe stolz stopp stoppe stoppen strand straße straßen straßenbahn
streit streite streiten streitest streitet streng strenge strengen strenger stress strichpunkt
stricke stricken stricknadeln strickst strickt strom strumpfhose strümpfe student studenten
studentin studiere studieren studierst studiert studium stuhl stunde stunden stundenlang stundenplan
stundenuhr sturm städte ständig stärker störe stören störend störst stört stück stücke stückweise
stühle substantiv substantive such suche suchen suchst sucht super supermarkt suppe suppen säfte
sänger sängerin sätze sätzen söhne süchtig süden süß süße süßen süßer süßes süßigkeiten tabelle
tabellen tablette tabletten tadel tafel tag tage tagebuch tagen tagsüber takt tante tanz tanze
tanzen tanzt tasche taschengeld tasse tassen tat taub taube tausche tauschen tauscht tausend tee
tees teil teile teilen teilst teilt teilweise teilzeit telefon telefoniere telefonieren telefonierst
telefoniert teller temperatur tennis teppich termin termine terminen terrasse teuer teure teuren
text texte texten thailändisch theater thema themen theoretisch theoretische thunfisch tief tiefe
tiefen tiefer tier tiere tieren tiger tipp tippe tippen tippfehler tipps tippst tippt tisch tische
tischtennis titel tja toast tochter tod tofu toilette toll tolle tollen tomate tomaten ton tonfall
tonlage topf torte tot total tradition traf trag trage tragen trainer trainerin trainiere trainieren
trainierst trainiert training trank tratsch traube trauben trauer traum traurig traurige traurigen
traurigkeit treffe treffen treppe triffst trifft trink trinke trinken trinkgeld trinkst trinkt
trocken trockene trockenen trockener trommel trompete trotz trotzdem trug trägst trägt träume
träumen träumst träumt trödeln trödle tröste trösten tröstende tröstest tröstet tschechisch tschüss
tu tue tun turne turnen tust tut typisch typische täglich tägliche täglichen tänze täte töchter
töpfe tür türen türkis türkisch uhr uhren uhrzeit ukrainisch um umarmung umformulieren umformuliert
umgang umgangsform umgangsformen umgangssprache umgangston umgekehrt umher umlaut umlaute ums
umschlag umschweife umso umwelt umziehen umzug unangenehm unaufgefordert unbedingt unbekannt
unbequem und unfall unfreundlich ungarisch ungebeten ungeduld ungeduldig ungefragt ungefähr ungenau
ungern unhöflich uni universität unklar unklare unmöglich unnötig unnötige unnötigen unnötiger
unordentlich unordnung unregelmäßig uns unser unsere unserem unseren unserer unseres unsicher
unsicheren unsinn unten unter unterbreche unterbrechen unterbrich unterbrichst unterbricht
unterbrochen untereinander unterhaltung unterhaltungen unterhose unterlass unterlasse unterlassen
unterricht unterrichte unterrichten unterrichtest unterrichtet unterrichtsstunde unterscheide
unterscheiden unterschied unterschiede unterschiedlich unterschiedliche unterschrift unterstreiche
unterstreichen unterstütze unterstützen unterstützst unterstützt unterstützung unterwegs unterwäsche
unverblümt unverständlich unverständliche unvollständig unwichtig unwichtige unzufrieden ups urlaub
urlaube usw vanille vater vati vegan vegane veganen veganer veganes vegetarier vegetarierin
vegetarisch vegetarische vegetarischen vegetarisches verabredung verabschiede verabschieden
verabschiedest verabschiedung verantwortung verb verband verben verbessere verbessern verbesserst
verbessert verbiete verbieten verbietest verbietet verboten verbracht verbringe verbringen
verbringst verbringt verein vergangen vergangenheit vergaß vergesse vergessen vergiss vergisst
vergleich vergleiche vergleichen vergleichst vergleicht verglichen verhalte verhalten verheiratet
verhält verhältst verkürze verkürzen verlange verlangen verlangst verlangt verliebt verliere
verlieren verlierst verliert verlobte verlobter verloren vermeide vermeiden vermeidest vermeidet
vermieden vermisse vermissen vermisst vermutlich vernünftig vernünftige verrate verraten verrätst
verrückt verrückte verschieden verschiedene verschiedenen versehentlich verspreche versprechen
versprich versprichst verspricht versprochen verstand verstanden verstehe verstehen verstehst
versteht verständlich verständliche verständlichen verständlicher verständnis versuch versuche
versuchen versuchst versucht versöhnung vertrage vertragen vertraue vertrauen vertraust vertraut
verträgst verträgt verwandte verwandten verwende verwenden verwendest verwendet verwirre verwirren
verwirrt verwitwet verzeih verzeihe verzeihen verzeihung verzichte verzichten verzichtest verzichtet
verändere verändern verändert viel viele vielen vieler vieles vielleicht vielmals vier viermal
vierte viertel viertelstunde vierzehn vierzig vietnamesisch violett vogel vokabel vokabeln
volksmusik voll volle vollen volleyball vollständig vollständige vollständigen vollständiger
vollzeit vom von voneinander vor vorab vorbei vorgeschlagen vorgestellt vorgestern vorgezogen
vorhang vorher vorherige vorhin vorige vorkenntnisse vorkommen vorkommt vorlesen vorliebe vorlieben
vorliest vorläufig vorm vormittag vormittags vorn vorname vornamen vorne vorschlag vorschlagen
vorschläge vorschlägst vorsichtig vorsichtige vorspeise vorstellen vortrag vorträge vorwissen
vorwurf vorwärts vorwürfe vorziehen vs väter vögel völlig wach wache wachse wachsen wachst wahl wahr
wahre wahren wahres wahrheit wahrheiten wahrscheinlich wal wald walnüsse wand wandere wandern
wanderst wandert wann war waren warm warme warmen warmer warmes warne warnen warnst warnt warnung
warnungen warst wart warte warten wartest wartet warum was wasche waschen waschmaschine wasser
wechseln wechselst wechselt wechsle weck wecke wecken wecker weckst weckt weder weg wege wegen
weggehen weggelassen weglassen weiblich weibliche weiblichen weich weiche weichen weihnachten weil
weile wein weine weinen weinst weint weise weit weite weiten weiter weitererzählen weiterhelfen
weiterhin weitermachen weiterreden weitschweifig weiß weiße weißen weißer weißes weißt weißwein
welche welchem welchen welcher welches wellensittich welpe welt wem wen wenig wenige wenigen weniger
wenigstens wenn wer werde werden werdet werfe werfen werktag werktags werkzeug wertvoll weshalb
wessen westen weswegen wetter wettkampf wichtig wichtige wichtigen wichtiger wichtiges wichtigste
wichtigsten widerspreche widersprechen widersprich widersprichst widerspricht widersprochen
widerspruch wie wieder wiederhol wiederhole wiederholen wiederholst wiederholt wiederholung
wiederholungen wiedersehen wiederum wiege wiegen wiegst wiegt wiese wiesen wieso will willkommen
willst wind winter wir wird wirke wirken wirkst wirkt wirst wische wischen wissen wissenschaft wisst
witwe witwer witz witze witzel witzen witzig witzige witzigen witziger wo wobei woche wochen
wochenende wochenenden wochenlang wodurch wofür wogegen woher wohin wohne wohnen wohnst wohnt wohnte
wohnung wohnungen wohnzimmer wolf wolke wolken wolle wollen wollt wollte wollten wolltest womit
wonach woran worauf woraus worden wort worte worten wortkarg wortlaut wortschatz wortspiel
wortspiele wortspielen wortwahl worum worüber wovon wozu wunderbar wunderbare wundere wundern
wunderschön wundert wunsch wurde wurden wurdest wurst wusste wussten wut wächst wähle wählen wählst
wählt während währenddessen wälder wände wäre wären wäret wärme wärmer wärst wäsche wäschst wäscht
wöchentlich wölfe wörter wörterbuch wörtern wörtlich wünsche wünschen wünschst wünscht würde würden
würdest würdet würstchen würste würze würzen wüsste wütend yoga zahl zahle zahlen zahlst zahlt zahn
zahnarzt zahnbürste zahnpasta zahnschmerzen zahnärztin zb zeh zehen zehn zehntausend zehnte zeichen
zeichensetzung zeichne zeichnen zeichnest zeichnet zeig zeige zeigen zeigst zeigt zeile zeilen zeit
zeiten zeitplan zeitschrift zeitung zeitungen zeitverschiebung zeitzone zentimeter zettel zeugnis
ziege ziegen ziehe ziehen ziehst zieht ziel ziele ziemlich ziffer ziffern zimmer zimt zitat zitate
zitiere zitieren zitierst zitiert zitrone zitronen zollangaben zorn zu zuallererst zucker zuckerfrei
zudem zueinander zuerst zufall zufolge zufrieden zufriedene zufriedenheit zufällig zug zugeben
zugehört zugestimmt zuhaus zuhause zuhören zukunft zukünftig zuletzt zuliebe zum zumachen zumal
zumindest zunehme zunehmen zunge zunächst zur zurück zurückhaltend zurückkommen zusammen
zusammenfassen zusammenfasst zusammenfassung zusammenfassungen zusammengefasst zusammenhang
zustimmen zustimmst zutat zutaten zuverlässig zuverlässige zwanzig zwar zwei zweimal zweite zweiten
zweitens zweiter zweitsprache zwiebel zwiebeln zwilling zwillinge zwinge zwingen zwischen
zwischendurch zwölf zähle zählen zählst zählt zähne zähnen züge ähnlich ähnliche ähnlichen
ähnlichkeit älter ältere älteste ändere ändern änderst ändert ängste ängstlich äpfel ärger ärgere
ärgern ärgerst ärgert ärzte ärztin äußerst öffentlich öffne öffnen öffnest öffnet öfter öl
österreicher österreichisch übe üben über überall überblick überflüssig überflüssige überflüssigen
überfordere überfordern überfordert überhaupt überleg überlege überlegen überlegst überlegt überm
übermorgen übernehmen übernimm überprüfe überprüfen überprüft überrasche überraschen überrascht
überraschung überschrift überschriften überschwänglich übersetz übersetze übersetzen übersetzer
übersetzerin übersetzt übersetzte übersetzung übersetzungen übersicht überstunden übertreibe
übertreiben übertreibst übertreibt übertrieben übertriebene übertriebenen überwiegend überzeugung
üblich übliche übrigens übst übt übung übungen
"""
SPANISH = """
a abajo abeja abierta abierto abiertos abogada abogado abra abrazo abre abrevia abreviar abrigo
abril abrir abro absolutamente abuela abuelo abuelos aburre aburren aburrida aburrido aburridos
aburrimiento aburrir acaba acabado acabando acabar acabas acabe acabes acabo acaso accidente aceite
acento acentos acepta aceptar acepte acepto aconseja aconsejar aconseje aconsejes aconsejo acordar
acordarte acorta acortar acostar acostarme acostumbrada acostumbrado acostumbrar acostumbro actual
actuales actualmente acuerdas acuerde acuerdo acuesta acuesto acá adelante adelgazar adelgazo además
adentro adivinanza adiós adjetivo adjetivos adonde adora adorar adoro adular adules adulta adulto
adultos adverbio advertencia advertencias advertir advertirme advierta advierte advierto adónde
aeropuerto aficiones afición afortunadamente afuera agosto agotada agotado agrada agradable
agradables agradan agradar agradece agradecer agradecería agradeces agradecida agradecido agradezca
agradezcas agradezco agrega agregar agrego agregue agregues agricultor agua ah ahora ahorra ahorrar
ahorro ahí ajedrez ajo al alabar alcohol alegra alegrar alegre alegres alegro alegría alemana alemán
alergia alergias alfabeto alfombra algo algodón alguien alguna algunas alguno algunos algún allá
allí alma almendras almohada almorzamos almorzar almuerza almuerzo alquiler alrededor alta altas
alternativa alternativas alto altos altura alumna alumno alumnos alérgica alérgico ama amaba
amabilidad amable amablemente amables aman amar amarga amargo amarilla amarillo ambas ambos amiga
amigable amigas amigo amigos amistad amo amor ancho anda andando andar andas ando anillo anima
animada animado animal animales animar anime animes anoche ansiosa ansioso ante anteayer anterior
anteriores antes antigua antiguo anécdota anécdotas anímame apartamento aparte apellido apellidos
apenas apetito apodo apoya apoyar apoye aprenda aprendas aprende aprendemos aprenden aprender
aprenderlo aprendes aprendido aprendiendo aprendo aprendí aproximadamente apóyame aquel aquella
aquellas aquello aquellos aquí araña argentina argentino armario arriba arroz arte artista artículo
artículos asada asado asignatura asistente asuma asumas asume asumir asustado así atención atletismo
atrás atún aun aunque autobús avanzada avanzado ave avisa avisar avisarme avisarte avise avises
aviso avión avísame avíseme ay ayer ayuda ayudado ayudamos ayudan ayudando ayudar ayudarme ayudarnos
ayudarte ayudas ayude ayuden ayudes ayudo ayúdame ayúdeme azul azules azúcar añada añadas añade
añades añadido añadir añado año años aún baila bailamos bailando bailar bailas baile bailo baja
bajas bajo bajos balcón ballena baloncesto balonmano balón bar barata barato barco barriga barrio
base basta bastante bastantes bastar basura batería baño beba bebas bebe bebemos beben beber bebes
bebida bebidas bebiendo bebo bebé bebía beso biblioteca bicicleta bien bienvenida bienvenido
biología blanca blanco blancos blando boca boda bolso bolígrafo bonita bonitas bonito bonitos bosque
botas botella boxeo brazo brazos breve brevemente breves broma bromas bromea bromear bromees bromeo
buen buena buenas bueno buenos bufanda burla burlas busca buscamos buscan buscando buscar buscas
busco busque busques caballo cabeza cabra cacahuete cacahuetes cada cafetería cafeína café caja
calcetines calendario caliente calientes caligrafía calla callar calle calles callo calma calor cama
cambia cambiado cambiar cambiarlo cambias cambie cambies cambio camina caminando caminar caminas
caminata camino camisa camiseta campo canciones canción cansa cansada cansado cansados cansan canso
canta cantamos cantando cantante cantar cantas cantidad canto capítulo cara caramelo cariño cariñosa
cariñoso carne caro carrera carro carta cartas carácter casa casada casado casar casas casi caso
castellano catalán catorce cebolla celeste celos celoso celsius celíaca celíaco cena cenamos cenar
cenas ceno centímetros cerca cercana cercano cerdo cerdos cerebro cereza cero cerrada cerrado cerrar
cerveza chao chaqueta charla charlar charlo checo chica chico chicos chileno chino chiste chistes
chocolate ciclismo ciega ciego cielo cien ciencia ciencias ciento cierra cierre cierro cierta
ciertas cierto ciertos cilantro cinco cincuenta cine cinturón cita citar citas cite cites ciudad
clara claramente claras claro claros clase clases clima coche cocina cocinamos cocinan cocinando
cocinar cocinas cocine cocinero cocino colega colegio collar colombiano coloquial coloquiales color
colores coma coman comas come comemos comen comenzando comenzar comer comerlo comes comida comidas
comido comience comiences comiendo comienza comienzas comienzo comillas como compara comparación
comparar compare compañera compañero compañeros compleja complejo completa completamente completas
completo completos complicada complicadas complicado complicados comportarse comportarte compra
comprado compramos comprar compras compre comprenda comprendas comprende comprender comprendes
comprendo comprensión compro comprobar comprueba compruebe comunes coméis comí comía común con
concentración concierto concisa concisas conciso concisos conclusión condescendiente conduce
conducir conduzco conejo confianza confiar confirma confirmar confirme confirmes confía confíes
confío conjugación conmigo conoce conocemos conocen conocer conoces conocido conocimiento
conocimientos conocí conozca conozco conque conseguir consejo consejos considera considerar
considere considero consiga consigo consigue consolar constantemente contamos contando contar
contarme contenido contenta contento contentos contesta contestan contestando contestar contestarme
contestas conteste contesten contestes contesto contigo continuamente continuando continuar continúa
continúas continúe continúo contra contradecir contradice contradime contradígame contraria
contrario contármelo contéstame contésteme conversa conversaciones conversación conversar converso
corazón corbata cordero coreano coro corra corre correcta correctamente correctas correcto correctos
corregido corregir corregirlos corregirme corremos correo correos correr corres corrido corriendo
corrige corriges corrigiendo corrija corrijas corrijo corro corrígelo corrígeme corríjame corta
cortar cortas corteses cortesía corto cortos cortés cosa cosas cose coser coso costar costumbre
costumbres cotidiana cotidiano crea creas crece crecer crecí cree creemos creen creer crees creo
creía creído critica criticar critique critiques cruda crudo crítica críticas cuaderno cuadro cual
cuales cualquier cualquiera cuando cuanta cuantas cuanto cuantos cuarenta cuarta cuarto cuatro
cuchara cuchillo cuello cuenta cuentan cuentas cuente cuentes cuento cuentos cuero cuerpo cuesta
cuestan cuida cuidadosa cuidadoso cuidar cuidas cuide cuides cuido culpa cultura cumpleaños cumplido
cumplidos curiosa curiosidad curioso cursiva curso cursos cuya cuyo cuál cuáles cuándo cuánta
cuántas cuánto cuántos cuéntame cuénteme cálida cálido cállate cómo da daba dado dais daltónico dame
damos dan dando danza danés dar darle darme darnos daría das de deba debajo deban debas debe debemos
deben deber deberes debería deberían deberías debes debido debo debía decida decidas decide decides
decidido decidir decido decimos decir decirlo decirme decirte decisiones decisión decía decírmelo
decís dedicar dedico dedo dedos deja dejado dejan dejando dejar dejarme dejas deje dejen dejes dejo
del delante deletrea deletrear delfín deliciosa delicioso demasiada demasiadas demasiado demasiados
deme demás den dentista dentro deporte deportes deprisa derecho derrota des desagradable desayuna
desayunamos desayunar desayunas desayuno desayunos descansa descansar descansas descanse descanso
descansos describa describe describir describo descripción desde desea desear deseas deseen deseo
desgraciadamente desordenado despacio despedida despedidas despedir despedirte despertar despertarme
despidas despide despido despierta despierte despierto después detalla detallada detalladamente
detalladas detallado detallados detallar detalle detalles detestar detesto detrás di diabética
diabético dialecto diariamente diario dibuja dibujar dibujo diccionario dice dicen dices dicho
diciembre diciendo diecinueve dieciocho diecisiete dieciséis diente dientes diestro dieta diez
diferencia diferencias diferente diferentes dificultad difícil difíciles difícilmente diga digan
digas digo dije dijera dijo dilo dime dinero dio dios directa directamente directas directo directos
dirige diriges dirigir dirigirte dirija dirijas dirijo dirá diré diría dirígete diríjase disculpa
disculparse disculparte disculpas disculpe disculpes discusión dislexia disléxica disléxico distinta
distintas distinto distintos divertida divertidas divertido divertidos divertir divierte divierten
diviertes divorciada divorciado divorcio diálogo doble doce docena doctor doler dolor dolores
domingo domingos don donde dorado dormido dormimos dormir dormitorio dormía dos doscientos doy doña
ducha ducharme duele duelen duerma duerme duermen duermes duermo dulce dulces dura durante durmiendo
duro dámelo dé débil décimo déjame déjelo día días dígame dígamelo dímelo dólar dólares dónde e edad
educación educada educadamente educado educados educativo eh ej ejemplo ejemplos ejercicio
ejercicios el elefante elegido elegir elige eliges elija elijas elijo elimina eliminar elimine ella
ellas ello ellos elogiar elogies elogio elogios embarazada embargo emocionada emocionado emoji
emojis emoticono emoticonos empatía empecé empezamos empezando empezar empiece empieces empieza
empiezan empiezas empiezo emplea empleando emplear emplee emplees empleo en enamorada enamorado
encanta encantaba encantan encantar encantaría encima encontrado encontramos encontrar encuentra
encuentran encuentras encuentre encuentres encuentro enero enfada enfadada enfadado enfadar enfades
enfado enferma enfermedad enfermera enfermero enfermo enfrente engordar enoja enojada enojado enojar
enojo ensalada ensaladas ensayo ensayos enseguida enseña enseñado enseñan enseñando enseñar
enseñarme enseñas enseñe enseñes enseño enséñame enséñamelo enséñeme entendemos entender entenderlo
entendido entendiendo entendí entendía entera entero entienda entiendas entiende entienden entiendes
entiendo entonces entra entrar entre entrenador entrenamiento entretanto entro enumera enumerar
envidia equipo era eran eras eres error errores es esa esas escalera escoge escoger escoja escojo
escriba escriban escribas escribe escriben escribes escribiendo escribimos escribir escribirla
escribirlo escribirme escribo escribí escribía escrito escritor escritora escritorio escritura
escríbame escríbeme escucha escuchamos escuchan escuchando escuchar escuchas escuche escuches
escucho escuela escúchame escúcheme ese esfuerzo eso esos espalda español española especial
especiales especialmente especias espejo espera esperamos esperan esperando esperanza esperar
esperas espere esperes espero esposa esposo espérame esquí esta estaba estaban estabas estación
estado estamos estando estar estaría estas este estemos estilo estilos esto estos estoy estrecho
estrella estricta estricto estrés estudia estudiado estudiamos estudian estudiando estudiante
estudiantes estudiar estudias estudie estudies estudio estudié estupendo estuve estuviera estuvo
está estáis están estás esté estén estés estómago etc etcétera euro euros euskera evidentemente
evita evitando evitar evitarlo evitas evite eviten evites evito evítalo exacta exactamente exacto
exagera exagerar exageres examen excelente excelentes excepciones excepción excepto exclamación
exigente existe existir experiencia experiencias explica explicaciones explicación explicado
explicamos explican explicando explicar explicarlo explicarme explicas explico explique expliquen
expliques explícalo explícame explícamelo explíqueme expresa expresar expresarme expresarte expreses
expresiones expresión expreso exprésate extensa extensas extenso extensos extraña extraño exámenes
fahrenheit falda falsa falso falta faltan faltar faltas falte familia fantástico farmacia fastidia
fastidian fastidiar favor favores fe fea febrero fecha fechas felices felicidad felicita felicitar
felicitarme felicites felicito feliz femenina femenino feo fideos fiebre fiesta fiestas filosofía
fin final finalmente finlandés firma flauta flor flores forma formal formales formalmente formas
foto fotografía fotos fracaso franca francamente francesa francés franqueza frase frases
frecuentemente fresa fresas fresca fresco freír frijoles frita frito fruta frutas fría frías frío
fríos fue fuego fuente fuentes fuera fueron fuerte fuertes fuese fui fuimos fuiste fuma fumador
fumadora fumar fumas fumo futuro fácil fáciles fácilmente fíjate fíjese física fútbol gafas gallego
galleta galletas gallina gallo gambas gana ganar ganas gano garaje garbanzos garganta gasta gastar
gasto gata gato gatos generación general generales generalmente genial geniales gente geografía
gerundio gimnasia gluten golf goma gorra gracias graciosa gracioso graciosos grado grados gramos
gramática gran grande grandes granja granjas gratis gratitud gratuitamente griego gripe gris grises
grita gritar grites grito grosera groseras grosero groserías grupo guantes guapa guapo guaraní
guerra guiar guion guiones guisantes guitarra gusta gustaba gustaban gustado gustan gustar gustaría
gustarían guste gusten gusto gustos guía guíame género ha haber habido habiendo habitación
habitualmente habla hablaba hablado hablamos hablan hablando hablante hablantes hablar hablarme
hablarnos hablarte hablas hable hablen hables hablo habláis hablé habló habrá habría habéis había
habían habías hace hacemos hacen hacer hacerlas hacerlo hacerme haces hacia haciendo hacéis hacía
haga hagamos hagan hagas hago halagar halagos halagues hambre hambriento han harina hará haré haría
has hasta hay haya hayan hayas haz hazlo hazme he hebreo hecho helado hemos hermana hermanas hermano
hermanos hermosa hermoso hervir hice hiciera hicieron hierba hija hijas hijo hijos hindi historia
historias hizo hogar hoja hojas hola holandés hombre hombres hombro honesta honestamente honestas
honestidad honesto honestos hora horario horas hormiga hornear horneo horrible horribles hospital
hotel hoy hubiera hubiese hubo hueso huevo huevos humor hábito hábitos háblame háblanos hábleme
háblenme háganlo hámster húmedo húngaro iba iban ibas idea ideas idioma idiomas ido iglesia igual
iguales igualmente impaciente imperativo importa importaba importan importante importantes importar
importe imposible incluir inclusive incluso incluya incluyas incluye incluyen incluyendo incluyes
incluyo incorrecta incorrecto indica indicar indicativo indico indique indiques infancia infantil
infinitivo informal informales informalmente informe informes ingeniera ingeniero inglesa inglés
ingrediente ingredientes inmediatamente innecesaria innecesarias innecesario innecesarios inseguro
instituto instrumento insulta insultar insultes inteligente inteligentes intenta intentar intentas
intente intentes intento interesa interesan interesante interesantes interesar interese intereses
interrogación interrumpas interrumpe interrumpir interés introducción inventa inventar inventarlas
inventarlo invente inventes invierno invitado invitados inútil ir ira irme ironía irá iré iría
irónica irónico italiano jabón jamás jamón japonés jarabe jardín jefa jefe jerga jersey jirafa joven
jubilación jubilada jubilado judías juega juegan juegas juego juegos juegue jueves jugaba jugador
jugadora jugamos jugando jugar jugo juguete julio junio justa justo juventud juzga juzgar juzgo
juzgue juzgues jóvenes kilo kilos kilómetro kilómetros la labios lactosa lado lago lamentablemente
lana larga largas largo largos las latinoamericano latín lava lavadora lavar lave lavo le lea lean
leas lecciones lección leche lechuga lector lectora lectura lee leemos leen leer leerlo lees lejos
lengua lenguaje lenta lentamente lentas lentejas lentes lento lentos leo les letra letras levanta
levantar levantarme levantas levante levanto ley leyendo leí leía leído león libertad libre libres
libro libros ligera ligero limpia limpiar limpio limpios limón linda lindo lista listas listo
literal literales literalmente litro llama llamaba llamada llamadas llamado llamamos llaman llamando
llamar llamarme llamarte llamas llame llamen llames llamo llanto llave llaves llega llegado llegamos
llegan llegar llegas llego llegue llegues llena lleno lleva llevaba llevado llevamos llevan llevar
llevarme llevas lleve lleves llevo llora llorar lloro lluvia llámame llámeme llévame lo lobo loca
loco logra lograr logro longitud loro los luego lugar luna lunes luz lámpara lápiz límite línea
líneas lógico madre madrugada madrugador maduro maestra maestro mal mala malas maleducado maleta
malo malos mandarín maneja manejar manejo manera mango mano manos manta mantener mantenga mantengas
mantengo mantequilla mantén manzana manzanas maní mar maravillosa maravilloso marido mariposa
marisco mariscos marrón martes marzo mascota mascotas masculina masculino matemáticas matrimonio
mayo mayor mayores mayúscula mayúsculas maíz mañana me media medianoche mediante medicina medio
mediodía mejor mejora mejorado mejorar mejore mejores mejoro melodía melón memoria menciona
mencionar mencione menciones menor menores menos mensaje mensajes mente mentir mentira menudo
mercado merienda mermelada mes mesa meses meta metas metro metros metáfora metáforas mexicana
mexicano mi miedo miel mientas miente miento mientras mil millones millón minuto minutos minúscula
minúsculas mira miran mirando mirar miras mire mires miro mis misma mismas mismo mismos mitad
miércoles mochila moda modales moderna moderno modismos modo mojado molesta molestaba molestan
molestar moleste molestes momento mono monta montar montaña monto morada morado morir mosca mosquito
mostrado mostrando mostrar mostrarme mostrármelo motiva motivar motives motivo motivos moto mucha
muchacho muchas mucho muchos mudanza mueble muebles muere muerta muerto muestra muestras muestre
muestren muestres muestro mujer mujeres muletillas mundo murió museo muy muéstrame muéstreme más
médica médico médicos método mí mía mías mío míos móvil música músico nacer nacimiento nació nací
nada nadamos nadar nadie nado naranja naranjas nariz natación nativa nativo nativos natural
naturales naturalmente navidad necesaria necesariamente necesario necesidad necesita necesitaba
necesitamos necesitan necesitar necesitas necesite necesites necesito neerlandés negra negrita
negritas negro negros nerviosa nervioso neutra neutral neutro ni nieta nieto nieve ninguna ninguno
ningún nivel niña niñas niño niños no noche noches nombre nombres norma normal normales normalmente
norte noruego nos nosotras nosotros nota notas noticia noticias novela novelas noveno noventa novia
noviembre novio nube nueces nuestra nuestras nuestro nuestros nueva nuevas nueve nuevo nuevos nuez
numera numerar nunca náhuatl número números o objetiva objetivo objetivos obligatorio observa
observar observo obstante obviamente ocasión ochenta ocho octavo octubre ocupada ocupado ocurre
ocurrir odia odiamos odiar odio oeste oficina ofrece ofrecer ofrezca ofrezcas ofrezco ofréceme oh
oigo ojalá ojo ojos ok okay olvida olvidado olvidar olvidas olvide olvides olvido omita omitas omite
omitir once opciones opción opiniones opinión oportunidad oraciones oración orden ordena ordenada
ordenado ordenar ordene ordeno oreja organiza organizar organizo orgullo orgullosa orgulloso
orquesta ortografía os oscura oscuro oso otoño otra otras otro otros oveja oye oyen oyes oído oímos
oír paciencia paciente pacientes padece padecer padezco padre padres paga pagado pagar pagas pago
pague palabra palabras pan panadero panadería pantalones pantalón papa papas papel par para paraguas
parece parecen parecer parecida parecido pared pareja parezca parezcas parezco parque parte partes
particular partido partidos partir paréntesis pasa pasaba pasada pasado pasados pasamos pasan
pasando pasar pasas pasatiempo pase pasea paseando pasear paseo pases pasiva paso pasos pasta pastel
pastilla pastillas patata patatas pato pausa paz país peces pecho pedazo pedido pedimos pedir
pedirlo pedirme pedirte pedí pedía pedírmelo peligro pelo pelota peluquero película películas
pendientes pensaba pensado pensamiento pensamientos pensamos pensando pensar peor peores pepino
pequeña pequeñas pequeño pequeños pera perder perdido perdona perdonar perdone perdono perdón
perejil perezosa perezoso perfecta perfectamente perfecto periodista periódico permita permitas
permite permitir permito permítame pero perra perro perros persa persona personal personales
personalmente personas peruano pesada pesadas pesado pesados pesar pescado peso pesos pez piano
picante picantes pida pidan pidas pide piden pides pidiendo pido pie piedra piel piensa piensan
piensas piense pienses pienso pierda pierdas pierde pierdes pierdo pierna piernas pies pimienta
pimiento pinta pintar pinto pintura piso pizarra piña plan planear planeo planes planifica plato
platos playa plaza plural plátano pobre poca pocas poco pocos podemos poder podido podrá podré
podría podrían podrías podéis podía podían poema poemas poesía polaco policía pollo política pon
pondría pone ponemos ponen poner ponerme pones ponga pongan pongas pongo poniendo ponme ponía por
porque porqué portugués posible posiblemente posibles posteriormente postre practica practicando
practicar practicas practico practique practiques precio precios preciosa precioso precisa
precisamente preciso preferencia preferencias preferimos preferir preferiría prefería prefiera
prefieras prefiere prefieren prefieres prefiero pregunta preguntado preguntan preguntando preguntar
preguntarlo preguntarme preguntarte preguntas pregunte pregunten preguntes pregunto pregúntame
pregúntamelo pregúnteme preocupa preocupada preocupado preocupan preocupar preocupes preocupo
prepara preparado preparando preparar preparas prepare prepares preparo preposición presente presta
prestar presto pretérito previamente prima primavera primer primera primeramente primeras primero
primeros primo principal principales principalmente principiante principiantes principio privada
privado probable probablemente probado probar problema problemas procura procure procures profesión
profesor profesora profesores profunda profundiza profundizar profundo progreso promesa prometas
promete prometer prometo pronombre pronombres pronto pronuncia pronunciación pronunciar pronuncio
propia propias propio propios propone proponer proponga propongas propongo propónme prudente prueba
pruebas pruebe pruebes pruebo práctica práctico prácticos próxima próximo pude pudiendo pudiera pudo
pueblo pueda puedan puedas puede pueden puedes puedo puerta pues puesto punto puntos puntuación
puntual puse puso página páginas pájaro pájaros párrafo párrafos pública público que quechua queda
quedan quedar quedarme quedas quede quedes quedo queremos querer querido queriendo querría queréis
quería queso quien quienes quiera quieran quieras quiere quieren quieres quiero quieto quince
quinientos quinto quise quisiera quisiéramos quita quitar quite quites quito quizá quizás quién
quiénes qué química rabia radio rana rara raras raro raros rato ratón raya rayas razonable
razonables razones razón realmente receta recetas recientemente recién recomendaciones recomendación
recomendado recomendar recomienda recomiendas recomiende recomiendes recomiendo recomiéndame
recomiéndeme recordar recordarme recuerda recuerdan recuerdas recuerde recuerden recuerdes recuerdo
recuerdos recuérdame recuérdamelo recuérdeme redacción refresco refrán regala regalar regalo regalos
regla reglas relaciones relación relajada relajado relativamente religión relleno reloj relájate
repasa repasar repase repaso repente repetido repetimos repetir repetirlo repetirme repita repitan
repitas repite repiten repites repitiendo repitiéndote repito repíteme resfriado respeta respetar
respete respetes respeto responda respondan respondas responde respondemos responden responder
responderme respondes respondido respondiendo respondo respondía responsabilidad respuesta
respuestas respóndame respóndeme restaurante resultado resultados resuma resumas resume resumen
resumes resumido resumiendo resumir resumirlo resumo resúmeme resúmenes reuniones reunión revisa
revisar revise revises reviso revista reír reírme rica rico ridículo rincón risa ritmo rodeos
rodilla roja rojo rojos rompecabezas ropa rosa rota roto rumano ruso rápida rápidamente rápidas
rápido rápidos ríe ríen ríete río sabe sabemos saben saber saberlo sabes sabido sabor sabré sabría
sabía sal sala salada salado salchicha sale salen sales salga salgas salgo salido saliendo salimos
salir salmón salsa salud saluda saludable saludables saludar saludarme salude saludes saludo saludos
salvo salía salón sana sandalias sandía sangre sano sarcasmo sarcástica sarcástico se sea seamos
sean seas seca seco secretaria secreto sed seda seguido seguimos seguir segunda segundo segundos
segura seguramente seguridad seguro seguros según seis semana semanas sencilla sencillamente
sencillas sencillo sencillos senderismo sensible sensibles sentido sentimiento sentimientos sentimos
sentir sentirme sentí sentía sepa sepan sepas septiembre ser seria serias serie series serio serios
sermones serpiente servir será serán sería serían sesenta setas setenta setiembre sexto señala
señalar señale señales señalo señor señora señorita si sido siempre siendo sienta sientas siente
sienten sientes siento siete siga sigan sigas siglo significa significado significar signifique
signo signos sigo sigue siguen sigues siguiendo siguiente siguientes silla sillón simple simplemente
simples simpática simpático sin sincera sinceramente sinceras sinceridad sincero sinceros singular
sino sintió sirva sirve sirven sirvo sitio sitios siéntate sobra sobrar sobre sobria sobrina sobrino
sobrio sociedad sofá sois sol sola solamente soledad solemos soler solo solos soltera soltero
soluciones solución solía sombrero somos son sonreír sonríe sonrío sopa sorda sordo sorprendida
sorprendido sorpresa soy su suave suaves subjuntivo subraya subrayar sucede suceder sucia sucio
sueco sueldo suele suelen sueles suelo suerte sueño sueños suficiente suficientemente suficientes
sufre sufrir sufro sugerencia sugerencias sugerir sugiera sugieras sugiere sugieres sugiero
sugiéreme supe supermercado supone suponer supones supongas supongo supuesto sur sus sustantivo suya
suyas suyo suyos suéter sábado sábados sé séptimo sí sílaba sírvase sólo tabla tablas tailandés tal
tales talla también tambor tampoco tan tanta tantas tanto tantos tarde tardes tarea tareas tarta
taza te teatro techo tecnicismos teje tejer tejo televisión teléfono tema temas temperatura temprano
ten tendrá tendré tendría tenedor tenemos tener tenga tengan tengas tengo tenido teniendo tenis
tenéis tenía tenían tercer tercera tercero tercio termina terminado terminan terminando terminar
terminas termine termines termino ternera terraza terrible terribles texto textos teórico ti tibio
tiburón tiempo tienda tiene tienen tienes tierra tigre tilde tildes tipo tipos toalla toca tocan
tocar tocas toco toda todas todavía todo todos toma tomado tomamos toman tomando tomar tomarlo tomas
tomate tomates tome tomes tomo tono tonta tontería tonterías tonto toque tormenta tortilla tortuga
tos totalmente trabaja trabajaba trabajado trabajador trabajadora trabajamos trabajan trabajando
trabajar trabajas trabaje trabajes trabajo trabajos trabajé tradición traducciones traducción
traduce traduces traducido traduciendo traducir traducirlo traductor traductora traduzca traduzcas
traduzco tradúcelo tradúceme trae traer traiga traigo traje tranquila tranquilamente tranquilo
tranquilos tras trata tratado tratan tratar tratarme tratas trate traten trates trato través trece
treinta tren tres triste tristes tristeza trompeta trátame tráteme tu turco turno tus tutea tutear
tutearme tuteas tutee tuteen tutees tuteo tutéame tuve tuviera tuvo tuya tuyas tuyo tuyos té técnica
técnicas técnico técnicos término términos tía tímida tímido tío título títulos tómate tómatelo tú u
ucraniano uf un una unas unidad unidades universidad uno unos usa usaba usada usado usamos usan
usando usar usarla usarlo usarlos usas use usen uses uso usted ustedes utilice utilicen utilices
utiliza utilizado utilizan utilizando utilizar utilizas utilizo uva uvas uña va vaca vacaciones
vacía vacío vais vale valiente vamos van varias varios vas vasco vaso vaya vayan vayas ve vea vean
veas veces vecina vecino vecinos vegana vegano vegetariana vegetariano vegetarianos veinte
veinticinco veintiuno vejez vemos ven vendría venga vengan vengas vengo venido venimos venir ventana
venía veo ver verano verbo verbos verdad verdadera verdaderamente verdadero verde verdes verdura
verduras vergüenza verifica verificar verifique verlo ves vestido vestirme vez veía vi viaja
viajamos viajando viajar viajas viaje viajes viajo vida vieja viejas viejo viejos viendo viene
vienen vienes viento viernes vietnamita vinagre vine viniendo vino vio violeta violín visita visto
viuda viudo viva vivas vive viven vives vivido viviendo vivimos vivir vivo viví vivía vivís viñeta
viñetas vocabulario volar voleibol voluntario volvemos volver vos vosotras vosotros voy voz vuela
vuelo vuelto vuelva vuelvas vuelve vuelven vuelves vuelvo vuestra vuestras vuestro vuestros y ya
yendo yo yoga yogur zanahoria zapato zapatos zorro zumo zurda zurdo zurdos ácida ácido ánimo árabe
árbol árboles él éramos éxito ópera última últimamente últimas último últimos única únicamente único
úsalo útil útiles
"""
FRENCH = """
a abeille abrège abréger absence absolument abstrait abuse abuser accent accents accepte accepter
acceptes acceptez accident accord accorde accorder accordez acheter achetons acheté achète achètes
acide actuel actuelle actuellement adapte adapte-toi adapter adaptez adieu adjectif adjectifs adore
adorer adores adorons adresse adresser adresses adressez adulte adultes adverbe adverbes affreux
afin agace agacer agir agis agneau agriculteur agréable agréables ah ai aide aide-moi aident aider
aides aidez aidez-moi aidons aidé aie aient aies ail aille aillent ailles ailleurs aimable aimables
aimais aimait aime aiment aimer aimerais aimerait aimes aimez aimons aimé ainsi ait ajoute ajouter
ajoutes ajoutez ajouté alcool allais allait allemand allemande aller allergie allergies allergique
allergiques allez allons allons-y allé allée allés allô alors alphabet alsacien alternative amandes
amener amer ami amie amies amis amitié amour amoureuse amoureux amusant amusante amuse amusent
amuser améliore améliorer améliorez an ananas ancien ancienne anecdote anecdotes anglais anglaise
anglicisme anglicismes animal animaux anniversaire année années ans anxieuse anxieux août
appartement appel appeler appelez appelez-moi appelle appelle-moi appellent appelles appelons appels
appelé apporte apporter apportes apprenais apprend apprendre apprends apprends-moi apprenez
apprenez-moi apprenne apprennent apprenons apprentissage appris apprécie apprécier apprécies appétit
après après-demain après-midi arabe arachide arachides araignée arbre arbres argent argot armoire
arrive arrivent arriver arrives arrivez arrivons arrivé arrête arrêter arrêtes arrêtez arrêté art
article articles artiste artistes as assez assiette assiettes assistant assistante attend attendez
attendre attends attendu attention attire attirer au aucun aucune aujourd'hui auquel aura aurai
auraient aurais aurait auras auront aussi auteur automatiquement automne autour autre autrefois
autrement autres autrice autrui aux avaient avais avait avancé avancée avant avant-hier avec avenir
avertir avertis avertissement avertissements avertissez aveugle avez aviez avion avions avis avocat
avocate avoir avons avril ayant ayez ayons aéroport bague baguette bain bains balcon baleine balle
ballon banane bananes bas base bases basket basque basse bateau batterie bavard bavardage bavarde
bavarder beau beaucoup beaux beige bel belge belges belle belles besoin besoins beurre bibliothèque
bien bientôt bienvenue bilingue bilingues biologie biscuit biscuits bisou bizarre bizarres bière
blague blagues blagueur blanc blanche bleu bleue bleus bof boire bois boisson boissons boit boive
boivent bon bonbon bonheur bonjour bonne bonnes bons bonsoir bottes bouche boulanger boulangerie
bouteille boxe boîte bras bravo bref brefs breton brièvement brève brèves bu bulgare bureau bus but
buts buvais buvez buvons bébé bête bêtes bêtise bêtises bœuf c'en c'est c'est-à-dire c'étaient
c'était cacahuètes cachet cadeau cadeaux café caféine cahier calendrier calme calmement calmes
campagne canadien canapé canard car caractère caractères carnivore carotte carottes cartable cartes
cas casquette cassé catalan cause ce ceci ceinture cela celle celle-ci celles celsius celui celui-ci
cent centimètres cents cependant cerise certain certaine certainement certaines certains cerveau ces
cet cette ceux ceux-ci chacun chacune chaise chaleur chaleureuse chaleureux chambre champignon
champignons chance change changer changes changez changé chanson chansons chante chanter chantes
chanteur chanteuse chantons chapeau chapitre chaque chat chats chatte chaud chaude chauds chaussette
chaussettes chaussure chaussures chaîne chef chemise cher cherche cherchent chercher cherches
cherchez cherchons cherché chers cheval chevaux cheveux chez chez-soi chiant chien chienne chiens
chiffre chiffres chimie chinois chocolat choisi choisir choisis choisissez choisissons choisit choix
chorale chose choses chère chèvre chœur ciel cinq cinquante cinquième cinéma citation citations cite
citer cites citez citron clair claire clairement claires clairs classe classes clé clés cochon
coiffeur coin collier collège collègue collègues colère combien comme commence commencent commencer
commences commencez commencé comment commençons commun commune compagne compagnon comparaison
compare comparer comparez complet complets complexe complexes compliment complimenter compliments
compliqué compliquée compliqués complète complètement complètes comprenais comprend comprendre
comprends comprenez comprenne comprennent comprenons comprimé comprimés compris compréhension
concentration concert concis concise concises concluez conclure conclus conclusion concombre concret
concrets concrète condescendant condescendante conditionnel conduire conduis conduit confiance
confier confirme confirmer confirmes confirmez confiture conjugaison conjuguer connais connaissance
connaissances connaissent connaissez connaissons connaît connaître connu conseil conseille
conseiller conseilles conseillez conseils considère considérer constamment conte content contente
contents contenu contes continue continuellement continuer continues continuez continué contraire
contre contredire contredis contredis-moi contredisez-moi conversation conversations copain copine
coq coriandre corps correct correcte correctement correctes corrige corrige-moi corrigent corriger
corriges corrigez corrigez-moi corrigé corse coréen costume coton cou couche couche-tard coucher
couché coudre couds couleur couleurs coupe couper coupes couple courageux couramment courant
courante courent courgette courir courons courriel courrier cours course court courte courtes
courtois courtoise courts cousin cousine couteau couverture coûte coûtent coûter craindre crains
craint cravate crayon crevettes crie crier cries critique critiquer critiques critiquez croient
croire crois croit croyez croyons cru crue créole cuillère cuir cuire cuisine cuisiner cuisines
cuisinier cuisinons cuit cuite culpabilité culture curieuse curieux curiosité cyclisme célibataire
côté cœliaque cœur d'abord d'abréger d'abuser d'accord d'acheter d'adjectifs d'adverbes d'aide
d'aider d'ail d'ailleurs d'aimer d'ajouter d'alcool d'allemand d'allemande d'aller d'allergies
d'amis d'amitié d'amour d'améliorer d'anecdotes d'anglais d'anglaise d'anglicismes d'animal
d'animaux d'années d'appartement d'apporter d'apprendre d'après d'arabe d'argent d'argot d'arriver
d'arrêter d'articles d'attendre d'attente d'attention d'aujourd'hui d'autre d'autres d'autrui
d'avance d'avoir d'eau d'elle d'elles d'emblée d'emoji d'emojis d'empathie d'employer d'en d'enfant
d'enfants d'ensemble d'entendre d'enthousiasme d'entrer d'envie d'envoyer d'erreur d'erreurs
d'espagnol d'essayer d'eux d'exagérer d'examen d'exclamation d'excuser d'excuses d'exemple
d'exemples d'exercices d'explication d'explications d'expliquer d'expressions d'expérience d'habiter
d'habitude d'habituer d'heure d'heures d'hier d'histoires d'hiver d'homme d'hommes d'honnêteté
d'huile d'humeur d'humour d'hésiter d'ici d'idées d'il d'imaginer d'informations d'insister
d'instruments d'insulter d'interrogation d'interrompre d'introduction d'intérêt d'inventer d'ironie
d'italien d'observer d'office d'oignons d'oiseaux d'oral d'orthographe d'oublier d'où d'un d'une
d'union d'usage d'utiliser d'y d'âge d'école d'écouter d'écrire d'élève d'émojis d'émoticônes
d'étape d'étapes d'étudier d'été d'éviter d'être d'œuf d'œufs daltonien daltonienne dames danger
danois dans danse danser danses dansons date dates dauphin davantage de dedans degré degrés dehors
demain demandais demandait demandant demande demande-moi demandent demander demandes demandez
demandez-moi demandons demandé demi demie dent dentiste dents depuis dernier derniers dernière
dernièrement dernières derrière des descendre descends description dessert dessine dessiner dessines
dessous dessus deux deuxième deuxièmement devais devait devant devenir devenu devez deviens devient
devine deviner devines devinette devoir devoirs devons devra devrai devraient devrais devrait devrez
devriez diabétique dialecte dialogue dictionnaire dieu difficile difficilement difficiles difficulté
difficultés différence différences différent différente différentes différents digère digérer
dimanche dira dirai dirais dirait dire direct directe directement directes directs dis dis-le
dis-moi disais disait disant discerner discussion discussions discute discuter discutons dise disent
dises disons dissertation distinguer dit dites dites-moi divers diverses divorce divorcé divorcée
dix dix-huit dix-neuf dix-sept dixième dizaine docteur doigt doigts dois doit doive doivent doives
donc donnait donne donne-moi donnent donner donnes donnez donnez-moi donnons donné dont dormais
dorment dormi dormir dormons dors dort doré dorénavant dos double douce doucement douche douleur
doux douzaine douze droit droite droitier drôle drôles du duquel dur durant dure dyslexie dyslexique
dyslexiques dès début débutant débutante débutants décembre décide décider décides décidez décidé
décision décisions décrire décris décrivez défaite déjeune déjeuner déjà délicieuse délicieux
déménagement dépend dépendre dépense dépenser dérange dérangent déranger déranges dérangez
désagréable désire désirer désolé désolée désormais détail détaille détailler détailles détaillez
détaillé détaillée détaillées détaillés détails détendu détendue déteste détester détestes détestez
détestons détour détours développer dîne dîner dû eau effort efforts eh elle elle-même elles emoji
emojis empathie emploi emploie emploies employer employez employé en enceinte encore encourage
encourage-moi encourager encourages encouragez-moi endroit endroits enfance enfant enfantin enfants
enfin enlever enlevez enlève ennui ennuie ennuient ennuyer ennuyeuse ennuyeux enseignant enseignante
enseigne enseigne-moi enseigner enseignes enseignez enseigné ensemble ensuite entend entendez
entendre entends entendu enthousiasme entier entière entièrement entraîne entraînement entraîner
entraîneur entre entre-temps entrer entrez entré enveloppe envers envie environ envoie envoie-moi
envoies envoyer envoyez envoyé erreur erreurs es escalier espagnol espagnole espoir esprit espère
espères espéranto espérer espérons essai essaie essaies essayer essayez essayons essayé essentiel
essentielle essentiellement est est-ce estomac et etc eu eue euh euro euros eux eux-mêmes ex exact
exacte exactement exagère exagères exagérer examen examens excellent excellente exception exceptions
exclamation excuse excuse-moi excuser excuses excusez excusez-moi exemple exemples exerce exercer
exercice exercices exigeant exigeante existe existent exister explication explications explique
explique-moi expliquent expliquer expliques expliquez expliquez-moi expliqué expression expressions
exprime exprime-toi exprimer exprès expérience expériences facile facilement faciles fahrenheit
faible faille faim faire fais fais-le fais-moi faisais faisait faisant faisons fait faite faites
faites-le faites-moi faits fallait falloir fallu familier familiers familière familièrement
familières famille farine fasse fassent fasses fatigue fatiguent fatiguer fatigué fatiguée fatigués
faudra faudrait fausse faut faute fautes fauteuil faux favoriser façon femme femmes fenêtre fera
ferai ferais ferait feras ferez ferme fermer fermes fermez fermé fermée feront feu feuille feuilles
fier fierté fille filles film films fils fin finalement fini finir finis finisse finissent finissez
finissons finit finnois fière fièvre flamand flatte flatter flatterie flatteries flattes fleur
fleurs flûte foi fois folle foncé font foot football forcément formel formelle formelles formels
formule formules fort forte fortement forts forêt fou fourchette fourmi frais fraise fraises franc
franche franchement franchise francophone francophones francs français française françaises fraîche
frire frites froid froide froids fromage fromages fruit fruits frère frères fréquemment fume fumer
fumes fumeur fur fut futur fâché fâchée félicite féliciter félicites féminin féminine février fête
fêtes gagne gagner gagnes gants garage garde garder gardes gardez gardé gare garçon garçons gauche
gaucher gauchère genou genoux genre gens gentil gentille gentillesse gentils gentiment girafe glace
gluten golf gomme gorge goûte goûter goûtez goûts grammaire grammes grand grand-mère grand-père
grande grandes grandi grandir grands grands-parents gras gratitude gratuit gratuite grec grenouille
griller grippe gris grise gronder gros gros-mots grosse grossir grossièreté grossièretés groupe
guerre guide guide-moi guider guillemets guitare guère gymnastique gâteau gâteaux génial géniale
général générale généralement génération géographie gêne gênent gêner habitais habite habitent
habiter habites habitez habitons habitude habitudes habituel habituelle habituellement habituer
habitué habituée haine hamster handball haricots haut haute haïr hein herbe heure heures heureuse
heureusement heureux hier hindi histoire histoires hiver homme hommes hongrois honnête honnêtement
honnêtes honnêteté honte horaire horaires horloge horrible horribles hors huile huit huitième humain
humains humeur humour hébreu hélas hésite hésiter hésites hésitez hôpital hôtel ici idiot idée idées
il ils image images imagine imaginer imaginez immédiatement imparfait impatient impoli important
importante importantes importants importe impossible impression impératif incluez inclure inclus
inclusif inclusive indicatif indique indiquer indiques indiquez infinitif infirmier infirmière
information informations informel informelle ingrédient ingrédients ingénieur inquiet inquiète
inquiéter insiste insister insistes instant instrument instruments insulte insulter insultes
intelligent intelligente interrogation interrompez interrompre interromps introduction intéressant
intéressante intéressantes intéressants intéresse intéressent intéresser intérêt inutile inutilement
inutiles invente inventer inventes inventez invité invités ira irai irais irait iras irez ironie
ironique ironiques islandais italien italienne italique italiques j'accepte j'accorde j'achetais
j'achète j'admets j'admire j'adore j'adorerais j'agis j'ai j'aide j'aimais j'aime j'aimerais
j'ajoute j'allais j'appelle j'apporte j'apprends j'appréciais j'apprécie j'apprécierais j'arrive
j'arrête j'attends j'attire j'aurai j'aurais j'avais j'avoue j'emploie j'emporte j'en j'enseigne
j'entends j'entre j'entretiens j'envisage j'envoie j'espère j'essaie j'estime j'exige j'existe
j'explique j'exprime j'habille j'habitais j'habite j'hésite j'ignore j'imagine j'insiste j'irai
j'irais j'observe j'offre j'organise j'ose j'oublie j'ouvre j'utilisais j'utilise j'y j'échange
j'économise j'écoutais j'écoute j'écris j'écrivais j'élève j'étais j'éteins j'étudiais j'étudie
j'évitais j'évite jalousie jaloux jamais jambe jambes jambon janvier japonais jardin jardine
jardiner jargon jaune jaunes je jeu jeudi jeune jeunes jeunesse jeux joie joli jolie jolis jouais
joue jouent jouer joues jouet joueur joueuse jouez jouons jour journal journaliste journée jours
joué joyeux judo juge juger juges jugez juillet juin jupe jurons jus jusqu'alors jusqu'au jusqu'aux
jusqu'en jusqu'ici jusqu'où jusqu'à jusque juste justifie justifier kilo kilomètre kilomètres kilos
l'a l'absence l'accent l'accord l'actualité l'adjectif l'adore l'adulte l'adverbe l'ai l'aide
l'aider l'ail l'aime l'aimer l'aise l'ajouter l'alcool l'allemand l'allergie l'alphabet l'ami
l'amitié l'amour l'améliorer l'anglais l'animal l'anniversaire l'année l'appartement l'appel
l'appeler l'appelle l'apprendre l'apprends l'apprentissage l'appétit l'après-midi l'arabe l'arbre
l'argent l'argot l'art l'article l'as l'attention l'aube l'auteur l'automne l'autre l'avance
l'avenir l'avion l'avis l'avoir l'eau l'effort l'empathie l'emploi l'endroit l'enfance l'enfant
l'ennui l'enseignant l'ensemble l'entends l'enthousiasme l'enveloppe l'envie l'erreur l'espagnol
l'espoir l'esprit l'essentiel l'examen l'excuse l'exemple l'exercice l'explication l'expliquer
l'expliques l'expression l'expérience l'habite l'habitude l'herbe l'heure l'histoire l'hiver l'homme
l'honnêteté l'huile l'humain l'humeur l'humour l'hébreu l'hôpital l'hôtel l'idée l'image l'imparfait
l'impression l'impératif l'indicatif l'infinitif l'information l'instant l'interrompre
l'introduction l'intérêt l'ironie l'italien l'italique l'occasion l'oignon l'oiseau l'on l'oncle
l'option l'opéra l'orage l'oral l'orchestre l'ordinaire l'ordre l'oreille l'orthographe l'os
l'oublie l'oublier l'ours l'ukrainien l'un l'une l'université l'usage l'utilise l'utiliser
l'utilises l'utilisez l'y l'âge l'âme l'échec l'école l'écoute l'écouter l'écrire l'écris l'écrit
l'écriture l'éducation l'église l'élève l'éléphant l'épaule l'équipe l'étape l'étoile l'étude l'été
l'évite l'éviter l'île l'œil l'œuf la lac lactose laid laine laisse laisse-moi laissent laisser
laisses laissez laissez-moi laissé lait lampe langage langue langues lapin laquelle large latin lave
lave-linge laver laves le lecteur lectrice lecture lent lente lentement lentilles lents lequel les
lesquelles lesquels lettre lettres leur leurs lever levé leçon leçons liberté libre librement libres
lieu ligne lignes limite limiter limites limitez lion lire lis lisais lisait lise lisent lises lisez
lisons liste listes lit litre litres littéral littéralement livre livres logique loi loin loisir
loisirs long longs longtemps longue longuement longues longueur lors lorsqu'elle lorsqu'il
lorsqu'ils lorsqu'on lorsque louanges loup lourd lourde lourdes lourds loyer lu lui lui-même lumière
lundi lune lunettes lycée là là-bas là-haut lève lève-tôt lèves lèvres léger légume légumes légère
légèrement m'a m'adore m'adresse m'adresser m'adresses m'adressez m'agace m'agacent m'aide m'aident
m'aider m'aides m'aidez m'aime m'aimer m'amuse m'amuser m'améliorer m'appeler m'appelez m'appelle
m'appelles m'apporte m'apprendre m'apprends m'apprenne m'apprennes m'arrange m'arrive m'arrêter
m'asseoir m'assois m'attendre m'attends m'attriste m'avait m'avertir m'avertis m'avertisses m'embête
m'embêtent m'en m'encourage m'encourager m'encourages m'endormir m'endors m'ennuie m'ennuient
m'ennuyer m'enseigner m'entendre m'entends m'entraîne m'entraîner m'excuse m'excuser m'exercer
m'explique m'expliquent m'expliquer m'expliques m'expliquez m'exprime m'exprimer m'habille
m'habiller m'habitue m'habituer m'importe m'indique m'indiquer m'indiques m'inquiète m'inquiéter
m'insulte m'interrompre m'interromps m'interrompt m'intéresse m'intéressent m'intéresser m'oblige
m'occupe m'offre m'offrir m'ont m'y m'écoute m'écouter m'écoutes m'écrire m'écris m'écrit m'écrives
m'écrivez m'énerve m'énervent m'énerver m'étonne ma madame mademoiselle magasin magazine magnifique
magnifiques mai maigrir maigris mail mails main mains maint maintenant mais maison maisons majuscule
majuscules mal malade malades maladie malgré malheureusement malvoyant mandarin mange mangeais
mangeait mangent mangeons manger manges mangez mangue mangé manie manière manières manque manquent
manquer manques manteau marche marcher marches marchons marché mardi mari mariage marier marié
mariée mariés marron mars masculin masculine match matchs maths mathématiques matin matins matinée
matière matières mauvais mauvaise mauvaises maître maîtresse maïs me meilleur meilleure meilleures
meilleurs melon mens mensonge ment mentionne mentionner mentionnes mentir mer merci mercredi mes
message messages messieurs mesure met mets mettais mettait mette mettent mettes mettez mettons
mettra mettre meuble meubles midi miel mien mienne miennes miens mieux mille milliard million
millions minuit minuscule minuscules minute minutes miroir mis mise moche mode moderne moi moi-même
moins mois moitié moment mon monde monsieur montagne monte monter montrant montre montre-moi
montrent montrer montres montrez montrez-moi montré moque moquer moquerie moqueries moques morale
moralisateur moralisatrice morceau mort morte mot mot-clé motive motiver moto mots mou mouche
mouillé mourir moustique mouton moyen mur musicien musicienne musique musée mère mètre mètres
médecin médicament médicaments mélodie mémoire mémorise mémoriser ménage métaphore métaphores
méthode métier météo même mêmes mûr n'a n'abuse n'abusez n'ai n'aie n'aies n'aimais n'aime n'aiment
n'aimes n'aimez n'aimons n'ajoute n'ajoutes n'ajoutez n'apprécie n'arrive n'arrives n'arrête
n'arrêtez n'as n'attendez n'attends n'attire n'avais n'avait n'avez n'avons n'ayez n'emploie
n'emploies n'employez n'en n'enlève n'ennuie n'entends n'entre n'es n'essaie n'essayez n'est
n'est-ce n'exagère n'exagérez n'explique n'expliques n'expliquez n'exprime n'habite n'hésite
n'hésitez n'imite n'importe n'impose n'inclus n'indique n'insiste n'insistez n'insulte n'interrompez
n'interromps n'intéresse n'invente n'inventez n'offre n'omets n'omettez n'ont n'ose n'oublie
n'oublies n'oubliez n'utilise n'utilises n'utilisez n'y n'écoute n'écoutez n'écris n'écrive
n'écrives n'écrivez n'étais n'était n'évite n'évitez n'êtes nage nageons nager nages naissance
natation natif native nature naturel naturelle naturellement naître ne neige nerveuse nerveux
nettoie nettoyer neuf neutre neutres neuvième neveu nez ni niveau nièce noir noire noix nom nombre
nombres nomme nommer nommé noms non non-fumeur nord normal normale normalement norvégien nos
notamment note notes notre nous nous-mêmes nouveau nouveaux nouvel nouvelle nouvelles novembre noël
nuage nuit nuits nul nulle numéro numéroter né néanmoins nécessaire nécessaires née néerlandais
nôtre objectif objective observe observer occasion occitan occuper occupé occupée octobre offre
offrez offrir oh oignon oignons oiseau oiseaux ok okay omets omettez omettre on oncle ongle ont onze
opinion opinions option options opéra or orage oral oralement orange orchestre ordonné ordonnée
ordre oreille oreiller oreilles organise organiser orthographe os ou oublie oublier oublies oubliez
oublié ouest ouf oui ours outre ouvert ouverte ouvre ouvrez ouvrir où page pages paie pain paix
pantalon pantalons papier papillon par paragraphe paragraphes parapluie paraît paraître parc parce
pardon pardonne pardonner pareil parent parenthèse parenthèses parents paresseuse paresseux parfait
parfaite parfaitement parfois parlais parlait parlant parle parle-moi parlent parler parlera
parlerai parles parlez parlez-moi parlons parlé parmi pars part partage partager partages partent
partez parti particulier particulière particulièrement partie parties partir partons partout pas
passe passe-temps passent passer passes passez passif passons passé passée patience patient patiente
patients patron patronne pause pauses pauvre payer payes pays payé peau peindre peins peinture
pendant pensais pensait pense pensent penser penses pensez pensons pensé pensée pensées perd perdez
perdre perds perdu permet permets permette permettez permettre perroquet persan persil personne
personnel personnelle personnellement personnels personnes petit petit-déjeuner petit-fils petite
petite-fille petites petits peu peur peut peut-être peuvent peux peux-tu pharmacie philosophie photo
photos phrase phrases physique piano pied pieds pire place plage plaindre plains plaint plairait
plaire plais plaisante plaisanter plaisanterie plaisanteries plaisantes plaisantin plaise plaisent
plaisir plan planifie planifier plans plat plats plaît plein pleine pleure pleurer pleures plu pluie
pluriel plus plusieurs plutôt poids point points poire pois poisson poissons poitrine poivre poivron
poli policier polie polies poliment polis politesse politique polonais pomme pommes pompeux
ponctuation ponctuel porc porte porter portes portons portugais porté pose pose-moi posent poser
poses posez posez-moi possibilité possible possibles poubelle poule poulet pour pourquoi pourra
pourrai pourrais pourrait pourrez pourriez pourrions pourtant pouvais pouvait pouvez pouvez-vous
pouvoir pouvons poème poèmes poésie pratique pratiquer pratiques pratiquons premier premiers
première premièrement premières prenais prenait prend prendra prendrai prendre prends prenez prenne
prennent prennes prenons presqu'île presque principal principale principalement printemps pris prise
privilégie privilégier privilégiez privé privée prix probable probablement problème problèmes
prochain prochaine prof professeur professeure professeurs profession profond profonde progrès
promenade promener promesse promet promets promettez promettre promène pronom pronoms prononce
prononcer prononces prononciation propos propose proposer proposes proposez proposition proposons
propre propres proverbe prudent prudente près précis précise préciser précises précisez précisément
précédent précédente préfère préfèrent préfères préférais préférence préférences préférer
préférerais préférez préférons préféré préférée prénom prénommer prénoms prépare préparer prépares
préparez préparé préposition présent prévenez prévenir préviens préviens-moi prête prêter pu public
publique puce puces puis puisqu'elle puisqu'il puisqu'ils puisqu'on puisque puisse puissent puisses
puissiez pull pâques pâtes père pêche pêcher qu'a qu'alors qu'anglais qu'après qu'au qu'aucun
qu'aucune qu'aujourd'hui qu'autre qu'avant qu'avec qu'elle qu'elles qu'en qu'ensemble qu'ensuite
qu'entre qu'est-ce qu'eux qu'hier qu'ici qu'il qu'ils qu'importe qu'on qu'oui qu'un qu'une qu'à
quand quantité quarante quart quartier quasiment quatorze quatre quatre-vingt-dix quatre-vingts
quatrième que quel quelconque quelle quelles quelqu'un quelqu'une quelque quelquefois quelques
quelques-unes quelques-uns quels question questions qui quinze quitte quoi quoiqu'il quoiqu'on
quoique quotidien quotidienne québécois québécoise raccourcir raccourcis raconte raconte-moi
raconter racontes racontez radio raisin raison raisonnable raisons ramener randonnée randonnées
range ranger ranges rapide rapidement rapides rappeler rappelez rappelez-moi rappelle rappelle-moi
rappelles rapport rapports rarement rassure rassure-moi rassurer recette recettes recevoir recherche
recommandation recommandations recommande recommander recommandes recommandez recommandé reconnais
reconnaissant reconnaissante reconnaître redire redis refaire refais reformule reformuler reformulez
regarde regarder regardes regardez regardons regardé regrette regretter regrettes relation relations
relativement religion relire relis relisez remercie remercier remercies remerciez remets remettre
remplissage renard rendez-vous rentre rentrer rentres reparler repas repose reposer reposons
reprendre reprends reprenez requin respect respecte respecter respectes respectez respectueuse
respectueusement respectueux respecté responsabilité ressemble ressembler ressens ressentir
restaurant reste restent rester restes restez restons resté retenez retenir retiens retient retraite
retraité retraitée revenez revenir reviens revient revoir reçois reçoit reçu rhume riche ridicule
rien rient rions rire rires ris rit rivière riz robe roman romans rose rouge rouges roule rouler
roumain rue rugby russe rythme règle règles réagir réagis récemment rédaction rédige rédiger rédigez
réfléchir réfléchis réfléchissez réfléchit régime régulièrement répond répondais répondait répondant
réponde répondent répondes répondez répondez-moi répondons répondras répondre réponds réponds-moi
répondu réponse réponses répète répètent répètes répéter répétez répété résultat résultats résume
résume-moi résumer résumes résumez résumé résumés réunion réunions réussir réussis réussit réveille
réveiller réveillé révise réviser révises révisons rêve rêves rôle s'adresse s'adressent s'adresser
s'agit s'aimer s'ajoute s'amuser s'appeler s'appelle s'arrête s'arrêter s'attend s'attendre s'en
s'ennuie s'entend s'entraîner s'est s'excuse s'excuser s'exerce s'exercer s'exprime s'exprimer
s'habituer s'il s'ils s'inquiète s'inquiéter s'intéresse s'occupe s'occuper s'y s'écrire s'écrit
s'énerve s'énerver s'étaler sa sac sachant sache saches sachez sain saine sais saison sait salade
salades salaire sale salle salon salue saluer saluez salut salutation salutations salé salée samedi
sandales sang sans santé sarcasme sarcastique sauce saucisse sauf saumon saurai saurais saurait
savais savait savent savez savoir savon savons science sciences se sec second seconde secondes
secret secrétaire seize sel selon semaine semaines semblable semble semblent sembler sembles sens
sensible sensibles sent sentent sentez sentiment sentiments sentir sentons sept septembre septième
sera serai seraient serais serait seras serez serons seront serpent sers sert serve servent servez
serviette servir ses seul seule seulement seules seuls si sien sienne signale signaler signales
signalez signature signification signifie signifient signifier simple simplement simples simplifie
simplifier simplifiez sincère sincèrement sincères sincérité singe singulier sinon sirop six sixième
siècle ski skier smileys sobre sobres société soi soi-même soie soient soif soigne soigner soir
soirs soirée sois soit soixante soixante-dix sol soleil solitude solution solutions sommes son sont
sors sort sorte sortes sorti sortir sortons soudain souffre souffres souffrir souhaite souhaiter
souhaiterais souhaites souhaitez souligne souligner soupe source sources sourd sourde sourire souris
sourit sous sous-titres soutenir soutenu soutenue soutiens souvenez souvenir souvenirs souvent
souviens souviens-toi souvient soyez soyons sport sports spécial spéciale spécialement stress
stressé stressée strict stricte strictement style styles stylo su subjonctif substantif succès sucre
sucré sucrée sud suffire suffisamment suffisant suffisante suffisent suffit suggestion suggestions
suggère suggères suggérer suggérez suis suisse suisses suit suite suivant suivante suivantes
suivants suivent suivez suivi suivons suivre sujet sujets superbe superflu superflue superflus
superlatif superlatifs supermarché supporte supporter supportes supportons suppose supposer supposes
supposez supprime supprimer supprimez sur surnom surprendre surprends surpris surprise surprises
surtout suédois syllabe sympa sympathique systématiquement sèche sécurité série séries sérieuse
sérieusement sérieux sévère sûr sûre sûrement sœur sœurs t'a t'adapte t'adapter t'adresse t'adresser
t'ai t'aide t'aider t'aime t'appelles t'appliques t'apprendre t'arrives t'arrête t'arrêter t'attends
t'avoir t'en t'ennuie t'entends t'es t'excuse t'excuser t'explique t'expliquer t'exprime t'exprimer
t'exprimes t'indique t'inquiète t'occupe t'ont t'y t'écoute t'écrire t'écris t'énerve t'étale
t-shirt ta table tableau tableaux taille taire tais tais-toi tambour tandis tant tante tantôt tapis
tard tarte tasse tchèque te technique techniques tel telle tellement telles tels temps température
tenez tenir tennis tenons tente tenter tenu terme termes termine terminer termines terminez terminé
terrasse terre terrible tes texte textes thaï thon thème thèmes thé théâtre tien tienne tiens tient
tiers tigre timide timides tiret tirets titre titres tiède toi toi-même toilettes toit tomate
tomates tombe tomber tombes ton tortue totalement tou toujours tour tourne tourner tous tout toute
toutefois toutes toux tradition traducteur traduction traductions traductrice traduire traduis
traduis-moi traduise traduisez traduisez-moi traduit train trait tranquille tranquillement travail
travaillais travaillait travaille travaillent travailler travailles travailleur travaillez
travaillons travaillé travaux travers treize trente tricote tricoter triste tristes tristesse trois
troisième troisièmement trompette trop trouvais trouve trouvent trouver trouves trouvez trouvons
trouvé très tu turc tutoie tutoie-moi tutoiement tutoies tutoyer tutoyez tutoyez-moi tutoyons tutoyé
type types télé téléphone télévision tête tôt ukrainien un une unique uniquement uniques unité
unités université usage usages utile utiles utilisant utilise utilisent utiliser utilises utilisez
utilisons utilisé utilisée utilisés va vacances vache vais valise valoir vas vas-y vaudrait vaut
vegan vegane venais venait vendredi venez venir venons vent ventre venu venue verbe verbes verra
verrai verrait verre vers vert verte verts veste veuf veuille veuilles veuillez veulent veut veuve
veux viande victoire vide vie vieil vieille vieilles vieillesse viendra viendrai vienne viennent
viennes viens vient vietnamien vieux village ville vin vinaigre vingt vingt-cinq vingt-et-un violet
violette violon virgule virgules vis vis-à-vis visage visite vit vite vivais vivait vivant vive
vivent vivez vivons vivre vocabulaire voici voie voient voilà voir vois voisin voisine voisins voit
voiture voix vole voler volley volontiers vont vos votre voudra voudrai voudrais voudrait voudriez
voudrions voulais voulait voulez vouloir voulons voulu vous vous-même vouvoie vouvoie-moi
vouvoiement vouvoies vouvoyer vouvoyez vouvoyez-moi voyage voyageons voyager voyages voyais voyait
voyant voyez voyons vrai vraie vraiment vrais vu vue vécu végan végétalien végétalienne végétarien
végétarienne végétariens vélo vérifie vérifier vérifies vérifiez vérifié vérité vêtement vêtements
vôtre vôtres week-end y yaourt yeux yoga zéro à âge âgé âgée âme ça écharpe échec échecs école
écoles économise économiser écoute écoute-moi écoutent écouter écoutes écoutez écoutons écouté
écrire écris écrit écriture écrivain écrivais écrivait écrivant écrive écrivent écrives écrivez
écrivons éducation égal égale également église élève élèves éléphant émoji émojis émoticône
émoticônes énerve énervent énerver énervé énumérer épaule épaules épeler épelle épices épicé épicée
épicés épouse époux épuisé épuisée équipe étaient étais était étaler étant étape étapes étiez étions
étoile étrange étroit étudiant étudiante étudiants étudie étudient étudier étudies étudiez étudions
étudié été évidemment évitant évite évitent éviter évites évitez évitons évité êtes être île œil œuf
œufs
"""
# Of Chinese and Japanese, which have no words to count, these pieces; nothing else may be in a sentence.
CHINESE = """
一 一一 一下 一下子 一个 一个个 一个人 一些 一会儿 一共 一切 一半 一句 一句话 一定 一方面 一时
一月 一样 一步 一步一步 一段 一点 一点儿 一直 一般 一起 一边 七 七月 万 丈夫 三 三句话 三月 上
上午 上去 上学 上来 上班 上课 上边 上面 下 下午 下去 下来 下棋 下班 下课 下边 下雨 下雪 下面
不 不一样 不仅 不会 不但 不再 不加 不可 不可以 不可能 不吃辣 不同 不同点 不喜欢 不太 不好
不好意思 不对 不少 不必 不想 不断 不是 不是的 不然 不爱 不用 不管 不耐烦 不能 不行 不要 不许
不论 不该 不过 不错 与 丑 专业 世界 东 东西 丢 两 两句话 严厉 严格 严肃 个 个人 个月 中 中午
中国人 中学 中年 中性 中文 中立 中间 临时 为 为主 为了 为什么 为何 为准 为止 主意 主要 主要的
主观 主题 举 举例 举例子 么 之 之前 之后 之外 之间 乌龟 乒乓球 九 九月 也 也许 习惯 乡下 书
书写 书包 书法 书籍 书面 书面语 买 买菜 乱 乱猜 乱说 乳制品 乳糖 了 了解 争论 事 事实 事情 二
二月 于 于是 云 互相 五 五月 些 享受 亲切 亲自 人 人们 人家 亿 什么 仅 仅仅 今天 今年 介意
介词 仍 仍然 从 从不 从来 仔仔细细 仔细 他 他们 付钱 代替 令 以 以为 以前 以及 以后 以外 以往
们 件 任何 份 休息 优点 会 会议 会说 传统 伤害 伤心 似乎 似的 但 但是 位 低 住 体育 体重
作业 作为 作家 作文 作用 你 你们 你好 你的 你看着办 使 使用 例外 例如 例子 依然 依照 便宜 俄语
俗语 俚语 保持 保留 保证 信 信任 信心 信息 修改 倍 借 值得 假 假如 假期 偏好 偏爱 做 做到
做完 做梦 做法 做菜 做饭 停 停下 停止 健康 偶尔 催 傻 像 儿子 儿童 儿童书 允许 兄弟 先 先生
先给 光 免费 兔子 全 全部 全都 全面 八 八月 公交车 公园 公平 公开 公斤 公里 六 六月 关 关上
关于 关心 关掉 关注 关系 关键 兴趣 其 其中 其他 其它 其实 其次 具体 具有 养 养成 内 内向 内容
再 再次 再见 再说 冗长 写 写作 写信 写字 写法 写清楚 农村 农民 冬天 冰淇淋 冰箱 决定 冷 冷淡
准备 准确 凉 凉快 减少 减肥 几 几个 几乎 凡 凡是 出 出去 出去玩 出处 出来 出现 出生 刀 分
分别 分开 分成 分数 分清 分点 分钟 切 列 列举 列出 列表 则 刚 刚刚 刚才 初学者 删 删掉 判断
利用 别 别人 别的 到 到处 到底 到达 刷牙 刻 前 前天 前面 副词 劝 办 办公室 办法 功课 加 加上
加油 加班 加糖 动物 动词 助手 助理 努力 勇敢 勇气 勤快 勺子 勿 包 包含 包子 包括 化 化学 北
区分 区别 医生 医院 十 十一月 十二月 十分 十月 千 千万 午餐 午饭 半 半个 半夜 半小时 华氏 协助
单 单位 单数 单独 单词 单身 卖 南 博物馆 卧室 印地语 危险 即使 即便 即可 却 历史 压力 厌恶
厕所 厘米 厚 原则 原因 原来 厨师 厨房 去 去世 去年 去掉 参加 又 叉子 及 友善 友好 友情 友谊
双 双关 反复 反对 反正 反话 反问 反驳 发火 发烧 发生 发誓 发音 叔叔 受伤 变 变成 口吻 口味
口气 口语 口语化 口音 古典音乐 句 句号 句子 句话 另 另外 只 只是 只有 只要 叫 叫做 叫我 可
可以 可是 可爱 可能 可能的 右 右手 右边 号 号码 司机 吃 吃不了 吃力 吃惊 吃素 吃素的 吃肉 吃药
吃辣 吃饭 各 各种 各自 合理 合适 吉他 同事 同学 同情 同意 同时 同样 同理心 名字 名词 后 后天
后悔 后面 向 吗 否 否则 吧 含 含义 含有 含糊 听 听到 听歌 听见 听起来 听音乐 吵 吵架 吵闹
吸烟 呀 告诉 呗 呢 周 周一 周三 周二 周五 周六 周四 周围 周日 周末 味道 和 和平 咖啡 咱 咱们
咳嗽 咸 哈 哈哈 哎 哥哥 哦 哪 哪个 哪些 哪儿 哪怕 哪里 哭 哲学 唉 唱 唱歌 商店 啊 啤酒 啥
啦 啰嗦 喂 善于 善良 喜欢 喜爱 喝 喝咖啡 喝水 喝茶 喝酒 嗯 嘛 嘴 嘴巴 四 四月 回 回信 回去
回复 回家 回应 回来 回答 因为 因此 因而 困 困难 围巾 围棋 国外 国家 图书馆 图片 图画 土耳其语
土豆 在 在乎 在意 地 地方 地板 地理 地道 地铁 坏 坏处 坏话 坐 块 块钱 坚持 坚果 坦率 坦白
坦白说 垃圾 城市 基本 基本上 基础 墙 增加 增肥 声调 声音 处理 复习 复数 复杂 夏天 外 外公 外号
外向 外国人 外套 外婆 外语 外边 外面 多 多久 多余 多半 多吃 多喝 多大 多少 多放 多用 多说 多谢
夜晚 夜猫子 夜里 够 大 大人 大写 大写字母 大多 大学 大学生 大家 大概 大约 大脑 大蒜 大衣 大象
大道理 大部分 大量 天 天天 天气 天空 太 太极拳 太阳 失去 失败 头 头发 头疼 夸 夸奖 夸张 奇怪
奉承 女 女人 女儿 女士 女孩 女性 女朋友 奶制品 奶奶 奶酪 她 她们 好 好像 好吃 好听 好喝 好处
好多 好奇 好奇心 好玩 好的 好看 好笑 好话 如 如下 如何 如同 如果 妈 妈妈 妹妹 妻子 始终 姐妹
姐姐 姓 姓名 姜 婚礼 嫉妒 嫌 字 字体 字典 字数 字母 存在 孙子 孤独 学 学中文 学习 学会 学外语
学日语 学校 学生 学英语 孩子 孩子们 它 它们 安全 安慰 安排 安静 完 完全 完成 完整 宗教 宝宝
实事求是 实话 宠物 客人 客厅 客套 客套地 客套话 客家话 客气 客观 害怕 害羞 家 家人 家常 家常菜
家常话 家庭 家里 容易 宽 寂寞 寄 富 寒暄 对 对不起 对于 对面 寻找 导致 将 将来 尊敬 尊称 尊重
小 小写 小姐 小学 小学生 小孩 小心 小提琴 小时 小狗 小猫 小说 少吃 少喝 少年 少放 少用 少说
少量 尝 尝试 尤其 就 就行 尽可能 尽快 尽管 尽量 居然 属于 山 岁 工人 工作 工程师 工资 左 左右
左手 左撇子 左边 巧克力 差不多 差别 已 已婚 已经 市场 帅 希伯来语 希望 希腊语 带 带来 帮 帮助
帮忙 帮我 常 常常 常用 常见 常识 帽子 干 干净 干燥 平常 平时 平易近人 平等 平辈 年 年年 年轻
年龄 并 并且 幸福 幼儿园 幽默 广东话 床 应当 应该 废话 废话少说 度 建议 开 开会 开场白 开头
开头语 开始 开心 开玩笑 开车 开门见山 弄 式 引号 引用 引起 弟弟 张 弱 弹 弹琴 强 强调 归纳 当
当作 当时 当然 形容 形容词 彩色 影响 往 往往 很 很多 很少 律师 得 得要 微笑 德文 德语 心 心情
心脏 心里话 必要 必需 必须 忌 忌口 忘 忘了 忘记 忙 快 快乐 快点 快速 念 忽然 怀孕 怀疑 态
态度 怎么 怎么样 怎样 怕 思维 思考 思路 性 性格 总 总之 总是 总结 恐怕 恐惧 恨 恭喜 恭维 恰当
您 您们 您好 您的 悲伤 情况 情况下 情感 情绪 想 想到 想念 想想 想法 想要 想象 愉快 意义 意外
意大利语 意思 意见 感 感冒 感到 感叹号 感情 感觉 感谢 愤怒 愿意 慢 慢慢 慢慢来 慢点 懂 懂了
懂得 懒 戏 成为 成功 成年人 成绩 成语 我 我们 我的 戒 戒烟 戒酒 或 或者 或许 战争 戴 房子
房间 所 所以 所有 手 手套 手指 手机 才 扑克 打 打太极 打字 打开 打扫 打扰 打招呼 打断 打球
打电话 打算 打篮球 批评 找 找到 承认 承诺 技巧 把 护士 报纸 抱 抱歉 抽烟 抽象 担心 拉 拉丁语
拍照 拍马屁 拐弯抹角 拒绝 拖泥带水 拜拜 括号 拼写 拼音 拿 按 按照 挑 挺 换 掉 排球 接 接受
接着 推 推荐 描述 提 提出 提到 提及 提示 提醒 提问 搞 搬 搬家 摄氏 摘要 撒谎 擅长 支持 收
收到 收拾 改 改变 改善 改正 改进 放 放下 放假 放学 放松 放盐 放糖 政治 故事 故事书 故意 敏感
教 教室 教师 教我 教授 教教 教练 教育 敢 散步 敬称 敬语 数 数字 数学 整理 整齐 文化 文字 文章
文风 斜体 新 新手 新鲜 方便 方向 方式 方法 方言 方面 旁 旁边 旅游 旅行 无 无用 无礼 无聊 无论
既 既然 日 日常 日文 日期 日记 日语 旧 早 早上 早上好 早安 早晨 早起 早餐 早饭 时 时候 时区
时尚 时差 时常 时态 时时 时间 明天 明年 明白 明白了 明确 易懂 星星 星期 星期一 星期三 星期二
星期五 星期六 星期四 星期天 星期日 春天 春节 昨天 是 是的 昵称 显得 晓得 晚 晚上 晚上好 晚会
晚安 晚睡 晚餐 晚饭 普通 普通话 普遍 暂时 暖 暖和 更 更加 更喜欢 曾经 替 最 最后 最多 最好
最少 最终 月 月亮 有 有些 有帮助 有意思 有时 有时候 有点 有点儿 有用 有的 有礼 有礼貌 有空
有耐心 有趣 朋友 朗读 朝 期待 期间 未 未来 本 本子 本来 术语 机会 机场 杂志 条 来 来源 来自
来说 杯 杯子 极 极其 枕头 果汁 果然 某 某个 某些 柜子 柠檬 查 标点 标点符号 标题 树 树林 样子
核对 根据 桃 桌子 梦 梨 检查 棉 棕色 森林 椅子 楼 楼梯 概括 模糊 橙子 橙色 橡皮 次 欢迎 歌
歌手 歌曲 正 正在 正常 正式 正确 此 步 步骤 死 段 段落 母亲 母语 每 每个 每周 每天 每年 每早
每晚 每月 每次 比 比喻 比如 比方 比赛 比较 毕业 毕竟 毛巾 毛衣 水 水平 水果 永远 汉字 汉语 汤
汽车 沙发 没 没事 没关系 没有 没用 没空 没耐心 河 油 油腻 法 法律 法文 法语 波兰语 注意 注意力
泰语 洋葱 洗 洗手 洗澡 洗衣机 活 流利 流行音乐 浅 浅色 浴室 海 海产 海边 海鲜 消息 淡 深
深入浅出 深色 清单 清晰 清楚 清清楚楚 温和 温度 温暖 温柔 渴 游戏 游泳 湖 湿 滑雪 满 满意 漂亮
演员 激动 火车 灯 灰色 炒 炸 点 点儿 点钟 烤 烦 热 热情 热爱 热量 焦虑 然后 然而 照样 照片
照顾 煮 熊 熊猫 熟 熬夜 爬 爬山 爱 爱好 爱情 父亲 父母 爷爷 爸 爸爸 片刻 牙 牙刷 牙疼 牙齿
牛 牛奶 牛肉 物理 特别 特殊 狐狸 狗 独居 独自 狮子 狼 猜 猜测 猪 猪肉 猫 猴子 玉米 玩 玩儿
玩具 玩笑 现在 现在时 班 球 球队 理由 理解 瑜伽 瑞典语 甚至 甜 生 生动 生日 生气 生活 生物
生病 生词 用 用中文 用英语 由于 电影 电梯 电视 电视剧 电话 男 男人 男孩 男性 男朋友 画 画图
画家 画画 界限 留 留下 留意 略 番茄 疲劳 疼 病 病人 痛 痛苦 瘦 瘦下来 白 白天 白色 白菜 百
百分之 的 的情况 的时候 的话 皮肤 盐 盘子 目标 直 直呼 直呼其名 直截了当 直接 直率 直白 直说
相互 相信 相反 相同 相当 盼望 省 省事 省略 省钱 看 看书 看作 看到 看情况 看法 看清楚 看电影
看电视 看病 看看 看见 看起来 真 真实 真正 真的 真相 真诚 眼睛 眼花 眼镜 着 着急 睡 睡着 睡觉
瞎编 瞎说 知识 知道 短 短信 短句 短期 矮 石头 破折号 硬 确定 确认 碗 碰到 礼拜 礼物 礼节 礼貌
社会 祝 祝愿 禁止 离婚 离开 私人 秋天 种 种花 科学 秒 秘密 称 称为 称呼 称谓 称赞 程度 稍
稍微 究竟 穷 空 空话 穿 突然 窄 窗 窗户 立刻 立即 站 竟然 童年 笑 笑话 笔 笔记 符号 符合 笨
第一 第三 第二 第五 第四 等 等一下 等一等 等待 等等 答 答复 答应 答案 筷子 简体 简体字 简单
简明 简洁 简短 简简单单 简要 算 篇 篮球 米 米饭 类 类似 类比 粉色 粗 粗体 粗话 粗鲁 粤语 粥
精确 糖 糖分 糖尿病 素 素食 紧张 紫色 累 繁体 繁体字 纠正 红 红色 红茶 纯素 纸 练 练习 细
细节 终于 经常 经过 经验 结婚 结尾 结束 结束语 结果 结论 绘画 给 给我 绝不 绝对 继续 维持 绿
绿色 绿茶 编 编造 缺乏 缺少 缺点 网球 罗嗦 罢了 羊 羊毛 羊肉 美 美丽 羡慕 羽毛球 翻译 翻译家
老 老人 老公 老婆 老实 老实说 老师 老年 老是 老板 老虎 老鼠 考 考虑 考试 者 而 而且 而已 而是
而言 耐心 耳朵 聊 聊天 职业 聚会 聪明 肉 肚子 肥皂 肩膀 肯 肯定 胃 胃口 胆小 背 背景 背诵
背部 胖 胡萝卜 胡说 胳膊 能 能力 能够 脂肪 脏 脏话 脖子 脚 脱 脸 脾气 腰 腿 膝盖 自己 自然
自由 自行车 至于 舌头 舒服 舞蹈 船 色盲 艺术 节日 节目 花 花园 花生 花粉 花钱 苍蝇 若 苦 英文
英语 苹果 范围 茶 草 草莓 药 荷兰语 菜 菜谱 葡萄 葡萄牙语 葡萄酒 葱 蒜 蒸 蓝 蓝色 蔬菜 薄
蘑菇 虽然 虾 蚊子 蛇 蛋 蛋糕 蜘蛛 蜜蜂 蝴蝶 血 行 行话 街 衣服 补充 表情 表情符号 表扬 表格
表示 表达 衬衫 袜子 被 被子 裙子 裤子 西 西班牙文 西班牙语 西瓜 西红柿 要 要不 要是 要求 要点
见 见面 观点 规则 规矩 视情况 觉得 角度 解决 解释 言简意赅 警告 警察 譬如 计划 计算 认为 认得
认真 认认真真 认识 讨厌 讨论 让 记 记住 记得 记忆 记性 记者 讲 讲中文 讲明白 讲清楚 讲礼貌
讲笑话 讲解 讲话 讲道理 许多 讽刺 词 词典 词汇 词语 译 译成 试 试试 诗 诚实 诚恳 话 话语 话题
询问 该 详细 语气 语法 语言 说 说中文 说完 说实话 说教 说明 说清楚 说英语 说话 说说 说谎 请
请你 请您 请用 请问 读 课 课文 课本 课程 谁 谈 谈心 谈论 谈话 谎话 谚语 谜语 谢 谢谢 谦虚
豆制品 豆子 豆腐 象棋 责任 贵 费劲 资料 赞美 赢 走 走路 赶快 赶紧 起 起床 起来 起见 超市
越南语 足够 足球 跑 跑步 跟 路 跳 跳舞 跳过 踢 踢球 踢足球 身体 身高 躺 车站 软 轻 轻松 输
辣 辣椒 迅速 过 过去 过去式 过敏 过日子 过来 过程 运动 运气 运用 近 还 还是 还有 还给 这 这个
这么 这些 这儿 这样 这里 进 进去 进来 进步 远 连贯 连贯的 追问 退休 送 送给 适合 适应 适当 选
选择 逐 逐字 逐步 逗 逗号 通俗 通常 通过 造成 逼 遇到 遍 道歉 道谢 遵守 遵循 避免 那 那个
那么 那些 那儿 那样 那里 邮件 邻居 部分 都 酒 酱油 酸 醋 醒 采用 里 里边 里面 重 重复 重新
重点 重要 金鱼 钓鱼 钢琴 钢笔 钥匙 钱 铅笔 锅 错 错别字 错字 错误 锻炼 镜子 长 长句 长大 长度
长期 长篇大论 门 问 问候 问号 问题 闲 闲聊 间接 闽南语 阅读 阐述 防止 阳台 阿姨 阿拉伯语 附近
院子 除 除了 除非 陪 陪伴 随 随你 随便 随后 随和 随意 随时 随着 难 难为情 难以 难受 难听 难懂
难看 难过 雨 雨伞 雪 零 零食 需要 青年 青蛙 非 非常 非正式 面 面包 面条 鞋 鞋子 韩文 韩语
音乐 音乐会 音乐课 页 顺便 顺序 须 预习 领导 题 题目 颜色 风 风格 风趣 飞 飞机 食堂 食物 食谱
餐厅 饭 饮料 饱 饺子 饼干 饿 馒头 首 首先 香菜 香蕉 马 马上 驳 骂 骂人 骄傲 骑 骑自行车 骑车
骗 骨头 高 高中 高兴 鱼 鸟 鸡 鸡肉 鸡蛋 鸭 麸质 麻将 麻烦 麻烦的 黄 黄油 黄瓜 黄色 黑 黑板
黑色 鼓 鼓励 鼻子
"""
JAPANESE = """
ああ あいさつ あげ あげて あげる あそこ あだ名 あちら あった あったら あって あと あとで あなた
あの あまり あり ありがとう ありがとうございます あります ありません ある あるいは あれ あれば あんな
あんまり い いい いいえ いきなり いく いくつ いくら いけない いけません いずれ いずれか いた いたし
いたします いただき いただきたい いただきます いただく いただけ いただけます いただける いただけると
いたら いちご いちばん いっしょに いって いっぱい いつ いつか いつでも いつまでも いつも いて いない
いなくて いま いました います いません いや いらっしゃい いらない いりません いる いれば いろいろ
うさぎ うち うどん うるさい うれしい うん ええ えび お おいしい おいて おかげ おき おきたい おく
おじ おじいさん おすすめ おそらく おはよう おはようございます おば おばあさん おめでとう おもしろい
おやすみ おやすみなさい おやつ および おり おります お世話 お世辞 お互い お兄さん お勧め お姉さん
お母さん お湯 お父さん お腹 お茶 お菓子 お酒 お金 お願い お願いいたします お願いし お願いします
お風呂 か かかっ かかり かかる かたい かっこ かなり かに かぶる かまいません かも かもしれない
かもしれません から からかう からかっ からかわ からの からは かわいい かわりに が がち がちな
がんばっ きた きちんと きっと きて きのこ きます きゅうり きれい きれいな きれいに くだけた ください
くださいませ くださる くどい くどく くらい くる くれ くれた くれて くれない くれます くれる くわしく
くん ぐらい けど けれど けれども こう こういう ここ こちら こと ことが ことがある ことができる
ことに ことは ことも ことわざ ことを こない この このあと このように これ これから ころ こんな
こんなに こんにちは こんばんは ご ござい ございます ごちそうさま ごはん ごみ ごめん ごめんなさい ごろ
ご飯 さ させ させて させない させる さっき さて さまざま さようなら さらっと さらに された されて
される されると さん さん付け ざっくり し しか しかし した したい したがって したく したら したり
しっかり しつこい しつこく して してい していた しています している しない しないで しながら しなく
しなくて しなくていい しなければ しばしば しまい しまう しました しましょう します しません しまった
しまって しゃべっ しゃべり しゃべる しょっぱい しよう しろ じっくり じゃ じゃあ じゃありません
じゃがいも じゃない じゃなく じゃなくて すぎ すぎない すぎないで すぎる すぐ すぐに すこし すごく
すでに すべて すみません する すること すると すれば ず ずっと ずつ せい せず せずに せて せよ
せる ぜんぶ そう そういう そうです そうな そうに そこ そして そちら そっと その そのまま そのように
その後 そば それ それから それで それでは それとも それなら それに そんな そんなに ぞ た たい
たかった たく たくさん たくない たければ たしかに ただ ただし たとえ たとえば たぶん たまに ため
ために ため口 たら たり だ だから だが だけ だけど だった だめ だら だり だれ だろう ちゃう
ちゃん ちゃんと ちょっと って っぽい つい つか つく つけ つけて つけない つつ つづり つねに
つまらない つまり つもり て てください てない てほしい ても てもいい てる で であり である である調
であれば でき できた できたら できて できない できます できません できる できるだけ できる限り
できれば でください でした でしょう でしょうか です ですます調 での では ではありません ではない
ではなく ではなくて でほしい でも でもいい と という という風に といった とおり とか とき ときどき
とくに ところ ところで として とって とても との とは とも どう どういう どうか どうして どうぞ
どうも どうやって どこ どこか どこでも どちら どちらか どちらでも どの どれ どれか どんな な ない
ないし ないで ないと ないほうがいい ないように なかった ながら ながらも なきゃ なく なくて なくていい
なくても なくてもいい なくて構いません なければ なければいけません なければならない なければなりません
なさい なす なぜ なぜなら なぞなぞ なった なって など なに なので なら ならない ならば なり
なりたい なります なりません なる なるべく なれば なん なんて なんで なんでも なんとなく に において
にくい について にとって には にも によって による にんじん にんにく に対して に関して ね ねぎ
ねずみ の のが ので のです のに のは のも のを のんびり は はい はじめまして はず はっきり はやく
ば ばかり ひかえめ ひとこと ひとつ ひとり ひらがな ふたつ ふだん ふつう ふりがな ぶどう へ への
へは べき べきではない ほう ほうが ほうがいい ほか ほしい ほしく ほしくない ほとんど ほど ほめ
ほめる ほんとう ました まして ましょう まじめ ます まず まずい ませ ません ませんか ませんでした
また または まだ まったく まで までの までは まとめ まとめる まま みかん みたい みたいな みたいに
みっつ みて みなさん みましょう みよう みる みんな めがね も もう もう一度 もう少し もし もしも
もちろん もっと もっとも もの ものが ものは ものを もらい もらいたい もらう もらえ もらえます
もらえる もらって や やさしい やすい やっ やっぱり やはり やめ やめて やめる やら やり やり方 やる
やる気 ゆっくり よ よい ようこそ ようだ ような ように よかっ よく よければ より よろしく らしい
られ られた られて られない られる りんご れた れて れない れる わ わかっ わから わかり
わかりにくい わかりやすい わかる わがまま わけ わざわざ わたし わたしの を ん んです アイスクリーム
アシスタント アニメ アラビア語 アレルギー イタリア語 オランダ語 オレンジ カジュアル カジュアルな
カジュアルに カタカナ カレー キャベツ キロ ギター ギャグ ギリシャ語 クラシック クリスマス グラム
グルテン ケーキ ゲーム コップ コート コーヒー サッカー サラダ シャツ シンプル シンプルな シンプルに
ジャズ ジュース ジョギング スウェーデン語 スカート スキー スタイル ストレス ストレート スペイン語
スポーツ スーパー スープ ズボン センチ セーター ゼロ タイ語 タオル タメ口 ダジャレ ダメ チョコレート
チーズ テニス テレビ トイレ トマト トルコ語 ドア ドイツ語 ナッツ ニックネーム ノート バイオリン バス
バター バナナ パスタ パン ヒンディー語 ヒント ビーガン ビール ピアノ ピンク ピーナッツ フォーマル
フランク フランス語 ベジタリアン ベッド ベトナム語 ペット ペン ページ ポルトガル語 マナー マフラー
メモ メートル メール ユーモア ヨガ ライオン ラジオ ラテン語 ラーメン レシピ レストラン レモン
ロシア語 ロック ローマ字 ワイン 一 一つ 一人 一人で 一人暮らし 一回 一度 一度に 一文 一月 一番
一緒に 一般的 一般的な 一行 一覧 一言 一部 丁寧 丁寧さ 丁寧な 丁寧に 丁寧語 七 七月 万 三 三つ
三人 三文 三月 上 上司 上手 上着 上級 下 下さい 下の名前 下手 不便 不安 不安な 不要 世界 世話
世間話 両親 並べ 並べる 中 中国語 中学校 中級 主人 主題 乗っ 乗り 乗る 九 九月 乳製品 亀 予定
事 事務所 事実 二 二つ 二人 二回 二度 二文 二月 互い 五 五つ 五月 人 人参 今 今夜 今年 今度
今後 今日 今晩 今月 今朝 今週 仕事 他 他の 付き 付き合う 付け 付けず 付けない 付ける 代わりに
以上 以下 以内 以外 仲間 任せ 任せる 休み 休む 休ん 休憩 休日 会い 会う 会っ 会わ 会話 会議
伝え 伝える 伝わり 伝わる 伝統 似 似る 低い 低く 住み 住む 住ん 住んで 体 体力 体育 体調 体重
何 何か 何でも 何も 何度 何度も 余計 作っ 作ら 作り 作り方 作る 作れ 作家 作文 作法 使い
使いすぎ 使いすぎない 使い方 使う 使え 使っ 使って 使わ 使わず 使わない 使わないで 使用 例 例えば
例え話 例を 例外 例文 便利 信じ 信じる 信用 信頼 修正 俺 個 個人的 個人的な 借り 借りる 健康 傘
傷つく 傷つけ 働い 働か 働き 働く 僕 億 優しい 優しく 優しさ 元気 元気な 兄 兄弟 先 先に 先ほど
先生 先輩 先週 兎 入っ 入り 入る 入れ 入れず 入れない 入れる 全 全く 全て 全体 全然 全部 八
八月 公園 六 六月 共感 具体例 具体的 具体的な 具体的に 内 内容 内気 円 冊 冗談 写真 冬 冷たい
冷蔵庫 冷静 冷静に 出 出かけ 出かける 出さ 出し 出す 出る 出典 出来ない 出来ます 出来る 出来れば
分 分かっ 分から 分かり 分かりにくい 分かりやすい 分かる 分け 分ける 切っ 切ら 切り 切る 初心者
初級 別 別に 別の 別れ 別れる 利用 刺身 前 前に 前後 前置き 剣道 副詞 加え 加える 助かり 助かる
助け 助ける 助手 助言 助詞 努力 励まし 励ます 勇気 勉強 動物 動詞 勤め 勤める 勧め 包丁 化学 北
匙 匹 区切っ 区切り 区切る 区別 医者 十 十一月 十二月 十分 十分な 十分に 十月 千 午前 午後 半
半分 卓球 南 単に 単位 単数 単語 危険 卵 厚い 原因 厳しい 厳しく 去年 及び 友人 友情 友達 反対
反論 取っ 取り 取る 受け 受ける 受け取る 受け身 口 口語 口調 古い 古く 句点 句読点 台所 叱っ
叱ら 叱る 右 右利き 各 合い 合う 合っ 合わ 合わせ 合わせる 同じ 同僚 同情 同意 名前 名字 名詞
君 君付け 含ま 含む 含め 含める 含ん 吸い 吸う 吸わ 味 味噌 味噌汁 呼ば 呼び 呼び捨て 呼び方
呼ぶ 呼べ 呼ん 咳 哲学 問題 喋る 喘息 喜び 喜ぶ 喜ん 嘘 噂 四 四つ 四月 回 回答 困っ 困ら
困り 困る 囲碁 図書館 国 国語 園芸 土曜 土曜日 地理 基本 基本的 基本的に 基礎 堅い 堅苦しい 場合
場合は 場所 塗り薬 塩 塩分 塩辛い 増える 増やし 増やす 壁 壊れ 声 売る 変 変え 変える 変わっ
変わり 変わる 夏 夏休み 夕方 夕食 外 外国 外国人 外国語 外来語 多い 多く 多すぎ 多すぎる 多め
多分 夜 夜中 夜型 夜更かし 夜間 夢 大きい 大きく 大きさ 大きな 大きめ 大げさ 大げさな 大丈夫 大事
大事な 大人 大切 大切な 大変 大好き 大嫌い 大学 大学生 大文字 大豆 天気 太い 太っ 太る 太字 太鼓
夫 失敗 失礼 失礼します 失礼な 奥 奥さん 女 女の子 女性 好き 好きです 好きではない 好きな 好み
好みます 好む 好ん 好奇心 妊娠 妊娠中 妹 妻 姉 姉妹 始まる 始め 始める 娘 嫌 嫌い 嫌いな 嫌う
嫌がる 嫌みな 嫌味 嬉しい 子ども 子供 字 季節 学び 学ぶ 学ん 学校 学生 孫 守っ 守ら 守り 守る
安い 安く 安全 安心 完全 完全に 宗教 宜しく 実は 実際 実際に 客観的 客観的に 家 家族 宿題 寂しい
寒い 寝 寝る 寝室 対話 寿司 専門用語 専門的 専門的な 将棋 尊敬語 尊重 尋ね 小さい 小さく 小さな
小さめ 小学校 小文字 小説 小麦 少し 少しも 少ない 少なく 少なめ 居間 屋根 履い 履く 山 山登り 川
左 左利き 布団 希望 帰っ 帰り 帰る 常に 帽子 平仮名 平和 平日 年 年齢 幸せ 幸せな 幼稚園 広い
広東語 床 店 度 座っ 座り 座る 庭 弁当 弁護士 引い 引く 引用 弟 弱い 弱く 弱め 強い 強く 強め
強調 弾い 弾き 弾く 形 形容詞 役に立つ 役割 役立つ 彼 彼ら 彼女 待た 待ち 待っ 待つ 後 後で
後輩 従う 従っ 得意 得意な 復習 心 心臓 心配 必ず 必要 忘れ 忘れる 忙しい 応え 忠告 怒っ 怒ら
怒り 怒る 怖い 思い 思いやり 思い出し 思い出す 思う 思え 思っ 思わ 怠け者 急い 急が 急ぎ 急ぐ
性格 恋 恋人 恐れ 恥ずかしい 息子 悩み 悩む 悩ん 悪い 悪く 悪口 悲しい 悲しみ 悲しむ 情報 意味
意図 意見 愚痴 愛 感じ 感じる 感嘆符 感情 感情的 感想 感謝 態度 慣れ 慣れて 慣れる 慣用句 成功
成績 我々 我慢 戦争 戻し 戻っ 戻り 戻る 所 手 手伝い 手伝う 手伝っ 手伝わ 手紙 手袋 手話 手順
才 払い 払う 払っ 批判 批評 抑え 抑える 押す 抽象的 括弧 持た 持ち 持っ 持つ 指 指摘 指輪 挙げ
挙げて 挙げる 挨拶 振り仮名 掃除 授乳 授業 探さ 探し 探す 控え 控えめ 控えめに 控える 描い 描き
描く 提案 揚げ 摂氏 撮っ 撮り 撮る 支え 支える 政治 教え 教えて 教える 教わる 教室 教師 教科書
教育 散歩 敬称 敬称略 敬語 数 数え 数字 数学 整理 文 文体 文化 文句 文字 文法 文章 料理 料理人
断っ 断り 断る 断酒 新しい 新しく 新聞 方 方々 方が 方がいい 方向 方法 方言 旅行 既に 日 日中
日付 日常的 日曜 日曜日 日本人 日本語 日記 早い 早く 早め 早起き 昆虫 明るい 明るく 明るさ 明後日
明日 明確 明確に 易しい 易しく 昔 星 映画 春 昨日 昼 昼ご飯 昼間 昼食 時 時々 時刻 時差 時間
晩ご飯 普段 普通 普通に 暇 暑い 暖かい 暗い 暮らし 暮らして 暮らす 曖昧 曖昧な 曜日 曲 書い
書いて 書か 書かず 書き 書き方 書き言葉 書く 書け 書こう 最も 最初 最初に 最後 最後に 最近 月
月曜 月曜日 有名 服 望み 望む 望ん 朝 朝ご飯 朝型 朝食 期待 木 木曜 木曜日 未来 未満 本 本人
本当 本当に 本題 机 材料 村 来 来た 来て 来る 来年 来月 来週 杯 東 枕 枚 果物 柔らかい
柔らかく 柔道 根拠 桃 梨 棚 森 椅子 植え 楽しい 楽しく 楽しみ 楽しむ 楽しん 構いません 構わない
様 様々 様子 標準語 横 機会 機嫌 次 次に 欲しい 歌 歌い 歌う 歌っ 歌手 止め 止める 正しい
正しく 正月 正直 正直さ 正直に 正確 正確な 正確に 歩い 歩き 歩く 歯 歯医者 歳 歴史 死ぬ 死ん
残し 残り 残る 残業 段落 段階 母 母国語 母語 毎 毎回 毎年 毎日 毎晩 毎月 毎朝 毎週 比べ 比べる
比喩 気 気にし 気にする 気になる 気に入っ 気に入る 気をつけ 気を遣う 気分 気持ち 気楽 気温 気軽
気軽に 気遣い 水 水曜 水曜日 水泳 求め 求める 汚い 決して 決まっ 決まり 決まり文句 決まる 決め
決める 油 油っこい 法律 泣い 泣か 泣き 泣く 注意 泳い 泳ぎ 泳ぐ 洗い 洗う 洗っ 洗濯 浅い 海
海外 海老 消しゴム 涼しい 深い 深く 深夜 混ぜ 減らし 減らす 減る 減塩 温かい 温かく 湖 準備 演劇
演奏 漢字 漫画 濃いめ 火曜 火曜日 灰色 炒め 点字 無い 無くす 無理 無駄 焦ら 焦る 焼い 焼き 焼く
煮 煮る 熊 熱 熱い 爪 父 牛 牛乳 牛肉 物 物理 物語 特に 特別 特別な 犬 狐 独身 狭い 狼 猫
猿 玄関 率直 率直に 玉ねぎ 玉子 現在 現在形 理由 理科 理解 甘い 甘め 甘口 生き 生きる 生まれ
生まれる 生姜 生徒 生活 生物 用い 用いる 用語 田舎 甲殻類 申し 申します 男 男の子 男性 町 画家
略さ 略し 略語 番 番目 疑問符 疲れ 疲れた 疲れる 病気 病院 痛い 痩せ 痩せる 癖 発音 登り 登る
白 白い 百 的 的な 的に 皆 皆さん 皮肉 皿 目 目標 目薬 直さ 直し 直す 直接 相手 省い 省き
省く 省略 看護師 真ん中 真剣 真面目 眠い 眠く 眠り 眠る 眠れ 眼鏡 着 着る 着物 知っ 知ら 知らせ
知らせる 知り 知りたい 知る 知識 短い 短く 短くて 短さ 短すぎ 短め 短気 石 石鹸 砂糖 砕けた 硬い
確かに 確かめ 確認 示さ 示し 示す 礼儀 社会 祖母 祖父 祝日 禁煙 禁酒 私 私たち 私の 秋 科学 秒
秘密 程度 種類 空 空港 窓 立ち 立っ 立つ 立て 端的 端的に 笑い 笑う 笑っ 笑わ 第 答え 答えて
答える 箇条書き 算数 箸 簡単 簡単な 簡単に 簡潔 簡潔な 簡潔に 米 粒 糖分 糖尿病 約 約束 紅茶
納豆 紙 素敵 素直 素直に 紫 細い 細かい 細かく 紹介 終える 終わっ 終わり 終わる 経験 結び 結婚
結果 結構 結論 給料 絵 絵文字 絶対 絶対に 続く 続け 続ける 綴り 緑 緑茶 締め 練習 繰り返さ
繰り返し 繰り返す 置い 置き 置く 羊 美しい 美味しい 美術 習い 習う 習っ 習慣 翻訳 老人 老眼 考え
考える 考え方 耳 聞い 聞か 聞き 聞く 聞け 職場 職業 肉 肌 肩 育っ 育つ 育て 胃 背中 背景 胡椒
胸 能力 脂 脂っこい 脱ぐ 脱字 腕 腰 腰痛 膝 臆病 自信 自分 自分の 自宅 自己紹介 自然 自然な
自然に 自由 自由に 自転車 致します 興味 舌 船 良い 良かっ 良く 色 色々 色弱 色覚 花 花粉症 苗字
若い 苦い 苦手 苦手な 英語 茶 茶碗 茶色 草 菓子 菜食 華氏 落ちる 落ち着い 落ち着く 落とす 薄い
薄く 薄め 薄味 薦め 薬 虎 虫 蚊 蛇 蛙 蜂 蜘蛛 蝶 血 行 行い 行う 行か 行き 行く 行け 行こう
行っ 街 表 表し 表す 表現 複数 複雑 複雑な 褒め 褒める 西 要するに 要ら 要らない 要り 要る 要点
要約 見 見え 見える 見せ 見せる 見つかる 見つけ 見つける 見る 見出し 見方 見直し 視点 覚え 覚える
親 親切 親切な 親切に 解い 解き方 解く 解説 触れ 触れる 言い 言い回し 言い換え 言い方 言う 言え
言っ 言わ 言わず 言葉 言葉遣い 言語 訂正 計画 訊い 記事 記号 記憶 記者 訛り 許し 許す 許可 訳
訳し 訳す 評価 試さ 試し 試す 試合 試験 詩 話 話さ 話し 話して 話し方 話し言葉 話す 話せ 話そう
話題 詳しい 詳しく 詳細 認め 認める 誕生日 語 語り 語る 語彙 語調 誠実 誤字 説教 説明 説明し
読ま 読まず 読み 読みにくい 読みやすい 読む 読め 読ん 読書 読点 誰 誰か 誰も 調べ 調べる 論理的
論理的に 謙虚 謙譲語 謝っ 謝ら 謝り 謝る 議論 豆 豆腐 豚 豚肉 象 貝 責任 買い 買い物 買う 買っ
買わ 貸し 貸す 資料 賛成 質問 贈り物 赤 赤い 赤ちゃん 走っ 走り 走る 起き 起きる 起こし 起こす
超え 超えない 超える 越え 趣味 足 足し 足す 足り 足りない 足りる 踊っ 踊り 踊る 身長 車 車椅子
軽い 軽く 軽め 辛い 辛め 辛口 辞書 農家 近い 近く 近所 近視 返さ 返し 返す 返事 返答 述べ
述べる 迷い 迷う 迷っ 送っ 送り 送る 途中 途中で 通り 通常 速い 速く 週末 進む 進め 進める 進ん
遅い 遅く 遅れ 遅れる 遊び 遊ぶ 遊ん 運 運動 運転 過ぎ 過ぎる 過ごし 過ごす 過去 過去形 道 違い
違う 違っ 違和感 遠い 遠く 遠慮 適切 適切な 適当 選ば 選び 選ぶ 選ん 選手 避け 避ける 部下 部分
部屋 都会 都合 配慮 酒 酢 酸っぱい 醤油 重い 重め 重点 重要 重要な 野球 野菜 金曜 金曜日 金魚
釣り 鉛筆 錠剤 鍋 鍵 鏡 長い 長く 長くて 長さ 長すぎ 長すぎる 長め 長話 閉め 閉める 開く 開け
開ける 間 間に合う 間違い 間違う 間違え 間違える 間違っ 間隔 関係 関心 関西弁 降り 限り 除い 除き
除く 階段 障害 隣 集中 雑誌 雑談 離婚 難しい 難しく 難しすぎる 難聴 雨 雪 雲 零 電気 電話 電車
青 青い 静か 静かな 静かに 非常に 面白い 面白く 靴 靴下 鞄 韓国語 音 音楽 頂き 頂けます 頂ける
頃 順 順序 順番 頑固 頑張っ 頑張り 頑張る 頭 頭痛 頼み 頼む 頼り 頼る 頼ん 題 題名 顔 顔文字
願い 願う 願っ 風 風に 風呂 風邪 飛ぶ 飛行機 食べ 食べられ 食べられない 食べられる 食べる 食べれ
食べ物 食事 食堂 食物アレルギー 飲ま 飲み 飲み物 飲む 飲め 飲ん 飼い 飼う 飼っ 飼って 飽き 飽きる
首 香辛料 馬 駄洒落 駄目 駅 驚い 驚き 驚く 骨 高い 高く 高さ 高校 髪 魚 鳥 鶏 鶏肉 麺 黄色
黄色い 黒 黒い 黒板 鼻
"""
