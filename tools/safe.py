"""Text and file names that come from elsewhere: printed so that no terminal obeys them, and
refused where a zip cannot carry them to every system."""

import re
import sys
import unicodedata
from collections import defaultdict

# Names that Windows keeps for devices, whatever suffix follows.
DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:[.:].*)?", re.I | re.S
)
FORBIDDEN = '\\<>:"|?*'  # on Windows, in every name
RULE = "a name of letters, digits, spaces and . - _ is safe: rename it"


# ---- text ------------------------------------------------------------------------------


def escaped(text):
    r"""Return text with everything that is not printed as a letter written out, as \x1b."""
    return "".join(letter if is_shown(letter) else escaped_letter(letter) for letter in text)


def is_shown(letter):
    """Say whether a letter has a shape of its own, or is a space."""
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def escaped_letter(letter):
    r"""Return a letter as \x1b or \u202e; a byte of a name that is no UTF-8 as \xff."""
    if "\udc80" <= letter <= "\udcff":
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def visible(text):
    """Return text in one line: white space as single spaces, the rest as by escaped()."""
    return escaped(" ".join(text.split()))


def say(text, file=None):
    """Print lines that may hold text of a file, in letters that this terminal can show."""
    file = file or sys.stdout
    encoding = getattr(file, "encoding", None) or "utf-8"
    lines = "\n".join(map(escaped, str(text).split("\n")))
    print(lines.encode(encoding, "replace").decode(encoding), file=file, flush=True)


# ---- names of files in a zip -----------------------------------------------------------


def name_fault(name):
    """Return why a path in a zip would not be that file on every system, or "".

    name   the path from the folder of the zip, its parts divided by /
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return "is not UTF-8"
    if any(not is_shown(letter) for letter in name):
        return "holds a line break or another character that is not seen"
    if bad := [letter for letter in name if letter in FORBIDDEN]:
        return f"holds {bad[0]}, which no file name may hold on Windows"
    for part in name.split("/"):
        if part in ("", ".", ".."):
            return "leads out of its folder"
        if part[-1] in ". ":
            return f"has a part that ends in a {'dot' if part[-1] == '.' else 'space'}"
        if DEVICE.fullmatch(part):
            return "is the name of a device on Windows"
    return ""


def name_faults(names):
    """Return a sentence for each path that a zip cannot carry, and for each two alike."""
    faults, alike = [], defaultdict(list)
    for name in sorted(set(names)):
        if reason := name_fault(name):
            faults.append(f'the file name "{escaped(name)}" {reason}; {RULE}')
        alike[unicodedata.normalize("NFC", name).casefold()].append(name)
    for first, *more in alike.values():
        faults += [
            f'"{escaped(first)}" and "{escaped(other)}" are one name on Windows and Mac: '
            "rename one of them"
            for other in more
        ]
    return faults
