"""How relevant a fetched page is to the topic."""
