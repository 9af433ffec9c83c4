"""What an installation sets, from which layer each value came, and what is wrong with it where something is."""

from orchestrator.settings.keeping import is_private, keep_secret, keep_source
from orchestrator.settings.layers import (
    Layer,
    Setting,
    effective,
    load_settings,
    name_of,
    no_such_setting,
    read_layers,
    read_source,
    settings_from,
    site_file,
)
from orchestrator.settings.sections import Settings, Tracing

__all__ = [
    "Layer",
    "Setting",
    "Settings",
    "Tracing",
    "effective",
    "is_private",
    "keep_secret",
    "keep_source",
    "load_settings",
    "name_of",
    "no_such_setting",
    "read_layers",
    "read_source",
    "settings_from",
    "site_file",
]
