"""The rules of Coup: base game, Inquisitor, Factions. Plain Python, chance handed in.

README.md has an example. Nothing is re-exported: what a module may import says what it may know.
"""
