"""The default order: SemRank in the papers' form, graded."""
