"""The crawl's loop without Scrapy: what comes in, what leaves, and which links are not followed."""
