"""Concept similarity: extension and intension in one number."""

from __future__ import annotations


def adaptive_w(ext: float, int_: float) -> float:
    """w as the share that the extension part has. *Du & Li 2007, Def. 10*.

        w = Sim_ext / (Sim_ext + Sim_int)

    Both 0: 0.

    >>> adaptive_w(0.25, 0.75), adaptive_w(0.0, 0.0)
    (0.25, 0.0)
    """
    return ext / (ext + int_) if ext + int_ > 0 else 0.0


def concept_similarity(ext: float, int_: float, w: float) -> float:
    """Sim of two concepts, in [0, 1]. *Du & Hai 2013, Def. 18*.

        Sim = w · Sim_ext + (1 - w) · Sim_int

    >>> round(concept_similarity(4 / 12, 0.91755, 0.4), 4)
    0.6839
    """
    return w * ext + (1.0 - w) * int_
