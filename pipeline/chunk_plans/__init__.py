"""Which strategy, tier and settings a document is cut with."""

from pipeline.chunk_plans.model import ChunkPlan, Tier
from pipeline.chunk_plans.planning import DocumentProfile, choose_plan, plan_document
from pipeline.chunk_plans.settings import ChunkingSettings

__all__ = ["ChunkPlan", "ChunkingSettings", "DocumentProfile", "Tier", "choose_plan", "plan_document"]
