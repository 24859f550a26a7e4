"""One case by SQLAlchemy on a store file: `-c THIS CASE orm|core PATH ITEMS wall|processor` prints JSON.

Times itself: opening the store, reading the items and loading what a case starts from are not counted.
"""

import gc
import json
import sys
import time

from sqlalchemy import (
    Column, Float, ForeignKey, Integer, MetaData, String, Table, bindparam, create_engine, delete, event, insert,
    select, update)
from sqlalchemy.orm import Session, registry, relationship, selectinload

UNIT = 1000
LOOKUP = 500
PAGE = 50
PAYLOADS = 1000
TREE = 111

metadata = MetaData()


def item_table(name, *columns):
    return Table(
        name, metadata, *columns,
        Column("Z_PK", Integer, primary_key=True, autoincrement=False),
        Column("Z_ENT", Integer), Column("Z_OPT", Integer, nullable=False),
        Column("ZCODE", String), Column("ZNAME", String), Column("ZRATING", Integer),
        Column("ZPRICE", Float), Column("ZUPDATEDAT", Float))


PLAIN, KEYED = item_table("ZITEM"), item_table("ZKEYEDITEM")
AUTHORS = item_table("ZAUTHOR")
BOOKS = item_table("ZBOOK", Column("ZAUTHOR", ForeignKey("ZAUTHOR.Z_PK")))
CHAPTERS = item_table("ZCHAPTER", Column("ZBOOK", ForeignKey("ZBOOK.Z_PK")))
COUNTERS = Table(
    "Z_PRIMARYKEY", metadata, Column("Z_ENT", Integer, primary_key=True), Column("Z_MAX", Integer))
NUMBERS = {PLAIN: 1, KEYED: 2}


class PlainItem:
    pass


class KeyedItem:
    pass


class Author:
    pass


class Book:
    pass


class Chapter:
    pass


mapped = registry()
for item_class, table, related in (
        (PlainItem, PLAIN, {}), (KeyedItem, KEYED, {}),
        (Author, AUTHORS, {"books": relationship(Book, cascade="all, delete-orphan")}),
        (Book, BOOKS, {"chapters": relationship(Chapter, cascade="all, delete-orphan")}), (Chapter, CHAPTERS, {})):
    # Z_OPT is checked and raised by each update, as the engine does it.
    mapped.map_imperatively(item_class, table, properties=related, version_id_col=table.c.Z_OPT)


def units(rows, size=UNIT):
    return [rows[start:start + size] for start in range(0, len(rows), size)]


def reserve_keys(connection, table, count):
    last = connection.execute(select(COUNTERS.c.Z_MAX).where(COUNTERS.c.Z_ENT == NUMBERS[table])).scalar_one()
    connection.execute(update(COUNTERS).where(COUNTERS.c.Z_ENT == NUMBERS[table]).values(Z_MAX=last + count))
    return last + 1


def checksum(row):
    return len(row.ZCODE) + len(row.ZNAME) + row.ZRATING + int(row.ZPRICE) + int(row.ZUPDATEDAT)


def list_checksum(rows):
    """The sum of `Item.checksum(_:name:rating:)`, as a signed number of 64 bits."""
    total = 0
    for row in rows:
        total = (total * 31 + len(row.ZNAME) + row.ZRATING) & 0xFFFFFFFFFFFFFFFF
    return total - (1 << 64) if total >> 63 else total


def book_checksum(book, chapters):
    return checksum(book) + sum(checksum(chapter) for chapter in chapters) * (book.ZRATING + 1)


def is_deleted(key):
    """True if the case `cascade` deletes the author."""
    return (key - 1) % 2 == 1


def other(item):
    code, name, rating, price, updated_at = item
    return "other-" + code, name[::-1], 99_999 - rating, price, updated_at


def columns(item):
    code, name, rating, price, updated_at = item
    return {"ZCODE": code, "ZNAME": name, "ZRATING": rating, "ZPRICE": price, "ZUPDATEDAT": updated_at}


