"""An RDF ontology → relevance of a page; learning it from the crawl and from a database."""
