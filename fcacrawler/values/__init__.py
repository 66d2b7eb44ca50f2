"""Plain values that cross the doors between rooms."""
