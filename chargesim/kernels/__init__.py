"""The compiled core: the decorator, chance primitives and the loops every ruleset shares."""
