"""What a user said → the parts of a crawl."""
