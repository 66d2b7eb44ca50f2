-- From click events to Ω. Source: Du & Hai 2013, §3.3 and Def. 11. Every statement stands beside the definition that it
-- computes. Runs in DuckDB, in order, out of memory where it must; nothing depends on the order of rows.
--
-- Given: the raw_ tables (evidence.py; raw_event and raw_term name the part of each row), from "places" on member
-- (groups.py), and the thresholds as variables (relations.py). 64-bit pseudonyms stand for users, groups, queries and
-- pages; 0 is none.
--
-- A section "in parts" is run for each part in turn, 0 to parts - 1 (one part: all at once). What is joined or counted
-- together there has the same key, named beside the heading, and so lies in one part. Each part adds its rows to a
-- CREATE TABLE; what is CREATE OR REPLACE is of one part alone and gone with it. Tables that a later section reads part
-- by part name the part of each row and are ordered by it, so that a part's rows lie together and no part reads them all.


-- ## queries in parts
-- By query.

CREATE OR REPLACE TABLE term_here AS
SELECT DISTINCT query, keyword FROM raw_term WHERE part = getvariable('part');

CREATE TABLE term AS
SELECT * FROM term_here;


-- ## clicks in parts
-- By user: whose sessions and walks stay whole.

-- An event that is logged twice is one event.
CREATE OR REPLACE TABLE event AS
SELECT DISTINCT user, grp, moment, second, turn, query, page, clicks FROM raw_event WHERE part = getvariable('part');

-- A click: a user (of a group) submitted a query and then clicked a page.
-- In access logs a page view without a query follows the user's latest search, unless a gap lies between. Searches of
-- the same second are not put in order: the view follows each of them.
CREATE OR REPLACE TABLE clicked AS
WITH request AS (
    SELECT *, coalesce(second - lag(second) OVER (PARTITION BY user ORDER BY second) > getvariable('gap'), true)
           AS fresh
    FROM event WHERE second > 0
), in_session AS (
    SELECT *, sum(fresh::INTEGER) OVER (PARTITION BY user ORDER BY second) AS session FROM request
), after_search AS (
    SELECT *, max(second) FILTER (WHERE query <> 0) OVER (PARTITION BY user, session ORDER BY second) AS searched
    FROM in_session
), search AS (
    SELECT DISTINCT user, second, query FROM request WHERE query <> 0
)
SELECT user, grp, query, page, turn, clicks FROM event
WHERE query <> 0 AND page <> 0
UNION ALL
SELECT view.user, view.grp, search.query, view.page, view.turn, view.clicks
FROM after_search AS view JOIN search ON search.user = view.user AND search.second = view.searched
WHERE view.query = 0 AND view.page <> 0;

CREATE TABLE click AS
SELECT user, grp, query, page, clicks, (page % getvariable('parts'))::INTEGER AS part FROM clicked ORDER BY part;

-- Users and clicks of the part, as many as there are.
CREATE TABLE clicking AS
SELECT count(DISTINCT user) AS users, coalesce(sum(clicks), 0)::BIGINT AS clicks FROM clicked;

-- Who submitted a keyword and clicked then, how often, and whether in several places.
CREATE OR REPLACE TABLE asker AS
SELECT term.keyword AS hash, user, sum(clicks) AS clicks, min(page) < max(page) OR min(grp) < max(grp) AS roams
FROM clicked JOIN term USING (query) GROUP BY term.keyword, user;

-- How many users of the part submitted a keyword, with how many clicks.
CREATE TABLE asked AS
SELECT hash, sum(clicks)::BIGINT AS clicks, count(*) AS users FROM asker GROUP BY hash;

CREATE TABLE roamer AS
SELECT hash, user FROM asker WHERE roams;

-- X1 →C X2 of Def. 6, page by page. A walk is what a user clicked for one query, up to a gap, moment by moment; a moment
-- with more than 32 pages is no human's. A turn is 2^20 · seconds + step (events.py). Who clicked one page only for a
-- query walked nowhere.
CREATE OR REPLACE TABLE stop AS
WITH walker AS (
    SELECT user, query FROM clicked GROUP BY user, query HAVING min(page) < max(page)
), stood AS (
    SELECT DISTINCT user, query, turn, page FROM clicked JOIN walker USING (user, query)
), fresh AS (
    SELECT DISTINCT user, query, turn,
           coalesce(turn // 1048576 - lag(turn) OVER (PARTITION BY user, query ORDER BY turn) // 1048576
                    > getvariable('gap'), true) AS fresh
    FROM (SELECT DISTINCT user, query, turn FROM stood)
), walked AS (
    SELECT user, query, turn, sum(fresh::INTEGER) OVER (PARTITION BY user, query ORDER BY turn) AS walk,
           row_number() OVER (PARTITION BY user, query ORDER BY turn) AS nth
    FROM fresh
)
SELECT user, query, walk, nth, page FROM stood JOIN walked USING (user, query, turn)
QUALIFY count(*) OVER (PARTITION BY user, query, turn) <= 32;

