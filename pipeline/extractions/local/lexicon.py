"""Closed word lists: what English says with grammar words, and heads that tell what a name names.

The cue lists are for written, factual English; each word stands where its scope is decided (see ``stance``).
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- polarity and modality -------------------------------------------------------------------------------
NEGATORS = _words("not n't never no nor neither none nobody nothing nowhere")
DOUBTFUL_ADVERBS = _words(
    "hardly barely scarcely rarely seldom almost nearly formerly previously originally initially"
    " historically theoretically hypothetically supposedly ostensibly ideally otherwise no-longer"
)
POSSIBLE_ADVERBS = _words(
    "possibly perhaps maybe probably likely potentially presumably conceivably arguably apparently seemingly"
)
REPORTED_ADVERBS = _words("allegedly reportedly purportedly")
PLANNED_ADVERBS = _words("soon eventually shortly tomorrow")
FUTURE_NOUNS = _words("week month quarter year sprint release season fall spring summer winter")

MODALS = {
    "may": "possible",
    "might": "possible",
    "could": "possible",
    "can": "possible",
    "ca": "possible",
    "would": "conditional",
    "'d": "conditional",
    "will": "planned",
    "wo": "planned",
    "'ll": "planned",
    "shall": "required",
    "must": "required",
    "should": "required",
    "ought": "required",
    "need": "required",
}
CONDITIONAL_MARKS = _words(
    "if unless whether provided providing assuming supposing should lest until till in-case"
)
TEMPORAL_MARKS = _words("when whenever once after before")
CONDITIONAL_PREPOSITIONS = _words("barring without unless if until till")

SAYING = _words(
    "say claim report state announce argue note mention assert allege suggest believe think insist maintain"
    " write explain tell confirm declare indicate estimate warn complain acknowledge admit concede observe"
    " find show demonstrate conclude learn hear read remark reveal add reply answer contend understand feel"
    " document describe testify speculate assume suspect imply advise inform remind certify"
)
GUESSING = _words("suppose imagine wonder guess hypothesize doubt")
DENYING = _words("deny dispute reject refute disprove doubt contradict disbelieve")
PLANNING = _words(
    "plan intend aim want hope wish propose schedule decide agree promise commit prepare go expect recommend"
    " consider envision envisage suggest set slate arrange choose opt elect seek try attempt offer threaten"
    " design mean target due about vote pledge like"
)
REQUIRING = _words("need require oblige have demand mandate instruct force order urge compel request bind")
FAILING = _words(
    "fail refuse decline stop cease quit avoid forget neglect prevent prohibit forbid ban bar block"
    " discourage discontinue omit resist keep-from end abandon"
)
SEEMING = _words("seem appear tend allow permit let enable able expect likely enough possible help")
FACTUAL = _words(
    "begin start continue keep manage proceed remain get come serve use resume help go-on happen"
)
TRUTH_ADJECTIVES = {
    "unlikely": "possible",
    "likely": "possible",
    "possible": "possible",
    "probable": "possible",
    "conceivable": "possible",
    "necessary": "required",
    "essential": "required",
    "mandatory": "required",
    "required": "required",
}
FALSE_ADJECTIVES = _words("false untrue wrong incorrect impossible")
UNABLE_ADJECTIVES = _words("unable unwilling impossible reluctant")
PLANNED_ADJECTIVES = _words("due set ready scheduled about slated keen eager poised")
ABLE_ADJECTIVES = _words("able free likely possible eligible entitled unlikely sure certain")

LABEL_CUES = _words(
    "goal goals non-goal non-goals todo option question idea rumour rumor claim myth roadmap next later open"
    " issue risk risks if otherwise wish draft suggestion recommendation unsupported obsolete alternative"
)
"""Labels before a colon after which nothing is stated as a fact."""

REPORT_NOUNS = _words("claim report allegation statement rumour rumor assertion story accusation")
COMPLEMENT_NOUNS = REPORT_NOUNS | _words(
    "evidence belief idea fact possibility hypothesis assumption suggestion proposal plan risk concern"
    " view notion news theory suspicion doubt chance hope promise proof sign indication requirement"
    " decision expectation"
)
"""Nouns whose that-clause is their content; a parser often takes it for a relative clause."""

ROLE_ADJECTIVES = _words("chief general executive deputy vice acting associate technical")
"""Adjectives that belong to a role's name; others only describe who holds it."""

