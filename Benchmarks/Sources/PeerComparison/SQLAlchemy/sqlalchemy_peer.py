"""One case by SQLAlchemy on a store file: `-c THIS CASE orm|core PATH ITEMS wall|processor` prints JSON.

Times itself: opening the store, reading the items and loading what a case starts from are not counted.
"""

import gc
import json
import sys
import time

from sqlalchemy import (
    Column, Float, Integer, MetaData, String, Table, bindparam, create_engine, delete, event, insert, select, update)
from sqlalchemy.orm import Session, registry

UNIT = 1000
LOOKUP = 500

metadata = MetaData()


def item_table(name):
    return Table(
        name, metadata,
        Column("Z_PK", Integer, primary_key=True, autoincrement=False),
        Column("Z_ENT", Integer), Column("Z_OPT", Integer, nullable=False),
        Column("ZCODE", String), Column("ZNAME", String), Column("ZRATING", Integer),
        Column("ZPRICE", Float), Column("ZUPDATEDAT", Float))


PLAIN, KEYED = item_table("ZITEM"), item_table("ZKEYEDITEM")
COUNTERS = Table(
    "Z_PRIMARYKEY", metadata, Column("Z_ENT", Integer, primary_key=True), Column("Z_MAX", Integer))
NUMBERS = {PLAIN: 1, KEYED: 2}


class PlainItem:
    pass


class KeyedItem:
    pass


for item_class, table in ((PlainItem, PLAIN), (KeyedItem, KEYED)):
    # Z_OPT is checked and raised by each update, as the engine does it.
    registry().map_imperatively(item_class, table, version_id_col=table.c.Z_OPT)


def units(rows, size=UNIT):
    return [rows[start:start + size] for start in range(0, len(rows), size)]


def reserve_keys(connection, table, count):
    last = connection.execute(select(COUNTERS.c.Z_MAX).where(COUNTERS.c.Z_ENT == NUMBERS[table])).scalar_one()
    connection.execute(update(COUNTERS).where(COUNTERS.c.Z_ENT == NUMBERS[table]).values(Z_MAX=last + count))
    return last + 1


def checksum(row):
    return len(row.ZCODE) + len(row.ZNAME) + row.ZRATING + int(row.ZPRICE) + int(row.ZUPDATEDAT)


def columns(item):
    code, name, rating, price, updated_at = item
    return {"ZCODE": code, "ZNAME": name, "ZRATING": rating, "ZPRICE": price, "ZUPDATEDAT": updated_at}


class Run:
    def __init__(self, path, items, clock):
        self.engine = create_engine("sqlite:///" + path)
        self.items = items
        self.clock = clock

        @event.listens_for(self.engine, "connect")
        def configure(connection, _):
            for pragma in ("synchronous = normal", "recursive_triggers = 1", "wal_autocheckpoint = 1000"):
                connection.execute("PRAGMA " + pragma)

    def timed(self, body):
        gc.collect()
        start = self.clock()
        result = body()
        return self.clock() - start, result


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
            for unit in units(self.items):
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

    def update(self):
        statement = (
            update(PLAIN).where(PLAIN.c.Z_PK == bindparam("key"), PLAIN.c.Z_OPT == bindparam("version"))
            .values(ZRATING=bindparam("rating"), Z_OPT=bindparam("next")))
        return self.change(statement, self.all_rows(), lambda row: {
            "key": row.Z_PK, "version": row.Z_OPT, "next": row.Z_OPT + 1, "rating": row.ZRATING + 1})

    def delete(self):
        statement = delete(PLAIN).where(PLAIN.c.Z_PK == bindparam("key"), PLAIN.c.Z_OPT == bindparam("version"))
        return self.change(statement, self.all_rows(), lambda row: {"key": row.Z_PK, "version": row.Z_OPT})

    def find_or_create(self):
        def body():
            for unit in units(self.items):
                with self.engine.begin() as connection:
                    for batch in units(unit, LOOKUP):
                        query = select(KEYED).where(KEYED.c.ZCODE.in_([item[0] for item in batch]))
                        found = {row.ZCODE: row for row in connection.execute(query)}
                        missing = [item for item in batch if item[0] not in found]
                        if missing:
                            self.write(connection, KEYED, missing)
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
    print(json.dumps({"nanoseconds": nanoseconds, "checksum": result}))


main()
