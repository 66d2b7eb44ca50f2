-- From click events to Ω. Source: Du & Hai 2013, §3.3 and Def. 11. Every statement stands beside the definition that it
-- computes. Runs in DuckDB, in order, out of memory where it must; nothing depends on the order of rows.
--
-- Given: raw_event, raw_term, keyword_name, link (evidence.py), and the variables below (relations.py).
-- 64-bit pseudonyms stand for users, groups, queries and pages; 0 is none.


-- ## clicks

-- An event that is logged twice is one event.
CREATE TABLE event AS SELECT DISTINCT * FROM raw_event;

CREATE TABLE term AS SELECT DISTINCT * FROM raw_term;

-- A click: a user (of a group) submitted a query and then clicked a page.
-- In access logs a page view without a query follows the user's latest search, unless a gap lies between. Searches of
-- the same second are not put in order: the view follows each of them.
CREATE TABLE click AS
WITH request AS (
    SELECT *, coalesce(second - lag(second) OVER (PARTITION BY user ORDER BY second) > getvariable('gap'), true) AS fresh
    FROM event WHERE second >= 0
), in_session AS (
    SELECT *, sum(fresh::INTEGER) OVER (PARTITION BY user ORDER BY second) AS session FROM request
), after_search AS (
    SELECT *, max(second) FILTER (WHERE query <> 0) OVER (PARTITION BY user, session ORDER BY second) AS searched
    FROM in_session
), search AS (
    SELECT DISTINCT user, second, query FROM request WHERE query <> 0
)
SELECT user, grp, query, page, clicks FROM event WHERE query <> 0 AND page <> 0
UNION ALL
SELECT view.user, view.grp, search.query, view.page, view.clicks
FROM after_search AS view JOIN search ON search.user = view.user AND search.second = view.searched
WHERE view.query = 0 AND view.page <> 0;

-- What enough users have submitted; f(n) = number of clicks after submitting n.
CREATE TABLE submitted AS
WITH asked AS (
    SELECT term.keyword AS hash, user, sum(clicks) AS clicks FROM click JOIN term USING (query) GROUP BY ALL
), counted AS (
    SELECT hash, sum(clicks)::BIGINT AS clicks, count(*) AS users FROM asked
    GROUP BY hash HAVING count(*) >= getvariable('keyword_users')
)
SELECT DISTINCT hash, text, clicks, users FROM counted JOIN raw_keyword_name USING (hash);

-- The keywords, numbered by name. A word that is never submitted but within one and the same phrase is no keyword of its
-- own: the phrase stands for it.
CREATE TABLE keyword AS
WITH word_in_phrase AS (
    SELECT unnest(string_split(text, ' ')) AS word, clicks FROM submitted WHERE contains(text, ' ')
)
SELECT row_number() OVER (ORDER BY text)::INTEGER AS id, *
FROM submitted ANTI JOIN word_in_phrase AS phrase ON phrase.word = text AND phrase.clicks = submitted.clicks;


-- ## places

-- Evidence is found in places. A place is a page as one interest group sees it: users of one group who meet there after
-- n1 and after n2 make ISA(n1, n2); a hyperlink from place to place within a group makes Part-Of(n1, n2).
CREATE TABLE visit AS
SELECT coalesce(member.grp, click.grp) AS grp, page, keyword.id AS keyword, click.user, sum(click.clicks) AS clicks
FROM click
JOIN term USING (query)
JOIN keyword ON keyword.hash = term.keyword
LEFT JOIN member ON member.user = click.user
GROUP BY ALL;

CREATE TABLE place AS
SELECT row_number() OVER ()::INTEGER AS place, grp, page, sum(clicks)::BIGINT AS clicks FROM visit GROUP BY grp, page;

-- How many users came to the place after the keyword, with how many clicks. Popular pages are bounded here: a place keeps
-- the keywords with the most users (then clicks, then by name), so that it gives at most keywords_per_page² pairs.
CREATE TABLE seen AS
WITH counted AS (
    SELECT place, page, keyword, count(*) AS users, sum(visit.clicks)::BIGINT AS clicks, any_value(place.clicks) AS crowd
    FROM visit JOIN place USING (grp, page) GROUP BY place, page, keyword
)
FROM counted
QUALIFY row_number() OVER (PARTITION BY place ORDER BY users DESC, clicks DESC, keyword) <= getvariable('keywords_per_page');

