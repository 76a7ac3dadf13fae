"""English function words and verbs, as evidence and for the floor's fast probe."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


THIRD_PERSON = _words(
    """
    he her hers herself him himself his it its itself she their theirs them themselves they
    """
)
"""Pronouns that stand for something named elsewhere."""
DEMONSTRATIVES = _words(
    """
    such that these this those
    """
)
"""Words that point at something said before."""
CONNECTIVES = _words(
    """
    additionally afterwards also and another because both but consequently either finally
    furthermore hence here however instead later likewise meanwhile moreover neither nevertheless
    nonetheless nor or otherwise similarly so still subsequently then there therefore thus yet
    """
)
"""Openings that go on with a thought."""
FUNCTION_WORDS = _words(
    """
    a about above across additionally after afterwards again against all along already also although
    always am among an and another any are around as at bad be because been before behind being
    below beneath beside between beyond big both but by can consequently could did different do does
    down during e.g each early eight either etc even ever every except few finally first five for
    four from furthermore get good got great had has have having he hence her here hers herself high
    him himself his how however i i.e if important in indeed inside instead into is it its itself
    just large last late later let like likewise little long low made make makes many may maybe me
    meanwhile might mine more moreover most much must my near neither never nevertheless new next
    nine no nonetheless nor not of off often old on once one only onto or other others otherwise our
    out over own per perhaps said same says second see seen seven several shall she short should
    similarly since six small so some sometimes still subsequently such ten than that the their
    theirs them themselves then there therefore these they third this those though three through
    throughout thus to too toward towards two under until up upon us use used using very via was we
    well were what when where whether which while who whom whose why will with within without would
    yes yet you young your yours
    """
)
"""Words that name nothing, all of the above included."""
NO_REFERENTS = _words(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday
    dr mr mrs ms miss prof sir madam gmt utc bst cet est edt cst cdt mst mdt pst pdt
    everybody everyone everything anybody anyone anything nobody none nothing somebody someone something
    """
)
"""Capitalised words that a pronoun never stands for when they stand alone: dates, forms of address."""
VERBS = _words(
    """
    allow allows am are aren't be became become becomes been began begin begins begun being bought
    break breaks bring brings broke broken brought build builds built buy buys call calls came can
    can't choose chooses chose chosen come comes contain contains cost costs could couldn't cut cuts
    depend depends did didn't do does doesn't don't draw drawn draws drew drive drives drove ends
    fall falls feel feels fell felt find finds flew flies fly found gave get gets give given gives
    go goes gone got grew grow grown grows had has have having held help helps hit hits hold holds
    include includes is isn't keep keeps kept knew know known knows lay lead leads leave leaves led
    left let lets lie lies lose loses lost made make makes may mean means meant meet meets met might
    must need needs own owns paid pay pays provide provides put puts ran read reads require requires
    return returns rise rises rose run runs said saw say says see seen sees sell sells send sends
    sent serve serves set sets shall should show shown shows sit sits sold speak speaks spend spends
    spent spoke stand stands start starts stood stop stops support supports take taken takes tell
    tells think thinks thought told took understand understands understood use uses want wants was
    wasn't wear went were weren't will win wins won won't wore work works would wouldn't write
    writes written wrote
    accepts approves blocks checks connects controls covers creates defines delivers describes drains emits
    exposes feeds follows governs handles holds joins keeps manages moves notifies opens operates orders
    performs powers produces publishes pulls pushes receives refers rejects relates replaces reports routes
    schedules secures signs stores supersedes supplies supports tracks triggers validates verifies watches
    """
)
"""Common verbs in the forms that a predicate takes."""
