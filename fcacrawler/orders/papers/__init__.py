"""The papers' own orders, as printed."""