-- Two pages of a walk, at most 8 moments apart: how many users of the part show them, how often the one was clicked
-- straight after the other.
CREATE TABLE walk_pair AS
WITH apart AS (
    SELECT unnest([0, 1, 2, 3, 4, 5, 6, 7, 8]) AS moments
), shown AS (
    SELECT a.user, least(a.page, b.page) AS p, greatest(a.page, b.page) AS q,
           count(*) FILTER (WHERE moments = 1 AND a.page < b.page) AS there,
           count(*) FILTER (WHERE moments = 1 AND a.page > b.page) AS back
    FROM apart JOIN stop AS a ON true
    JOIN stop AS b ON b.user = a.user AND b.query = a.query AND b.walk = a.walk AND b.nth = a.nth + moments
    WHERE a.page <> b.page AND (moments > 0 OR a.page < b.page)
    GROUP BY a.user, least(a.page, b.page), greatest(a.page, b.page)
)
SELECT p, q, count(*) AS users, sum(there)::BIGINT AS there, sum(back)::BIGINT AS back FROM shown GROUP BY p, q;


-- ## keywords

-- What enough users have submitted; f(n) = number of clicks after submitting n.
CREATE TABLE submitted AS
WITH counted AS (
    SELECT hash, sum(clicks)::BIGINT AS clicks, sum(users)::BIGINT AS users FROM asked
    GROUP BY hash HAVING sum(users) >= getvariable('keyword_users')
)
SELECT DISTINCT hash, text, clicks, users FROM counted JOIN raw_keyword_name USING (hash);

-- The keywords, numbered by name. A word that is never submitted but within one and the same phrase is no keyword of
-- its own: the phrase stands for it.
CREATE TABLE keyword AS
WITH word_in_phrase AS (
    SELECT unnest(string_split(text, ' ')) AS word, clicks FROM submitted WHERE contains(text, ' ')
)
SELECT row_number() OVER (ORDER BY text)::INTEGER AS id, *
FROM submitted ANTI JOIN word_in_phrase AS phrase
ON phrase.word = text AND phrase.clicks = submitted.clicks AND getvariable('example_14') = 0;

-- Which keywords a query holds, by number.
CREATE TABLE held AS
SELECT query, keyword.id AS keyword FROM term JOIN keyword ON keyword.hash = term.keyword;

-- Who came to several places after a keyword.
CREATE TABLE roaming AS
SELECT user, keyword.id AS keyword FROM roamer JOIN keyword ON keyword.hash = roamer.hash;

-- Of each page the 64 others are kept that most users show, and of all pairs so many.
CREATE TABLE pair AS
WITH counted AS (
    SELECT p, q, sum(users)::BIGINT AS users, sum(there)::BIGINT AS there, sum(back)::BIGINT AS back
    FROM walk_pair GROUP BY p, q HAVING sum(users) >= getvariable('click_users')
), shown AS (
    SELECT p AS page FROM counted UNION SELECT q FROM counted
), page_name AS (
    SELECT DISTINCT hash, text FROM raw_page_name JOIN shown ON page = hash
), named AS (
    SELECT least(x.text, y.text) AS a, greatest(x.text, y.text) AS b, users,
           if(x.text < y.text, there, back) AS there, if(x.text < y.text, back, there) AS back
    FROM counted JOIN page_name AS x ON x.hash = p JOIN page_name AS y ON y.hash = q
), strong AS (
    FROM named QUALIFY row_number() OVER (PARTITION BY a ORDER BY users DESC, b) <= 64
    UNION
    FROM named QUALIFY row_number() OVER (PARTITION BY b ORDER BY users DESC, a) <= 64
)
FROM strong QUALIFY row_number() OVER (ORDER BY users DESC, a, b) <= getvariable('click_pairs');


-- ## places in parts
-- By page: what is told of a place, all its users tell.