ENDED_MODIFIERS = _words(
    "former ex ex- previous erstwhile one-time onetime retired outgoing late old defunct once formerly"
    " previously"
)
PLANNED_MODIFIERS = _words(
    "planned proposed future prospective upcoming intended designate incoming scheduled"
)
POSSIBLE_MODIFIERS = _words(
    "potential possible alleged supposed would-be hypothetical likely suspected presumed"
)
OPEN_DETERMINERS = _words("any every each whichever whatever")

TITLE_STANCES = (
    ("planned", _words("roadmap")),
    ("planned", _words("planned")),
    ("planned", _words("plans")),
    ("planned", _words("future work")),
    ("possible", _words("alternatives")),
    ("possible", _words("alternative")),
    ("unknown", _words("non-goals")),
    ("unknown", _words("non goals")),
    ("unknown", _words("open questions")),
    ("unknown", _words("open issues")),
    ("unknown", _words("user stories")),
    ("unknown", _words("user story")),
    ("unknown", _words("rejected")),
)
"""Section titles under which nothing is stated as a fact: all the words must be in the title."""

HARD_CUES = _words(
    "not n't never no neither nor none without may might could would will shall should must cannot unless if"
    " whether nobody nothing hardly barely"
)

LEAD_IN_CUES = _words(
    "plan plans planned planning proposed proposal future alternatives rejected considered denied denies"
    " claims claimed allegedly according must-not example examples suppose could-be deprecated removed"
    " formerly"
)
"""Words in a list's lead-in after which no item is taken as a plain fact."""

# --- arguments -------------------------------------------------------------------------------------------
PARTITIVES = _words(
    "one some most many all each any none either both number lot majority few several half part portion rest"
    " neither any two three list set kind type sort variety group-of instance copy"
)
PRONOUNS = _words("it he she they him her them this that these those itself himself herself themselves")
RELATIVES = _words("which that who whom whose")

ORGANIZATION_HEADS = _words(
    "team group council committee board office department squad guild agency authority institute laboratory"
    " company corporation university ministry bank union association foundation society commission bureau"
    " division consortium"
)
PLACE_HEADS = _words(
    "centre center datacentre datacenter region site plant warehouse station port campus building lab dock"
    " bridge mill yard depot terminal airport city"
)
SYSTEM_HEADS = _words(
    "router service engine portal gateway queue cache store db database lake registry server api controller"
    " scheduler cluster platform system tool library module proxy agent manager plugin driver operator client"
    " backup board bus broker index archive pipeline runner daemon app application framework sdk cli protocol"
)
DOCUMENT_HEADS = _words(
    "policy act law report handbook manual standard directive regulation runbook contract guide"
)
EVENT_HEADS = _words("incident conference summit outage war election")
NAMED_HEADS = _words(
    "team group council committee board department squad guild centre center cluster office lab"
)
"""Lower-case heads that belong to the name: "Billing team" is not Billing, "RTM-1 cluster" is not RTM-1."""

TYPE_HEADS = _words(
    "service system application app tool product library project platform binary process repository repo"
    " topic package framework daemon job gateway router controller component module command vendor company"
    " firm subsystem"
)
"""Lower-case heads that only say what the name before them is: "the Kestrel service" is Kestrel."""

