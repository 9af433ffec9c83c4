"""What stands for a process that a server forks: it hands over all that a process is given, passes signals on, and ends as that did.

It is run without ``site`` and imports little, since it is there to be quick.
"""

import json
import os
import signal
import socket
import sys

PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)


def main() -> None:
    _, address, *arguments = sys.argv
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        given = json.dumps([arguments, dict(os.environ), os.getcwd()]).encode()  # noqa: PTH109 — pathlib takes long to import
        socket.send_fds(server, [len(given).to_bytes(4, "big")], [0, 1, 2])
        server.sendall(given)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # the other ends see who has really closed them
            os.dup2(nothing, stream)
        forked = _number(server)
        for number in PASSED_ON:
            signal.signal(number, lambda number, _: os.kill(forked, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        ended = _number(server)
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    os._exit(ended)


def _number(server: socket.socket) -> int:
    said = server.recv(4, socket.MSG_WAITALL)
    if len(said) < 4:
        os._exit(99)  # the server is gone, and what it forked with it
    return int.from_bytes(said, "big", signed=True)


main()
