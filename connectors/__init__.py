"""One contract and one folder a source: ask a vendor in its own language, hand back hits in ours."""
