from tests.spiders.test_crawls import town  # noqa: F401  # a fixture
