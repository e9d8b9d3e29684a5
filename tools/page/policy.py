"""Which scripts a page may run: its own, each named by its hash, and no others."""

import base64
import hashlib
import re

HERE = "{{SCRIPTS}}"  # where the hashes stand in a page's Content-Security-Policy
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)  # with a type, it is data


def with_policy(html):
    """Return a whole page with the hashes of its scripts in its policy."""
    texts = dict.fromkeys(SCRIPT.findall(html))
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts)
    named = " ".join(f"'sha256-{each.decode()}'" for each in hashes)
    return html.replace(HERE, named or "'none'", 1)
