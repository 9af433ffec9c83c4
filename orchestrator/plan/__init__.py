"""From what was understood to what will be sent where: sources, names, variants, rungs. Pure."""

from orchestrator.plan.build import PlanLimits, make_plan
from orchestrator.plan.outbound import Vocabulary
from orchestrator.plan.outside import OutsidePolicy, may_ask_outside
from orchestrator.plan.profile import SourceProfile, called, excludable, orders, powers
from orchestrator.plan.thesaurus import Concept, load_thesaurus

__all__ = [
    "Concept",
    "OutsidePolicy",
    "PlanLimits",
    "SourceProfile",
    "Vocabulary",
    "called",
    "excludable",
    "load_thesaurus",
    "make_plan",
    "may_ask_outside",
    "orders",
    "powers",
]
