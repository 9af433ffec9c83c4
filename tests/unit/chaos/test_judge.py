"""The judge of chaos: what it lets pass, and what it does not."""

from tests.chaos import judge


def asked(times, path="/api/search.messages?query=x", vendor="slack"):
    """Requests at a vendor's door."""
    return [{"at": at, "what": "asked", "vendor": vendor, "path": path} for at in times]


def broken(entries):
    """What each law of limits says was broken."""
    entries = sorted(entries, key=lambda each: each["at"])
    return {each.law.partition(" is asked")[0]: each.broken for each in judge.within_limits(entries)}


BURST = [100.0 + number / 10 for number in range(20)]


def test_one_more_than_a_vendor_allows_in_a_window_is_found():
    assert broken(asked([*BURST, 161.0])) == {"slack": ()}
    assert broken(asked([*BURST, 150.0])) == {"slack": ("150 s: 8.0 s too soon",)}


def test_a_rate_that_is_a_little_too_high_for_long_is_found_however_late_requests_may_be():
    assert broken(asked([number * 60 / 21 for number in range(200)]))["slack"]
    assert not broken(asked([number * 60 / 20 for number in range(200)]))["slack"]


def test_methods_that_slack_counts_apart_are_counted_apart():
    apart = asked([101.0, 102.0], "/api/users.list") + asked([103.0], "/api/auth.test")
    assert broken(asked(BURST) + apart) == {"slack": (), "slack lists": ()}


def test_what_a_frozen_process_sends_late_was_let_through_before_it_was_frozen():
    frozen = {"kind": "frozen", "target": "api-2"}
    spell = [{"at": 95.0, "what": "strike", **frozen}, {"at": 107.0, "what": "over", **frozen}]
    arrivals = asked([*BURST[1:], 107.1, 155.0])
    assert broken(arrivals)["slack"]
    assert not broken(arrivals + spell)["slack"], "one of them had been let through at 94, so there was a place at 154"


def test_what_waited_for_a_core_may_have_been_let_through_before_that():
    def waiting(until):
        return [
            {"at": until - second, "what": "waited", "part": "api-1", "seconds": 0.9, "over": 1.0}
            for second in range(12)
        ]

    arrivals = asked([*BURST, 157.0])
    assert broken(arrivals)["slack"]
    assert not broken(arrivals + waiting(101.0))["slack"]
    assert broken(arrivals + waiting(90.0))["slack"], "it had not been let through yet"


def grown(**growing):
    """What of a part that lived for ten minutes is not flat, where these grew by so many a second."""
    usual = {"memory": 100, "threads": 10, "most": 50, "processes": 10, "sockets": 20}
    entries = [
        {"at": float(at), "what": "sample", "part": "postgres", "pid": 1}
        | {name: int(value + growing.get(name, 0) * at) for name, value in usual.items()}
        for at in range(0, 600, 3)
    ]
    return {each.law for each in judge.flat(entries) if each.broken}


def test_what_leaks_is_seen_by_whatever_it_leaks():
    assert grown() == set()
    assert grown(processes=0.5) == {"processes stay flat"}
    assert grown(most=0.5) == {"handles of one process stay flat"}
    assert grown(memory=1) == {"memory stays flat"}
