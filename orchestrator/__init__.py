"""Many sources, one answer: understand, plan, gather, rank, answer, and the surfaces that stand on them."""