class Run:
    def __init__(self, path, items, clock):
        self.engine = create_engine("sqlite:///" + path)
        self.items = items
        self.clock = clock
        self.count = len(items)
        self.unit = UNIT

        @event.listens_for(self.engine, "connect")
        def configure(connection, _):
            for pragma in ("synchronous = normal", "recursive_triggers = 1", "wal_autocheckpoint = 1000"):
                connection.execute("PRAGMA " + pragma)

    def timed(self, body):
        gc.collect()
        start = self.clock()
        result = body()
        return self.clock() - start, result

    def payloads(self):
        self.unit = max(1, len(self.items) // PAYLOADS)
        return self.find_or_create()

    def timed_saves(self, rows, save):
        self.count = min(100, len(rows))

        def body():
            for index in range(self.count):
                save(rows[index * len(rows) // self.count])
        return self.timed(body)

    def timed_cascade(self, authors, delete_all):
        leaving = [author for author in authors if is_deleted(author.Z_PK)]
        self.count = sum(1 for index in range(len(self.items)) if index // TREE % 2 == 1)

        def body():
            for unit in units(leaving, UNIT // TREE):
                delete_all(unit)
        return self.timed(body)


class ORMRun(Run):
    def session(self, engine=None):
        # Saved objects are not read again.
        return Session(engine or self.engine, expire_on_commit=False)

    def make(self, session, item_class, table, items):
        key = reserve_keys(session, table, len(items))
        session.add_all([
            item_class(Z_PK=key + offset, Z_ENT=NUMBERS[table], **columns(item)) for offset, item in enumerate(items)])

    def insert(self):
        def body():
            for unit in units(self.items):
                with self.session() as session:
                    self.make(session, PlainItem, PLAIN, unit)
                    session.commit()
        return self.timed(body)

    def fetch(self):
        with self.session() as session:
            def body():
                self.held = session.execute(select(PlainItem)).scalars().all()
                return sum(checksum(item) for item in self.held)
            return self.timed(body)

    def fault(self):
        with self.engine.connect() as connection:
            keys = connection.execute(select(PLAIN.c.Z_PK)).scalars().all()
        with self.session(self.engine.execution_options(isolation_level="AUTOCOMMIT")) as session:
            def body():
                self.held = [session.get(PlainItem, key) for key in keys]
                return sum(checksum(item) for item in self.held)
            return self.timed(body)

    def update(self):
        with self.session() as session:
            items = session.execute(select(PlainItem)).scalars().all()

            def body():
                for unit in units(items):
                    for item in unit:
                        item.ZRATING += 1
                    session.commit()
            return self.timed(body)

    def delete(self):
        with self.session() as session:
            items = session.execute(select(PlainItem)).scalars().all()

            def body():
                for unit in units(items):
                    for item in unit:
                        session.delete(item)
                    session.commit()
            return self.timed(body)

    def find_or_create(self):
        def body():
            for unit in units(self.items, self.unit):
                with self.session() as session:
                    for batch in units(unit, LOOKUP):
                        query = select(KeyedItem).where(KEYED.c.ZCODE.in_([item[0] for item in batch]))
                        found = {item.ZCODE: item for item in session.execute(query).scalars()}
                        missing = [item for item in batch if item[0] not in found]
                        if missing:
                            self.make(session, KeyedItem, KEYED, missing)
                            session.flush()
                    session.commit()
        return self.timed(body)

    def scroll(self):
        def body():
            with self.session() as session:
                keys = session.execute(select(PLAIN.c.Z_PK).order_by(PLAIN.c.ZNAME)).scalars().all()
            self.held = keys
            return list_checksum(self.rows_by_page(keys))
        return self.timed(body)

    def rows_by_page(self, keys):
        for page in units(keys, PAGE):
            with self.session() as session:
                found = session.execute(select(PlainItem).where(PLAIN.c.Z_PK.in_(page))).scalars()
                by_key = {item.Z_PK: item for item in found}
                yield from (by_key[key] for key in page)

    def save_one(self):
        with self.session() as session:
            items = session.execute(select(PlainItem)).scalars().all()

            def save(item):
                item.ZRATING += 1
                session.commit()
            return self.timed_saves(items, save)

    def cascade(self):
        with self.session() as session:
            def delete_all(authors):
                for author in authors:
                    session.delete(author)
                session.commit()
            return self.timed_cascade(session.execute(select(Author)).scalars().all(), delete_all)

    def prefetch(self):
        with self.session() as session:
            def body():
                query = select(Book).options(selectinload(Book.chapters))
                self.held = session.execute(query).scalars().all()
                self.count = len(self.held) + sum(len(book.chapters) for book in self.held)
                return sum(book_checksum(book, book.chapters) for book in self.held)
            return self.timed(body)

    def fetch_unsaved(self):
        with self.session() as session:
            with session.no_autoflush:
                for index, item in enumerate(session.execute(select(PlainItem).order_by(PLAIN.c.Z_PK)).scalars().all()):
                    unsaved = other(self.items[index])
                    if index % 100 == 3:
                        session.add(PlainItem(Z_PK=len(self.items) + index, Z_ENT=NUMBERS[PLAIN], **columns(unsaved)))
                    elif index % 100 == 5:
                        for name, value in columns(unsaved).items():
                            setattr(item, name, value)
                    elif index % 100 == 7:
                        session.delete(item)

            def body():
                # The fetch first flushes what is unsaved.
                query = select(PlainItem).where(PLAIN.c.ZRATING < 50_000).order_by(PLAIN.c.ZNAME)
                self.held = session.execute(query).scalars().all()
                self.count = len(self.held)
                return list_checksum(self.held)
            return self.timed(body)


class CoreRun(Run):
    def write(self, connection, table, items):
        key = reserve_keys(connection, table, len(items))
        connection.execute(insert(table), [
            {"Z_PK": key + offset, "Z_ENT": NUMBERS[table], "Z_OPT": 1, **columns(item)}
            for offset, item in enumerate(items)])

    def insert(self):
        def body():
            for unit in units(self.items):
                with self.engine.begin() as connection:
                    self.write(connection, PLAIN, unit)
        return self.timed(body)

    def fetch(self):
        with self.engine.connect() as connection:
            def body():
                self.held = connection.execute(select(PLAIN)).all()
                return sum(checksum(row) for row in self.held)
            return self.timed(body)

    def fault(self):
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            keys = connection.execute(select(PLAIN.c.Z_PK)).scalars().all()
            query = select(PLAIN).where(PLAIN.c.Z_PK == bindparam("key"))

            def body():
                self.held = [connection.execute(query, {"key": key}).one() for key in keys]
                return sum(checksum(row) for row in self.held)
            return self.timed(body)

    def all_rows(self):
        with self.engine.connect() as connection:
            return connection.execute(select(PLAIN)).all()

    def change(self, statement, rows, parameters):
        def body():
            for unit in units(rows):
                with self.engine.begin() as connection:
                    result = connection.execute(statement, [parameters(row) for row in unit])
                    if result.rowcount != len(unit):
                        raise RuntimeError(f"{result.rowcount} of {len(unit)} rows had the version expected")
        return self.timed(body)

    def raising(self):
        return (
            update(PLAIN).where(PLAIN.c.Z_PK == bindparam("key"), PLAIN.c.Z_OPT == bindparam("version"))
            .values(ZRATING=bindparam("rating"), Z_OPT=bindparam("next")))

    def raised(self, row):
        return {"key": row.Z_PK, "version": row.Z_OPT, "next": row.Z_OPT + 1, "rating": row.ZRATING + 1}

    def update(self):
        return self.change(self.raising(), self.all_rows(), self.raised)

    def delete(self):
        statement = delete(PLAIN).where(PLAIN.c.Z_PK == bindparam("key"), PLAIN.c.Z_OPT == bindparam("version"))
        return self.change(statement, self.all_rows(), lambda row: {"key": row.Z_PK, "version": row.Z_OPT})

    def find_or_create(self):
        def body():
            for unit in units(self.items, self.unit):
                with self.engine.begin() as connection:
                    for batch in units(unit, LOOKUP):
                        query = select(KEYED).where(KEYED.c.ZCODE.in_([item[0] for item in batch]))
                        found = {row.ZCODE: row for row in connection.execute(query)}
                        missing = [item for item in batch if item[0] not in found]
                        if missing:
                            self.write(connection, KEYED, missing)
        return self.timed(body)

    def scroll(self):
        def body():
            with self.engine.connect() as connection:
                keys = connection.execute(select(PLAIN.c.Z_PK).order_by(PLAIN.c.ZNAME)).scalars().all()
                self.held = keys
                return list_checksum(self.rows_by_page(connection, keys))
        return self.timed(body)

    def rows_by_page(self, connection, keys):
        for page in units(keys, PAGE):
            query = select(PLAIN.c.Z_PK, PLAIN.c.ZNAME, PLAIN.c.ZRATING).where(PLAIN.c.Z_PK.in_(page))
            by_key = {row.Z_PK: row for row in connection.execute(query)}
            yield from (by_key[key] for key in page)

    def save_one(self):
        def save(row):
            with self.engine.begin() as connection:
                if connection.execute(self.raising(), self.raised(row)).rowcount != 1:
                    raise RuntimeError(f"row {row.Z_PK} does not have version {row.Z_OPT} any more")
        return self.timed_saves(self.all_rows(), save)

    def cascade(self):
        with self.engine.connect() as connection:
            authors = connection.execute(select(AUTHORS.c.Z_PK)).all()

        def delete_all(authors):
            keys = [author.Z_PK for author in authors]
            books = select(BOOKS.c.Z_PK).where(BOOKS.c.ZAUTHOR.in_(keys))
            with self.engine.begin() as connection:
                connection.execute(delete(CHAPTERS).where(CHAPTERS.c.ZBOOK.in_(books)))
                connection.execute(delete(BOOKS).where(BOOKS.c.ZAUTHOR.in_(keys)))
                connection.execute(delete(AUTHORS).where(AUTHORS.c.Z_PK.in_(keys)))
        return self.timed_cascade(authors, delete_all)

    def prefetch(self):
        with self.engine.connect() as connection:
            def body():
                books = connection.execute(select(BOOKS)).all()
                chapters = {}
                for chapter in connection.execute(select(CHAPTERS)):
                    chapters.setdefault(chapter.ZBOOK, []).append(chapter)
                self.held = books, chapters
                self.count = len(books) + sum(len(related) for related in chapters.values())
                return sum(book_checksum(book, chapters.get(book.Z_PK, [])) for book in books)
            return self.timed(body)


def read_items(path):
    items = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            code, name, rating, price, updated_at = line.rstrip("\n").split("\t")
            items.append((code, name, int(rating), float(price), float(updated_at)))
    return items


def main():
    case, style, path, items_path, clock = sys.argv[1:]
    run_class = {"orm": ORMRun, "core": CoreRun}[style]
    run = run_class(
        path, read_items(items_path), {"wall": time.perf_counter_ns, "processor": time.process_time_ns}[clock])
    nanoseconds, result = getattr(run, case.replace("-", "_"))()
    run.engine.dispose()
    print(json.dumps({"nanoseconds": nanoseconds, "units": run.count, "checksum": result}))


main()
