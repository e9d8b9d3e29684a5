"""A real window: the command line under Xvfb, played with clicks and keys of the X server.

The test speaks to the X server itself (connection, XTEST, GetImage), so that it needs no
program but Xvfb. It waits for what the screen shows, never for a fixed time.
"""

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

import five_in_a_row as five
import numpy as np
import pytest
from helpers import PATIENCE
from window_lab import CONTROLS, EVERY, control_places, stones_in

pytestmark = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb")
SCREEN = 1000, 1000
SYMBOLS = {"escape": 0xFF1B, "return": 0xFF0D, "left": 0xFF51, "up": 0xFF52, "shift": 0xFFE1}
PLAY = """
import pathlib, sys
import five_in_a_row as five
five.game_file.game_file = lambda: pathlib.Path(sys.argv[1])
sys.exit(five.command_line.main(sys.argv[2:]))
"""


class XError(Exception):
    """What the X server answers to a request that it cannot fulfil."""


class Screen:
    """A connection to an X server: its picture, real clicks and keys. X11 protocol, 11.0."""

    def __init__(self, number):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(f"/tmp/.X11-unix/X{number}")
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        status, length = struct.unpack("<B5xH", self.read(8))
        data = self.read(4 * length)
        assert status == 1, data
        vendor, formats = struct.unpack_from("<16xH3xB", data)
        (self.root,) = struct.unpack_from("<I", data, 32 + -(-vendor // 4) * 4 + 8 * formats)
        reply = self.ask(98, 0, struct.pack("<Hxx8s", 5, b"XTEST"))
        assert reply[8], "this X server has no XTEST"
        self.xtest = reply[9]
        first, count = 8, 248  # key codes
        reply = self.ask(101, 0, struct.pack("<BBxx", first, count))
        table = struct.unpack_from(f"<{count * reply[1]}I", reply, 32)
        self.codes = {  # key symbol: key code, of what is typed without Shift
            table[i * reply[1]]: first + i for i in range(count) if table[i * reply[1]]
        }

    def read(self, count):
        """Return that many bytes from the server."""
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            assert part, "the X server is gone"
            data += part
        return data

    def send(self, opcode, detail, body):
        """Send a request."""
        self.socket.sendall(struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body)

    def ask(self, opcode, detail, body):
        """Send a request and return its reply."""
        self.send(opcode, detail, body)
        while True:
            reply = self.read(32)
            if reply[0] == 0:
                raise XError(f"X error {reply[1]}")
            if reply[0] == 1:
                return reply + self.read(4 * struct.unpack_from("<I", reply, 4)[0])

    def fake(self, kind, detail=0, x=0, y=0):
        """Let something happen: 2, 3 key down, up; 4, 5 button down, up; 6 pointer to x, y."""
        event = struct.pack("<BBxxII8xhh8x", kind, detail, 0, self.root, x, y)
        self.send(self.xtest, 2, event)

    def click(self, x, y):
        """Move the pointer there, press and release its left button."""
        self.fake(6, 0, x, y)
        self.fake(4, 1)
        self.fake(5, 1)

    def press(self, *keys):
        """Press and release keys; a capital with Shift."""
        shift = self.codes[SYMBOLS["shift"]]
        for key in keys:
            code = self.codes[SYMBOLS.get(key) or ord(key.lower())]
            held = [shift, code] if key.isupper() else [code]
            for each in held:
                self.fake(2, each)
            for each in reversed(held):
                self.fake(3, each)

    def window(self):
        """Return x, y, width, height and number of the largest window, or None."""
        tree = self.ask(15, 0, struct.pack("<I", self.root))
        count = struct.unpack_from("<H", tree, 16)[0]
        places = []
        for child in struct.unpack_from(f"<{count}I", tree, 32):
            with contextlib.suppress(XError):  # it may just have been closed
                geometry = self.ask(14, 0, struct.pack("<I", child))
                places.append((*struct.unpack_from("<hhHH", geometry, 12), child))
        return max(places, key=lambda place: place[2] * place[3], default=None)

    def close_window(self):
        """Ask the largest window to close, as a click on its cross does."""
        window, atoms = self.window()[4], []
        for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"):
            body = struct.pack("<Hxx", len(name)) + name + bytes(-len(name) % 4)
            atoms += struct.unpack_from("<8xI", self.ask(16, 0, body))
        event = struct.pack("<BBxxIII16x", 33, 32, window, *atoms)
        self.send(25, 0, struct.pack("<II", window, 0) + event)

    def picture(self):
        """Return what the whole screen shows as bytes: blue, green, red and one more."""
        body = struct.pack("<IhhHHI", self.root, 0, 0, *SCREEN, 0xFFFFFFFF)
        return self.ask(73, 2, body)[32:]


class Player:
    """A person at the screen: looks, clicks, waits."""

    def __init__(self, screen, process, rules, file):
        self.screen, self.process, self.rules, self.file = screen, process, rules, file
        self.wait(lambda: self.window_is_painted())

    def window_is_painted(self):
        """Say whether the board can be seen."""
        place = self.screen.window()
        if place is None or place[2] < 300:
            return False
        self.x, self.y, *size, _ = place
        self.layout = five.window.make_layout(*size, self.rules, EVERY)
        x, y, width, height = self.layout.wood
        corners = self.picture()[[y + 3, y + height - 4], [x + 3, x + width - 4]]
        return bool((np.diff(corners) < -20).all())  # more red than green than blue

    def picture(self):
        """Return what the screen shows from the window's corner on: int[height, width, 3]."""
        screen = np.frombuffer(self.screen.picture(), np.uint8).reshape(*SCREEN[::-1], 4)
        return screen[self.y :, self.x :, 2::-1].astype(int)

    def stones(self):
        """Return {name: colour} of the stones that can be seen."""
        return stones_in(self.picture(), self.layout, self.rules)

    def click(self, place):
        """Click on a point or a control."""
        if place in CONTROLS:
            x, y, width, height = control_places(self.layout)[place]
            x, y = x + width * 3 // 4, y + height // 2
        else:
            x, y = five.window.to_pixel(five.game.to_point(place, self.rules), self.layout)
        self.screen.click(self.x + x, self.y + y)
        self.screen.fake(6, 0, 1, 1)  # away, so that no hover stone is taken for a stone

    def press(self, *keys):
        """Press keys with the pointer on the window, beside its lines: it gets them then."""
        self.screen.fake(
            6, 0, self.x + self.layout.wood[0] + 2, self.y + self.layout.wood[1] + 2
        )
        self.screen.press(*keys)

    def wait(self, condition):
        """Wait until something can be seen; fail where it never is."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, "the screen does not show it"
            time.sleep(0.02)

    def end(self):
        """Return status, output and errors of the window's process once it has ended."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture(scope="module")
def display():
    """Start an X server on a free display and return its number."""
    look, tell = os.pipe()
    size = "{}x{}x24".format(*SCREEN)
    command = [
        "Xvfb",
        "-displayfd",
        str(tell),
        "-screen",
        "0",
        size,
        "-nolisten",
        "tcp",
        "-noreset",
    ]
    server = subprocess.Popen(command, pass_fds=[tell], stderr=subprocess.DEVNULL)
    os.close(tell)
    with os.fdopen(look) as answer:
        number = answer.readline().strip()
    assert number, "Xvfb has not started"
    yield number
    server.terminate()
    server.wait()


@pytest.fixture
def sit_down(display, root, tmp_path):
    """Return a function that starts the command line and returns a Player before it."""
    started, screens = [], []

    def start(*arguments, size=8, program=("-c", PLAY, tmp_path / "game.txt")):
        settings = {"DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11"}
        command = [sys.executable, *program, "--size", str(size)]
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=root / "export",
            env=os.environ | settings,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # a shell starts what runs in the background with interrupts ignored
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        started.append(process)
        screens.append(Screen(display))
        return Player(screens[-1], process, five.game.Rules(size), tmp_path / "game.txt")

    yield start
    for screen in screens:
        screen.socket.close()
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_game_with_real_clicks_and_keys(sit_down):
    player = sit_down("--seconds", "0.2")
    player.click("d4")
    player.wait(lambda: list(player.stones().values()).count("white") == 1)
    assert player.stones()["d4"] == "black" and len(player.stones()) == 2
    (reply,) = set(player.stones()) - {"d4"}
    player.click("d4")  # on a stone
    player.click(reply)
    player.screen.click(player.x + 2, player.y + 2)  # off the board
    free = next(name for name in ("a1", "h1") if name != reply)
    player.press(*free, "return")
    player.wait(lambda: len(player.stones()) == 4)
    assert player.stones()[free] == "black"
    player.press("u")
    player.wait(lambda: len(player.stones()) == 2)
    player.press("y")
    player.wait(lambda: len(player.stones()) == 4)
    player.click("undo")
    player.wait(lambda: len(player.stones()) == 2)
    player.click("close")
    status, out, err = player.end()
    played = five.game_file.load_game(player.file)
    assert (status, err) == (0, "") and played.game.moves == ["d4", reply]
    assert played.players == ("person", "engine") and list(played.searches) == [1]
    assert five.figures.record_text(played.game) in out


@pytest.mark.parametrize("end", ["button", "interrupt"])
def test_closing_and_interrupting_while_the_computer_thinks(end, sit_down):
    player = sit_down("--seconds", "3000", size=15)
    player.click("h8")
    player.wait(lambda: player.stones() == {"h8": "black"})
    if end == "button":
        player.click("close")
    else:
        player.process.send_signal(signal.SIGINT)
    status, out, err = player.end()
    assert (status, err) == (130 if end == "interrupt" else 0, "") and "1. h8" in out
    assert five.game_file.load_game(player.file).game.moves == ["h8"]


def test_a_game_goes_on_after_the_program_was_killed(sit_down):
    player = sit_down("--seconds", "0.1")
    player.click("d4")
    player.wait(lambda: len(player.stones()) == 2)
    stones = player.stones()
    player.process.kill()
    player.end()
    again = sit_down("--color", "white")
    again.press("L")
    again.wait(lambda: again.stones() == stones)


def test_closing_while_the_engine_compiles_ends_the_process_and_keeps_the_game(
    sit_down, root, tmp_path, unchecked, monkeypatch
):
    program = shutil.copytree(
        root / "export" / "five_in_a_row",
        tmp_path / "five_in_a_row",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cold"))
    player = sit_down(program=[program])
    player.click("d4")
    player.wait(lambda: player.stones() == {"d4": "black"})
    player.screen.close_window()
    status, out, err = player.end()
    kept = {file.name.split(".py")[0] for file in tmp_path.glob("cold/**/*.nbc")}
    assert "engine.doubt_favourite" not in kept  # among the last that are compiled
    assert (status, err) == (0, "") and "1. d4" in out
    assert five.game_file.load_game(tmp_path / "game.txt").game.moves == ["d4"]