-- Clicks at a place after queries that hold both keywords: they say nothing about the two, so they are taken off.
CREATE TABLE together AS
WITH queried AS (
    SELECT place, click.query, sum(click.clicks) AS clicks
    FROM click LEFT JOIN member ON member.user = click.user
    JOIN place ON place.page = click.page AND place.grp = coalesce(member.grp, click.grp)
    GROUP BY place, click.query
), held AS (
    SELECT place, query, keyword.id AS keyword, queried.clicks
    FROM queried JOIN term USING (query) JOIN keyword ON keyword.hash = term.keyword SEMI JOIN seen
    ON seen.place = queried.place AND seen.keyword = keyword.id
)
SELECT place, x.keyword AS a, y.keyword AS b, sum(x.clicks)::BIGINT AS clicks
FROM held AS x JOIN held AS y USING (place, query) WHERE x.keyword < y.keyword GROUP BY ALL;

-- Who they are. Users of a relation are counted exactly up to count_to, which so many of each keyword and place suffice for.
CREATE TABLE visitor AS
SELECT place, keyword, visit.user
FROM visit JOIN place USING (grp, page) SEMI JOIN seen USING (place, keyword)
QUALIFY row_number() OVER (PARTITION BY place, keyword ORDER BY visit.user) <= getvariable('count_to');

-- Hyperlinks between places of one group. A place keeps the link targets with the most clicks, those that tie for the last
-- rank all or none. fan: how many links a user there can choose among.
CREATE TABLE bridge AS
WITH linked AS (SELECT DISTINCT source, target FROM raw_link WHERE source <> target)
SELECT a.place AS source, b.place AS target, count(*) OVER (PARTITION BY a.place) AS fan
FROM linked
JOIN place AS a ON a.page = linked.source
JOIN place AS b ON b.page = linked.target AND b.grp = a.grp
QUALIFY count(*) OVER (PARTITION BY a.place ORDER BY b.clicks DESC) <= getvariable('links_per_page');


-- ## relations

-- Lift and confidence by a walk: from a click after n1, at that place, to somebody's click there after n2 (for Part-Of: over
-- one of the place's links, drawn evenly). walk/f(n1) is the chance to arrive at n2; lift holds it against f(n2)/Σf, the
-- chance to be at n2 anyhow. A page that everybody clicks arrives at everything and so lifts nothing.
-- Sums are of whole numbers (in units of 2^-30 clicks): they are the same in any order.
SET VARIABLE total = (SELECT sum(clicks) FROM keyword);

-- ISA(n1, n2): one page was clicked after n1 and after n2, by one user or by two of one group. n1 < n2: it is symmetric.
CREATE VIEW isa_witness AS
SELECT x.keyword AS a, y.keyword AS b, x.place, x.page, x.crowd, x.clicks - coalesce(t.clicks, 0) AS clicks_a,
       y.clicks - coalesce(t.clicks, 0) AS clicks_b
FROM seen AS x JOIN seen AS y USING (place) LEFT JOIN together AS t
    ON t.place = x.place AND t.a = x.keyword AND t.b = y.keyword
WHERE x.keyword < y.keyword AND clicks_a > 0 AND clicks_b > 0;

CREATE TABLE isa AS
WITH counted AS (
    SELECT a, b, count(DISTINCT page) AS pages, sum(least(clicks_a, clicks_b))::BIGINT AS clicks,
           sum((clicks_a * clicks_b * (1 << 30) / crowd)::BIGINT) AS walk
    FROM isa_witness GROUP BY a, b HAVING count(DISTINCT page) >= getvariable('pages')
)
SELECT counted.*, walk / (1 << 30) / least(n1.clicks, n2.clicks) AS confidence,
       walk / (1 << 30) * getvariable('total') / n1.clicks / n2.clicks AS lift
FROM counted JOIN keyword AS n1 ON n1.id = a JOIN keyword AS n2 ON n2.id = b
WHERE lift >= getvariable('isa_lift');

