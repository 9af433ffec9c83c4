"""Broken: a sound translator whose exemplars are English only and show no attack."""

from translators.exemplars import exemplars_from
from translators.slack import Slack

CAUGHT_BY = "test_exemplars_show_every_clause_in_both_languages"
BY_THAT_ALONE = True
TRANSLATOR = Slack()
EXEMPLARS = exemplars_from(
    {
        "exemplar": [
            {"says": "a word", "where": [{"term": "deploy"}], "text": "deploy"},
            {"says": "a phrase", "where": [{"phrase": "release train"}], "text": '"release train"'},
        ]
    }
)
