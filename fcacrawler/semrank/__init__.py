"""SemRank: keywords → context → lattice → hierarchy → similarity → rank, with its explanation. The papers. Pure.

Doors:

- ``omega.Omega(clicks, isa, part_of)``, ``omega.Support``: the lexical database Ω, made by ``weblogs``
"""
