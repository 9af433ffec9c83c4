"""What an installation sets, from which layer each value came, and what is wrong with it where something is."""

from orchestrator.settings.found import FoundFilters, KeptFilters
from orchestrator.settings.keeping import (
    KeptSecret,
    SecretsKept,
    forget_source,
    keep_secret,
    keep_source,
    kept_secrets,
    seal_kept,
)
from orchestrator.settings.layers import (
    Layer,
    Setting,
    effective,
    load_settings,
    name_of,
    nested,
    no_such_setting,
    parse_source,
    read_layers,
    read_source,
    settings_from,
    site_file,
    wrong_setting,
)
from orchestrator.settings.sealed import KEY_FILE
from orchestrator.settings.sections import Settings, Tracing, now_in
from orchestrator.settings.site import SettingsSite

__all__ = [
    "KEY_FILE",
    "FoundFilters",
    "KeptFilters",
    "KeptSecret",
    "Layer",
    "SecretsKept",
    "Setting",
    "Settings",
    "SettingsSite",
    "Tracing",
    "effective",
    "forget_source",
    "keep_secret",
    "keep_source",
    "kept_secrets",
    "load_settings",
    "name_of",
    "nested",
    "no_such_setting",
    "now_in",
    "parse_source",
    "read_layers",
    "read_source",
    "seal_kept",
    "settings_from",
    "site_file",
    "wrong_setting",
]
