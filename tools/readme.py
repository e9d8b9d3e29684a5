"""Fill in README's numbers from experiments/results/speed.csv, between markers.

<!-- speed engine 8×8 -->...<!-- /speed -->    one rate, in words
<!-- speed table -->...<!-- /speed table -->   the whole benchmark as a table
"""

import csv
import re

TREES = {"Python": "300"}  # simulations of a run, in the tree that is timed
TREE = "100,000"  # of all others; studies/strength.ipynb, cell speed-demo, asks for both
CELL = re.compile(r"(<!-- speed (?!table)(.+?) (\d+×\d+) -->).*?(<!-- /speed -->)", re.S)
TABLE = re.compile(r"(<!-- speed table -->\n).*?(<!-- /speed table -->)", re.S)


def filled(text, results):
    """Return README's text with the numbers of the file `results`, or as it is without one.

    Raises ValueError for a marker that names no row of the file.
    """
    if not results.is_file():
        return text
    with results.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rates = {(row["what"], row["board"]): float(row["per second"]) for row in rows}

    def one_rate(match):
        start, what, board, end = match.groups()
        if (what, board) not in rates:
            raise ValueError(f"README asks for {what} {board}, which {results.name} has not")
        return f"{start}{in_words(rates[what, board])}{end}"

    def whole_table(match):
        return f"{match[1]}{speed_table(rows)}{match[2]}"

    return CELL.sub(one_rate, TABLE.sub(whole_table, text))


def in_words(rate):
    """Return a rate with two digits that count: 970,000 or 1.5 million."""
    rounded = float(f"{rate:.2g}")
    return f"{rounded / 1e6:g} million" if rounded >= 1e6 else f"{rounded:,.0f}"


def speed_table(rows):
    """Return the rows as a Markdown table that ends with a line break."""
    lines = [
        "| what | board | per second | speed-up over Python | simulations in the tree |",
        "|---|---|---:|---:|---:|",
    ]
    for row in rows:
        times = row["speed-up over the reference"]
        times = f"{float(f'{float(times):.2g}'):,.0f}×" if times else ""
        rate = in_words(float(row["per second"]))
        tree = next((size for word, size in TREES.items() if word in row["what"]), TREE)
        lines.append(f"| {row['what']} | {row['board']} | {rate} | {times} | {tree} |")
    return "\n".join(lines) + "\n"
