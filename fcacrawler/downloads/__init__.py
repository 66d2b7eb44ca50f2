"""Where responses come from: hosts, offline webs, the browser."""
