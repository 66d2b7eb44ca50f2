"""Where links wait in a crawl that goes on after a kill: memory and one file."""
