"""What `scrapy COMMAND` can do in this project. One command a file."""
