"""How people and programs reach the engine. Each surface is thin, and a stranger to the others."""