CODE_TYPE_HEADS = TYPE_HEADS | _words(
    "api resource object type kind field flag annotation label finalizer endpoint file directory option"
    " parameter variable method function class struct interface condition taint header metric role path"
    " table column key container image namespace branch script cluster plugin"
)
"""The same where the name is inline code: "the `Job` API" is Job."""

ROLE_NOUNS = _words(
    "user admin administrator operator client server node driver pod job sidecar customer developer"
    " engineer owner author maintainer reviewer approver contributor vendor carrier shipper container"
    " volume task request response graduate member people person everyone somebody anybody feature step"
    " phase option example note goal motivation summary overview support key set status controller"
    " kubelet-side host level default value"
)
"""Common nouns that a heading, bullet or template often capitalizes; alone they name nobody in particular."""

TRANSITIVE = _words(
    "implement introduce define create base locate use install deploy host store call name develop"
    " maintain write build own manage provide support describe require know see list release publish"
    " configure annotate mount schedule associate"
)
"""Verbs whose bare past form before a preposition is a participle: "a service hosted in Y"."""

GENERIC_HEADS = _words(
    "service system product platform tool company component project application application"
)
"""Heads by which a text takes up the one thing it has just introduced."""

HONORIFICS = _words("dr dr. mr mr. mrs mrs. ms ms. prof prof. sir dame")
NOT_NAMES = _words(
    "must should may not shall and or if no yes todo note warning important caution tip tbd fixme i ok"
    " fyi eg ie etc n/a na the a an this that these those it we you they monday tuesday wednesday thursday"
    " friday saturday sunday january february march april june july august september october november"
    " december am pm utc gmt cet however also then here there for in on at by when while since because"
    " although per via figure table section mr mrs"
)

EMPTY_VERBS = _words("have hold take give make play")
LIGHT_VERBS = _words(
    "have provide give take hold sign make play offer get maintain open keep send share grant"
)
ADJUNCT_PREPOSITIONS = _words(
    "during before after since until till despite because without like unlike except besides within about"
    " per according due while concerning regarding than instead rather upon amid beyond versus out off"
    " such including as-of ago throughout above below between among along but whether if though although"
)
OBJECT_PREPOSITIONS = _words("to from into with on in at through via for over against onto by using as of")
"""Prepositions that may add an end to a verb which already has an object."""

OBJECT_CONTROL = _words(
    "allow let help enable ask force make tell require instruct cause want expect permit order urge"
    " invite lead encourage advise configure"
)
VACUOUS_OBJECTS = _words(
    "time moment day hour night month week year end beginning start case addition order way example"
    " general particular part practice fact hand turn total average detail advance parallel sequence"
    " contrast future past meantime basis course point stage front minute second quarter morning evening"
    " question moment first last behalf line favor favour accordance conjunction"
)
"""Nouns that after a preposition say when or how, not what: "at the same time", "by hand"."""

COPULAS = _words("be become remain")
STATES_THAT_END = _words("own belong")

COMMON_ACRONYMS = _words(
    "API APIS URL URLS URI ID IDS UI CPU CPUS RAM OS IP IPS IO VM VMS GA PR PRS QA FAQ KB MB GB TB MIB"
    " GIB TIB MS KM KG EUR USD GBP UTC GMT CET AM PM NB TBD N/A CEO CTO CFO CISO COO UID UIDS UUID UUIDS"
    " TTL SLA SLO QPS CI CD"
)
"""Abbreviations that, alone, name nothing in particular."""

# --- language ---------------------------------------------------------------------------------------------
FOREIGN_WORDS = _words(
    "der die das und ist nicht ein eine den dem des von mit auf für zum zur auch wird le les est une dans"
    " pour et un du au que el los las es una por con para del il che di sono een het van niet voor op det"
    " som är på att não uma são dos"
)
ENGLISH_WORDS = _words(
    "the a an of to in and is are was were be been it its this that these those for on with as by at from"
    " or not has have had will can may must should if which who when than then their there they we you he"
    " she but"
)
