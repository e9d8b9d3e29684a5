"""A real window: the command line under Xvfb, played with clicks that the X server makes.

The test speaks to the X server itself (connection, XTEST, GetImage), so that it needs no
program but Xvfb. It waits for what the screen shows, never for a fixed time.
"""

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

pytestmark = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb")
PATIENCE = 90  # seconds for a step on a busy machine, compiling included
SCREEN = 1000, 1000
KEYS = {"Escape": 9, "u": 30}  # key codes of Xvfb's keyboard
PLAY = """
import pathlib, sys
import five_in_a_row as five
five.game_file = lambda: pathlib.Path(sys.argv[1])
sys.exit(five.main(sys.argv[2:]))
"""


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
            assert reply[0] != 0, f"X error {reply[1]}"
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

    def press(self, key):
        """Press and release a key."""
        self.fake(2, KEYS[key])
        self.fake(3, KEYS[key])

    def window(self):
        """Return x, y, width, height of the largest window, or None."""
        tree = self.ask(15, 0, struct.pack("<I", self.root))
        count = struct.unpack_from("<H", tree, 16)[0]
        places = []
        for child in struct.unpack_from(f"<{count}I", tree, 32):
            geometry = self.ask(14, 0, struct.pack("<I", child))
            places.append(struct.unpack_from("<hhHH", geometry, 12))
        return max(places, key=lambda place: place[2] * place[3], default=None)

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
        self.x, self.y, *size = place
        self.layout = five.make_layout(*size, self.rules)
        x, y, _, _ = self.layout.wood
        red, green, blue = self.colour(x + 3, y + 3)
        return red > green + 20 > blue + 40

    def colour(self, x, y):
        """Return red, green, blue of a pixel of the window."""
        start = 4 * ((self.y + y) * SCREEN[0] + self.x + x)
        return tuple(reversed(self.screen.picture()[start : start + 3]))

    def stones(self):
        """Return {name: colour} of the stones that can be seen."""
        picture, seen = self.screen.picture(), {}
        away = self.layout.cell // 4  # beside the lines and the mark of the last move
        for point in range(self.rules.points):
            x, y = five.to_pixel(point, self.layout)
            start = 4 * ((self.y + y + away) * SCREEN[0] + self.x + x + away)
            blue, green, red = picture[start : start + 3]
            if abs(red - blue) < 20:  # grey, not wood
                name = five.point_name(point, self.rules.size)
                seen[name] = "white" if red > 150 else "black"
        return seen

    def click(self, place):
        """Click on a point or a button."""
        if place in five.BUTTONS:
            x, y, width, height = five.button_places(self.layout)[place]
            x, y = x + width // 2, y + height // 2
        else:
            x, y = five.to_pixel(five.to_point(place, self.rules), self.layout)
        self.screen.click(self.x + x, self.y + y)
        self.screen.fake(6, 0, 1, 1)  # away, so that no hover stone is taken for a stone

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
    command = [
        "Xvfb",
        "-displayfd",
        str(tell),
        "-screen",
        "0",
        "{}x{}x24".format(*SCREEN),
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

    def start(*arguments, size=8):
        settings = {"DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11"}
        command = [sys.executable, "-c", PLAY, tmp_path / "game.txt", "--size", str(size)]
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=root / "export",
            env=os.environ | settings,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        screens.append(Screen(display))
        return Player(screens[-1], process, five.Rules(size), tmp_path / "game.txt")

    yield start
    for screen in screens:
        screen.socket.close()
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def keep_screenshot(player, name):
    """Write the screen as PNG into the folder that FIVE_SHOTS names, if it is set."""
    if folder := os.environ.get("FIVE_SHOTS"):
        pygame = five.load_pygame()
        pixels = np.frombuffer(player.screen.picture(), np.uint8).reshape(-1, 4)
        surface = pygame.image.frombuffer(pixels[:, 2::-1].tobytes(), SCREEN, "RGB")
        pygame.image.save(surface, os.path.join(folder, f"{name}.png"))


def test_a_game_with_real_clicks(sit_down):
    player = sit_down("--seconds", "0.2")
    player.click("d4")
    player.wait(lambda: list(player.stones().values()).count("white") == 1)
    assert player.stones()["d4"] == "black" and len(player.stones()) == 2
    (reply,) = set(player.stones()) - {"d4"}
    player.click("d4")  # on a stone
    player.click(reply)
    player.screen.click(player.x + 2, player.y + 2)  # off the board
    free = next(name for name in ("a1", "h1") if name != reply)
    player.click(free)
    player.wait(lambda: len(player.stones()) == 4)
    keep_screenshot(player, "real_window")
    player.screen.fake(6, 0, player.x + player.layout.left, player.y + player.layout.bottom)
    player.screen.press("u")
    player.wait(lambda: len(player.stones()) == 2)
    player.click("close")
    status, out, err = player.end()
    played = five.load_game(player.file)
    assert (status, err) == (0, "") and played.game.moves == ["d4", reply]
    assert played.players == ("person", "engine") and list(played.searches) == [1]
    assert five.record_text(played.game) in out


def test_closing_and_interrupting_while_the_computer_thinks(sit_down):
    for number, end in enumerate(("button", "escape", "interrupt"), 1):
        player = sit_down("--seconds", "3000", size=15)
        player.click("h8")
        player.wait(lambda player=player: player.stones() == {"h8": "black"})
        if end == "button":
            player.click("close")
        elif end == "escape":
            player.screen.fake(6, 0, player.x + 50, player.y + 50)
            player.screen.press("Escape")
        else:
            player.process.send_signal(signal.SIGINT)
        status, out, err = player.end()
        assert (status, err) == (0, "") and "1. h8" in out
        assert player.file.read_text("utf-8").count("1. h8\n") == number


def test_white_is_the_computers_opening_move_and_a_new_game(sit_down):
    player = sit_down("--seconds", "0.1", "--color", "white", size=5)
    player.wait(lambda: list(player.stones().values()) == ["black"])
    player.click("a1")
    player.wait(lambda: len(player.stones()) == 3)
    assert player.stones()["a1"] == "white"
    player.click("new")
    player.wait(lambda: len(player.stones()) == 1)
    player.click("close")
    assert player.end()[0] == 0
    assert player.file.read_text("utf-8").count("date:") == 2
