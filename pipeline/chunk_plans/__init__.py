"""Which strategy, tier and settings a document is cut with."""

from pipeline.chunk_plans.model import ChunkPlan, Tier
from pipeline.chunk_plans.planning import plan_document
from pipeline.chunk_plans.settings import ChunkingSettings

__all__ = ["ChunkPlan", "ChunkingSettings", "Tier", "plan_document"]