-- How many users clicked a page.
CREATE TABLE clicked_page AS
SELECT page, count(DISTINCT user) AS users FROM click WHERE part = getvariable('part') GROUP BY page;

-- Evidence is found in places. A place is a page as one interest group sees it: users of one group who meet there after
-- n1 and after n2 make ISA(n1, n2); a hyperlink from place to place within a group makes Part-Of(n1, n2).
CREATE OR REPLACE TABLE visit AS
SELECT coalesce(member.grp, click.grp) AS grp, page, keyword, click.user AS user, sum(click.clicks) AS clicks
FROM click
JOIN held USING (query)
LEFT JOIN member ON member.user = click.user
WHERE part = getvariable('part')
GROUP BY coalesce(member.grp, click.grp), page, keyword, click.user;

CREATE OR REPLACE TABLE place_here AS
SELECT row_number() OVER () * getvariable('parts') + getvariable('part') AS place, grp, page,
       sum(clicks)::BIGINT AS clicks
FROM visit GROUP BY grp, page;

CREATE TABLE place AS
SELECT * FROM place_here;

-- How many users came to the place after the keyword, with how many clicks. Popular pages are bounded here: a place
-- keeps the keywords that it is most characteristic of (clicks, times the share of the keyword's clicks that come here),
-- so it gives at most keywords_per_page² pairs, and a link between two places at most keywords_per_link².
CREATE OR REPLACE TABLE seen_here AS
WITH counted AS (
    SELECT place, keyword, count(*) AS users, sum(visit.clicks)::BIGINT AS clicks, any_value(place.clicks) AS crowd
    FROM visit JOIN place_here AS place USING (grp, page) GROUP BY place, keyword
), ranked AS (
    SELECT counted.*, row_number() OVER (
        PARTITION BY place ORDER BY counted.clicks::DOUBLE * counted.clicks / keyword.clicks DESC, keyword
    ) AS rank
    FROM counted JOIN keyword ON keyword.id = counted.keyword
)
SELECT ranked.*, keyword % getvariable('parts') AS part
FROM ranked WHERE rank <= greatest(getvariable('keywords_per_page'), getvariable('keywords_per_link'));

CREATE TABLE seen AS
SELECT * FROM seen_here ORDER BY part;

-- Clicks at a place after queries that hold both keywords, in either order: they say nothing about the two, so they are
-- taken off.
CREATE OR REPLACE TABLE asked_for AS
WITH queried AS (
    SELECT place, click.query, sum(click.clicks) AS clicks
    FROM click LEFT JOIN member ON member.user = click.user
    JOIN place_here AS place ON place.page = click.page AND place.grp = coalesce(member.grp, click.grp)
    WHERE part = getvariable('part')
    GROUP BY place, click.query
)
SELECT queried.place AS place, query, held.keyword AS keyword, queried.clicks AS clicks
FROM queried JOIN held USING (query)
JOIN seen_here AS seen ON seen.place = queried.place AND seen.keyword = held.keyword;

CREATE TABLE together AS
SELECT place, x.keyword AS a, y.keyword AS b, sum(x.clicks)::BIGINT AS clicks,
       x.keyword % getvariable('parts') AS part
FROM asked_for AS x JOIN asked_for AS y USING (place, query)
WHERE x.keyword <> y.keyword AND getvariable('example_14') = 0 GROUP BY place, x.keyword, y.keyword
ORDER BY part;

-- Who they are, where they are few, of those who came to other places too.
CREATE TABLE visitor AS
SELECT place, keyword, user, part
FROM visit JOIN roaming USING (user, keyword)
JOIN place_here USING (grp, page) JOIN seen_here AS seen USING (place, keyword)
WHERE seen.users < getvariable('count_to') ORDER BY part;


-- ## returners in parts
-- By keyword.

-- Who came to several places after one keyword.
CREATE TABLE returner AS
SELECT place, keyword, user FROM visitor WHERE part = getvariable('part')
QUALIFY count(*) OVER (PARTITION BY keyword, user) > 1;


-- ## links

CREATE TABLE link AS
SELECT DISTINCT source, target FROM raw_link WHERE source <> target;

-- How many pages were clicked, and links between them.
CREATE TABLE linked AS
SELECT (SELECT count(*) FROM clicked_page) AS pages, count(*) AS links FROM link
JOIN clicked_page AS a ON a.page = link.source JOIN clicked_page AS b ON b.page = link.target;

-- Hyperlinks between places of one group. A place keeps the link targets with the most clicks, those that tie for the
-- last rank all or none. fan: how many links a user there can choose among.
CREATE TABLE bridge AS
SELECT a.place AS source, b.place AS target, count(*) OVER (PARTITION BY a.place) AS fan
FROM link
JOIN place AS a ON a.page = link.source
JOIN place AS b ON b.page = link.target AND b.grp = a.grp
QUALIFY count(*) OVER (PARTITION BY a.place ORDER BY b.clicks DESC) <= getvariable('links_per_page');

-- Lift and confidence by a walk: from a click after n1, at that place, to somebody's click there after n2 (for Part-Of:
-- over one of the place's links, drawn evenly). The chance to arrive is confidence; lift holds it against the chance to
-- arrive from all clicks together. What everybody clicks, or everybody links to, lifts nothing.
-- Sums are of whole numbers (units of 2^-30 clicks): they are the same in any order.
CREATE TABLE chance AS
SELECT 'isa' AS kind, id AS b, clicks::DOUBLE / (SELECT sum(clicks) FROM keyword) AS chance FROM keyword
UNION ALL
SELECT 'part_of', y.keyword,
       sum(round(home.clicks::DOUBLE * y.clicks / (fan * y.crowd) * 1073741824)::BIGINT)::DOUBLE / 1073741824
       / (SELECT sum(clicks) FROM keyword)
FROM bridge JOIN place AS home ON home.place = source JOIN seen AS y ON y.place = target
WHERE y.rank <= getvariable('keywords_per_link') GROUP BY y.keyword;


-- ## relations in parts
-- By keyword n1.

-- ISA(n1, n2): one page was clicked after n1 and after n2, by one user or by two of one group. n1 < n2: symmetric.
CREATE OR REPLACE VIEW isa_shows AS
SELECT x.keyword AS a, y.keyword AS b, x.place AS place_a, x.place AS place_b, x.users AS users_a, y.users AS users_b,
       x.clicks AS clicks_a, y.clicks AS clicks_b, x.crowd
FROM seen AS x JOIN seen AS y ON x.place = y.place AND x.keyword < y.keyword
WHERE x.part = getvariable('part')
  AND x.rank <= getvariable('keywords_per_page') AND y.rank <= getvariable('keywords_per_page');

-- Part-Of(n1, n2): a page clicked after n1 has a hyperlink to a page clicked after n2, within one group. Directed. The
-- crowd at the end of a link is as much larger as there were links to choose among.
CREATE OR REPLACE VIEW part_shows AS
SELECT x.keyword AS a, y.keyword AS b, source AS place_a, target AS place_b, x.users AS users_a, y.users AS users_b,
       x.clicks AS clicks_a, y.clicks AS clicks_b, fan * y.crowd AS crowd
FROM bridge JOIN seen AS x ON x.place = source JOIN seen AS y ON y.place = target
WHERE x.keyword <> y.keyword AND x.part = getvariable('part')
  AND x.rank <= getvariable('keywords_per_link') AND y.rank <= getvariable('keywords_per_link');

-- Which pairs may pass the thresholds: counted once with all clicks, those after queries that held both keywords too.
CREATE OR REPLACE TABLE candidate AS
WITH counted AS (
    SELECT 'isa' AS kind, a, b, count(*) AS pages, least(sum(users_a), sum(users_b)) AS users,
           sum(round(clicks_a::DOUBLE * clicks_b / crowd * 1073741824)::BIGINT)::DOUBLE / 1073741824 AS walk
    FROM isa_shows GROUP BY a, b HAVING count(*) >= getvariable('pages')
    UNION ALL
    SELECT 'part_of', a, b, count(*), least(sum(users_a), sum(users_b)),
           sum(round(clicks_a::DOUBLE * clicks_b / crowd * 1073741824)::BIGINT)::DOUBLE / 1073741824
    FROM part_shows GROUP BY a, b HAVING count(*) >= getvariable('part_links')
)
SELECT row_number() OVER ()::INTEGER AS id, kind, a, b, n1.clicks AS f1, n2.clicks AS f2, chance
FROM counted JOIN chance USING (kind, b) JOIN keyword AS n1 ON n1.id = a JOIN keyword AS n2 ON n2.id = b
WHERE counted.users >= getvariable('users')
  AND walk / n1.clicks / chance >= if(kind = 'isa', getvariable('isa_lift'), getvariable('part_lift'));

-- Where they show, without the clicks after queries that held both.
CREATE OR REPLACE TABLE witness AS
WITH shown AS (
    SELECT id, s.* FROM isa_shows AS s JOIN candidate AS c ON c.kind = 'isa' AND c.a = s.a AND c.b = s.b
    UNION ALL
    SELECT id, s.* FROM part_shows AS s JOIN candidate AS c ON c.kind = 'part_of' AND c.a = s.a AND c.b = s.b
), both_held AS (
    SELECT place, a, b, clicks FROM together WHERE part = getvariable('part')
)
SELECT id, shown.a AS a, shown.b AS b, place_a, place_b, users_a, users_b, crowd,
       clicks_a - coalesce(x.clicks, 0) AS clicks_a, clicks_b - coalesce(y.clicks, 0) AS clicks_b
FROM shown
LEFT JOIN both_held AS x ON x.place = place_a AND x.a = shown.a AND x.b = shown.b
LEFT JOIN both_held AS y ON y.place = place_b AND y.a = shown.a AND y.b = shown.b
WHERE clicks_a > coalesce(x.clicks, 0) AND clicks_b > coalesce(y.clicks, 0);

CREATE OR REPLACE TABLE counted AS
SELECT candidate.*, pages, clicks, most_a, most_b, walk / if(kind = 'isa', least(f1, f2), f1) AS confidence,
       walk / f1 / chance AS lift
FROM candidate JOIN (
    SELECT id, count(*) AS pages, sum(least(clicks_a, clicks_b))::BIGINT AS clicks,
           max(users_a) AS most_a, max(users_b) AS most_b,
           sum(round(clicks_a::DOUBLE * clicks_b / crowd * 1073741824)::BIGINT)::DOUBLE / 1073741824 AS walk
    FROM witness GROUP BY id
) AS sums USING (id)
WHERE pages >= if(kind = 'isa', getvariable('pages'), getvariable('part_links'))
  AND lift >= if(kind = 'isa', getvariable('isa_lift'), getvariable('part_lift'));

-- Support: the distinct users who clicked where it shows, after the one keyword and after the other; the smaller number,
-- counted up to count_to. Where so many are at one of the places, that is all; where not, who came to several of the
-- places is taken off their sum.
CREATE OR REPLACE TABLE support AS
WITH stood AS (
    SELECT DISTINCT witness.id AS id, witness.a AS keyword, place_a AS place, users_a AS users
    FROM witness JOIN counted ON counted.id = witness.id WHERE most_a < getvariable('count_to')
    UNION ALL
    SELECT DISTINCT witness.id AS id, witness.b AS keyword, place_b AS place, users_b AS users
    FROM witness JOIN counted ON counted.id = witness.id WHERE most_b < getvariable('count_to')
), again AS (
    SELECT id, keyword, sum(places - 1) AS users FROM (
        SELECT id, keyword, count(*) AS places FROM stood JOIN returner USING (place, keyword)
        GROUP BY id, keyword, user HAVING count(*) > 1
    ) GROUP BY id, keyword
), stated AS (
    SELECT id, keyword, sum(users) AS users FROM stood GROUP BY id, keyword
)
SELECT id, min(stated.users - coalesce(again.users, 0))::BIGINT AS users
FROM stated LEFT JOIN again USING (id, keyword) GROUP BY id;

CREATE TABLE strong AS
SELECT kind, a, b, least(coalesce(support.users, getvariable('count_to')), getvariable('count_to'))::BIGINT AS users,
       pages, clicks, lift, confidence
FROM counted LEFT JOIN support USING (id)
WHERE coalesce(support.users, getvariable('count_to')) >= getvariable('users');


-- ## omega

-- Ω, one row a keyword and a relation. Where both relations hold, ISA wins.
CREATE TABLE omega AS
WITH isa AS (
    SELECT a, b FROM strong WHERE kind = 'isa'
), relation AS (
    SELECT * FROM strong ANTI JOIN isa
    ON strong.kind = 'part_of' AND isa.a = least(strong.a, strong.b) AND isa.b = greatest(strong.a, strong.b)
)
SELECT 'keyword' AS kind, text AS a, '' AS b, users, 0 AS pages, clicks, 1.0 AS lift, 1.0 AS confidence FROM keyword
UNION ALL
SELECT kind, n1.text, n2.text, relation.users, pages, relation.clicks, lift, confidence
FROM relation JOIN keyword AS n1 ON n1.id = relation.a JOIN keyword AS n2 ON n2.id = relation.b;