-- Part-Of(n1, n2): a page clicked after n1 has a hyperlink to a page clicked after n2, within one group. Directed.
CREATE VIEW part_witness AS
SELECT x.keyword AS a, y.keyword AS b, source, target, fan, y.crowd, x.clicks - coalesce(t.clicks, 0) AS clicks_a,
       y.clicks - coalesce(u.clicks, 0) AS clicks_b
FROM bridge JOIN seen AS x ON x.place = source JOIN seen AS y ON y.place = target
LEFT JOIN together AS t ON t.place = source AND t.a = least(x.keyword, y.keyword) AND t.b = greatest(x.keyword, y.keyword)
LEFT JOIN together AS u ON u.place = target AND u.a = least(x.keyword, y.keyword) AND u.b = greatest(x.keyword, y.keyword)
WHERE x.keyword <> y.keyword AND clicks_a > 0 AND clicks_b > 0;

CREATE TABLE part AS
WITH counted AS (
    SELECT a, b, count(*) AS pages, sum(least(clicks_a, clicks_b))::BIGINT AS clicks,
           sum((clicks_a * clicks_b * (1 << 30) / (fan * crowd))::BIGINT) AS walk
    FROM part_witness GROUP BY a, b HAVING count(*) >= getvariable('pages')
)
SELECT counted.*, walk / (1 << 30) / n1.clicks AS confidence,
       walk / (1 << 30) * getvariable('total') / n1.clicks / n2.clicks AS lift
FROM counted JOIN keyword AS n1 ON n1.id = a JOIN keyword AS n2 ON n2.id = b
WHERE lift >= getvariable('part_lift');

-- Support: the distinct users who show the relation, on its weaker side.
CREATE TABLE isa_users AS
WITH witness AS (
    SELECT a, b, place FROM isa_witness SEMI JOIN isa USING (a, b)
)
SELECT a, b, least(n1, n2, getvariable('count_to')) AS users
FROM (SELECT a, b, count(DISTINCT user) AS n1 FROM witness JOIN visitor AS v ON v.place = witness.place AND keyword = a
      GROUP BY a, b)
JOIN (SELECT a, b, count(DISTINCT user) AS n2 FROM witness JOIN visitor AS v ON v.place = witness.place AND keyword = b
      GROUP BY a, b) USING (a, b);

CREATE TABLE part_users AS
WITH witness AS (
    SELECT a, b, source, target FROM part_witness SEMI JOIN part USING (a, b)
)
SELECT a, b, least(n1, n2, getvariable('count_to')) AS users
FROM (SELECT a, b, count(DISTINCT user) AS n1 FROM witness JOIN visitor AS v ON v.place = source AND keyword = a GROUP BY a, b)
JOIN (SELECT a, b, count(DISTINCT user) AS n2 FROM witness JOIN visitor AS v ON v.place = target AND keyword = b GROUP BY a, b)
USING (a, b);

-- Ω, one row a keyword and a relation. Where both relations hold, ISA wins.
CREATE TABLE omega AS
WITH strong_isa AS (
    FROM isa JOIN isa_users USING (a, b) WHERE users >= getvariable('users')
), strong_part AS (
    FROM part JOIN part_users USING (a, b) WHERE users >= getvariable('users')
), relation AS (
    SELECT 'isa' AS kind, a, b, users, pages, clicks, lift, confidence FROM strong_isa
    UNION ALL
    SELECT 'part_of', a, b, users, pages, clicks, lift, confidence FROM strong_part
    ANTI JOIN strong_isa ON strong_isa.a = least(strong_part.a, strong_part.b)
                        AND strong_isa.b = greatest(strong_part.a, strong_part.b)
)
SELECT 'keyword' AS kind, text AS a, '' AS b, users, 0 AS pages, clicks, 1.0 AS lift, 1.0 AS confidence FROM keyword
UNION ALL
SELECT kind, n1.text, n2.text, relation.users, pages, relation.clicks, lift, confidence
FROM relation JOIN keyword AS n1 ON n1.id = relation.a JOIN keyword AS n2 ON n2.id = relation.b;
