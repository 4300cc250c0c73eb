#!/usr/bin/env python3
"""Check every deal and draw of a game: python3 check_draws.py draws.json"""

import hashlib
import hmac
import json
import pathlib
import sys

game = json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8"))
seed = bytes.fromhex(game["seed"])
if hashlib.sha256(seed).hexdigest() != game["commitment"]:
    sys.exit("The secret number is not the one that was promised.")
names = b"".join(name.encode() + b"\0" for name in game["names"])
key = hmac.digest(seed, names, "sha256")
lying = None  # the deck, top first, after the last draw that counts
for move in game["moves"]:
    count = 0
    for draw in move["draws"]:
        mixed = list(draw["from"])
        bounds = range(len(mixed), 1, -1) if "shuffled" in draw else [draw["below"]]
        for bound in bounds:
            label = f"{move['number']}:{count}".encode()
            lot = int.from_bytes(hmac.digest(key, label, "sha256"), "big") % bound
            count += 1
            if "shuffled" in draw:
                mixed[bound - 1], mixed[lot] = mixed[lot], mixed[bound - 1]
        if draw.get("shuffled", draw.get("drawn")) != (mixed if "shuffled" in draw else lot):
            sys.exit(f"Move {move['number']} is not what the secret number says.")
        if "shuffled" in draw and not move["undone"]:
            if lying and not any(draw["from"][: len(lying) - n] == lying[n:] for n in range(5)):
                sys.exit(f"Before move {move['number']} the deck lay otherwise.")
            lying = mixed[2 * len(game["names"]) :] if move["number"] == 0 else mixed
print(f"All {len(game['moves'])} moves are as the secret number says.")
