"""``python -m fedsearch``: the command line, where its folder of scripts is not on the path."""

from orchestrator.main import run

if __name__ == "__main__":
    run()
