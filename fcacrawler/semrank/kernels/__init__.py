"""What the engine has compiled."""
