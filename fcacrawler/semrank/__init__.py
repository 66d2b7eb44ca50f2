"""SemRank: keywords → context → lattice → hierarchy → similarity → rank, with its explanation. The papers. Pure."""
