-- A bookshop's database, written for fcacrawler: every learning rule applies somewhere, and so does every exception.
-- Plain SQL that SQLite and PostgreSQL both read. tests/ontology/test_rules.py lists what is to be learned from it.

-- Goods. book ⊂ product and e_book ⊂ book by their keys (Rule 3); stock has the keys of book (Rule 1: one entity).
CREATE TABLE product (code VARCHAR(20) PRIMARY KEY, label VARCHAR(60), price NUMERIC(8, 2), photo TEXT);
INSERT INTO product VALUES ('978-1', 'The Tide Clock', 18.00, NULL), ('978-2', 'A Field of Glass', 12.50, NULL),
    ('978-3', 'Paper Lanterns', 9.90, NULL), ('978-4', 'The Salt Road', 21.00, NULL), ('978-5', 'Winter Orchard', 15.00, NULL),
    ('978-6', 'Ink and Iron', 11.20, NULL), ('lamp-1', 'Reading lamp', 39.00, NULL), ('mug-1', 'Mug with a cat', 8.50, NULL);

CREATE TABLE publisher (code VARCHAR(12) PRIMARY KEY, name VARCHAR(60));
INSERT INTO publisher VALUES ('heron', 'Heron House'), ('lantern', 'Lantern Press'), ('quill', 'Quill & Sons');

CREATE TABLE format (id INTEGER PRIMARY KEY, name VARCHAR(30));
INSERT INTO format VALUES (1, 'hardback'), (2, 'paperback'), (3, 'large print'), (4, 'audio'), (5, 'e-book'), (6, 'boxed set');

CREATE TABLE book (
    isbn VARCHAR(20) PRIMARY KEY REFERENCES product (code),
    publisher VARCHAR(12) REFERENCES publisher (code),
    format_id INTEGER REFERENCES format (id),
    in_print BOOLEAN
);
INSERT INTO book VALUES ('978-1', 'heron', 1, TRUE), ('978-2', 'heron', 2, TRUE), ('978-3', 'lantern', 2, FALSE),
    ('978-4', 'quill', 1, TRUE), ('978-5', 'lantern', 5, TRUE), ('978-6', 'quill', 5, TRUE);

CREATE TABLE stock (isbn VARCHAR(20) PRIMARY KEY, copies INTEGER);
INSERT INTO stock VALUES ('978-1', 14), ('978-2', 3), ('978-3', 0), ('978-4', 7), ('978-5', 9), ('978-6', 25);

CREATE TABLE e_book (isbn VARCHAR(20) PRIMARY KEY, megabytes INTEGER);
INSERT INTO e_book VALUES ('978-4', 2), ('978-5', 3), ('978-6', 1);

-- A column that holds e-books only is about e-books, though these are books and products too (Rule 2).
CREATE TABLE reading_sample (sample_no INTEGER PRIMARY KEY, of_book VARCHAR(20), pages INTEGER);
INSERT INTO reading_sample VALUES (101, '978-4', 20), (102, '978-5', 12), (103, '978-6', 31);

-- People. writer has the keys of author, numbers under a name that tells (Rule 1); no key is declared.
CREATE TABLE author (author_no INTEGER PRIMARY KEY, name VARCHAR(60));
INSERT INTO author VALUES (501, 'Mara Lindqvist'), (502, 'Tobias Renn'), (503, 'Ines Okafor'), (504, 'Paul Whitlow');

CREATE TABLE writer (author_no INTEGER PRIMARY KEY, born INTEGER);
INSERT INTO writer VALUES (501, 1961), (502, 1974), (503, 1988), (504, 1950);

-- Tables that only relate others are no classes (Rule 1): all of their key refers elsewhere.
CREATE TABLE book_author (
    isbn VARCHAR(20) REFERENCES book (isbn), author_no INTEGER REFERENCES author (author_no), PRIMARY KEY (isbn, author_no)
);
INSERT INTO book_author VALUES ('978-1', 501), ('978-2', 502), ('978-3', 502), ('978-4', 503), ('978-5', 504), ('978-6', 501);

-- One whose key has something of its own is a class, and part of what the rest of the key refers to (Rules 1 and 2).
CREATE TABLE edition (
    isbn VARCHAR(20) REFERENCES book (isbn), edition_no INTEGER, published INTEGER, PRIMARY KEY (isbn, edition_no)
);
INSERT INTO edition VALUES ('978-1', 1, 1999), ('978-1', 2, 2004), ('978-2', 1, 2010), ('978-3', 1, 2012);

