import Testing
import Workloads

@Suite struct AnswerTests {
  private func supplier(_ key: String, _ name: String) -> ImportRecord {
    ImportRecord(
      entity: 0, key: .string(key), values: [.string(key), .string(name), .string("c"), .date(0)], links: [])
  }

  private func product(_ key: String, of supplier: String?) -> ImportRecord {
    ImportRecord(
      entity: 1, key: .string(key),
      values: [.string(key), .string("n"), .string("d"), .double(1), .date(0), .date(0)],
      links: [supplier.map(RecordKey.string)])
  }

  private func price(_ key: String, of product: String?) -> ImportRecord {
    ImportRecord(
      entity: 2, key: .string(key), values: [.string(key), .string("n"), .double(1), .string("EUR"), .date(0)],
      links: [product.map(RecordKey.string)])
  }

  @Test func `deleting a product deletes its prices and no others`() {
    var model = AnswerModel(schema: .catalog)
    for record in [
      supplier("s", "n"), product("p", of: "s"), product("q", of: "s"), price("1", of: "p"), price("2", of: "p"),
      price("3", of: "q"), price("2", of: "q"),
    ] {
      model.apply(record)
    }
    #expect(model.apply(.deletion(entity: 1, key: .string("p"))) == [1, 2])
    let answer = model.answer()
    #expect(answer.tables.map { $0.rows.map(\.key.description) } == [["s"], ["q"], ["2", "3"]])
    #expect(model.deletedKeys.map { $0.map(\.description).sorted() } == [[], ["p"], ["1"]])
  }

  @Test func `deleting a supplier sets the links of its products to nil`() {
    var model = AnswerModel(schema: .catalog)
    for record in [supplier("s", "n"), product("p", of: "s"), .deletion(entity: 0, key: .string("s"))] {
      model.apply(record)
    }
    #expect(model.answer().tables[1][.string("p")]?.links == [nil])
    #expect(model.answer().rowCount == 1)
  }

  @Test func `a link to a missing row is nil`() {
    var model = AnswerModel(schema: .catalog)
    model.apply(product("p", of: "nobody"))
    model.apply(.deletion(entity: 2, key: .string("nothing")))
    #expect(model.answer().tables[1][.string("p")]?.links == [nil])
    #expect(model.deletedKeys.allSatisfy { $0.isEmpty })
  }

  @Test func `a list is sorted by name, then key, in byte order`() {
    var model = AnswerModel(schema: .catalog)
    // The order is by bytes: Z < a < z < é (decomposed: e + accent comes before z) < 中 < 😀.
    for (key, name) in [
      ("1", "a"), ("2", "Z"), ("3", "😀"), ("4", "\u{e9}"), ("5", "z"), ("6", "e\u{301}"), ("7", "中"), ("10", "a"),
      ("8", ""),
    ] {
      model.apply(supplier(key, name))
    }
    let keys = model.answer().sortedRows(0, schema: .catalog).map(\.key)
    #expect(keys.map(\.description) == ["8", "2", "1", "10", "6", "5", "4", "7", "3"])
  }

  @Test func `canonically equivalent strings are different values and keys`() {
    #expect(FieldValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(RecordKey.string("\u{e9}") != .string("e\u{301}"))
    #expect(RecordKey.integer(9) < .string("1"))
    #expect(RecordKey.integer(9) < .integer(10))
  }
}
