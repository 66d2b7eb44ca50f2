"""Conjugate gradients end where the normal equations do."""

from __future__ import annotations

import numpy as np

from fcacrawler.lowlevel.recent_rows import RecentRows
from fcacrawler.lowlevel.ridge import fit

WORDS, PULL = 4, 0.7


def test_it_ends_at_the_ridges_minimum_and_leaves_out_rows_without_a_share() -> None:
    dice = np.random.default_rng(1)
    table, y = dice.random((6, WORDS)), dice.random(6)
    shares, hint = np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0]), dice.random(WORDS)
    rows = RecentRows(10)
    for values in table:
        rows.add(np.arange(WORDS, dtype=np.int32), values)
    found = np.zeros(WORDS)
    ids = np.arange(WORDS, dtype=np.int32)
    fit(rows.rows, shares, y, ids, hint, PULL, 20, found, np.full(WORDS, -1, np.int32))

    x = table[shares > 0]
    expected = np.linalg.solve(x.T @ x + PULL * np.eye(WORDS), x.T @ y[shares > 0] + PULL * hint)
    np.testing.assert_allclose(found, expected, atol=1e-9)