-- A class may have a property to itself, where it is declared (Rule 2).
CREATE TABLE category (code VARCHAR(12) PRIMARY KEY, name VARCHAR(30), parent VARCHAR(12) REFERENCES category (code));
INSERT INTO category VALUES ('fiction', 'Fiction', NULL), ('crime', 'Crime', 'fiction'), ('poetry', 'Poetry', 'fiction'),
    ('fact', 'Non-fiction', NULL), ('travel', 'Travel', 'fact');

-- Customers: 'business_customer' ⊂ 'customer' by numbers with a declared key (Rule 3).
CREATE TABLE customer (customer_no INTEGER PRIMARY KEY, name VARCHAR(60), country VARCHAR(2));
INSERT INTO customer VALUES (1, 'A. Brook', 'GB'), (2, 'C. Dorn', 'DE'), (3, 'E. Fabre', 'FR'), (4, 'G. Holm', 'DE'),
    (5, 'I. Jansen', 'GB');

CREATE TABLE business_customer (customer_no INTEGER PRIMARY KEY REFERENCES customer (customer_no), vat_id VARCHAR(20));
INSERT INTO business_customer VALUES (2, 'DE-1'), (4, 'DE-2');

-- Nobody declared that customers live in countries; their values say so (Rule 2).
CREATE TABLE country (iso VARCHAR(2) PRIMARY KEY, name VARCHAR(60));
INSERT INTO country VALUES ('DE', 'Germany'), ('FR', 'France'), ('GB', 'Great Britain'), ('SE', 'Sweden');

-- Names that SQL reserves or that hold blanks and quotes.
CREATE TABLE "order" (order_no INTEGER PRIMARY KEY, customer_no INTEGER REFERENCES customer (customer_no), placed DATE);
INSERT INTO "order" VALUES (9001, 1, '2026-01-05'), (9002, 2, '2026-01-07'), (9003, 5, '2026-02-11');

CREATE TABLE "order line" (
    order_no INTEGER REFERENCES "order" (order_no), line_no INTEGER, "what's bought" VARCHAR(20), PRIMARY KEY (order_no, line_no)
);
INSERT INTO "order line" VALUES (9001, 1, '978-1'), (9001, 2, 'mug-1'), (9002, 1, '978-2'), (9003, 1, 'lamp-1');

-- Numbers that only count rows: colour, format and the first three of them are equal by chance. As printed, colour and
-- format would be one class, sticker a sub-class of it, and stars and pages of many things would lead to colours.
CREATE TABLE colour (id INTEGER PRIMARY KEY, name VARCHAR(30));
INSERT INTO colour VALUES (1, 'red'), (2, 'green'), (3, 'blue'), (4, 'grey'), (5, 'white'), (6, 'black');

CREATE TABLE sticker (id INTEGER PRIMARY KEY, motif VARCHAR(30));
INSERT INTO sticker VALUES (1, 'owl'), (2, 'anchor'), (3, 'fern');

CREATE TABLE review (review_no INTEGER PRIMARY KEY, isbn VARCHAR(20), stars INTEGER);
INSERT INTO review VALUES (71, '978-1', 5), (72, '978-2', 3), (73, '978-3', 4), (74, '978-9', 1);  -- 978-9 is no book: no property

-- Two codes are too few to tell that wrappings are shelves (Rule 3 needs evidence).
CREATE TABLE shelf (code VARCHAR(4) PRIMARY KEY, floor INTEGER);
INSERT INTO shelf VALUES ('A', 10), ('B', 10), ('C', 11), ('D', 11);

CREATE TABLE wrapping (code VARCHAR(4) PRIMARY KEY, paper VARCHAR(30));
INSERT INTO wrapping VALUES ('A', 'stripes'), ('B', 'stars');

-- Empty tables have equal keys, which says nothing; a table without a key is left out.
CREATE TABLE voucher (id INTEGER PRIMARY KEY, worth NUMERIC(8, 2));
CREATE TABLE event (id INTEGER PRIMARY KEY, held DATE);
CREATE TABLE import_log (line TEXT, imported DATE);
INSERT INTO import_log VALUES ('978-1', '2026-01-01');
