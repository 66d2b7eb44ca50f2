"""Where links wait in a crawl that many workers share."""
