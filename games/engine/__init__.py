"""The rules of Coup: base game, Inquisitor, Factions. Plain Python, chance handed in."""
