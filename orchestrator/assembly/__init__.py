"""How the rooms are put together; only :mod:`orchestrator.main` and tests call it. Rooms are imported where they are used."""
