import Testing
import Workloads

/// Tests of rows that a store had before the import.
@Suite struct StartingRowsTests {
  private func product(_ key: RecordKey, of supplier: RecordKey?) -> Answer.Row {
    Answer.Row(
      key: key, values: [.string("k"), .string("n"), .string("d"), .double(1), .date(0), .date(0)],
      links: [supplier], edited: .string("mine"))
  }

  private func supplier(_ key: RecordKey) -> Answer.Row {
    Answer.Row(key: key, values: [.string("k"), .string("n"), .string("c"), .date(0)], links: [])
  }

  private var answer: Answer {
    Answer(tables: [
      Answer.Table(rows: [supplier(.string("s")), supplier(.storeRow(7))]),
      Answer.Table(rows: [product(.string("p"), of: .string("s")), product(.storeRow(3), of: .storeRow(7))]),
      Answer.Table(rows: []),
    ])
  }

  @Test func `a model that starts with rows has these rows`() {
    var model = AnswerModel(schema: .catalog)
    model.add(StartingRows(answer: answer))
    #expect(model.answer() == answer)
  }

  @Test func `a deletion reaches the rows of a store, and an update keeps what the user wrote`() {
    var model = AnswerModel(schema: .catalog)
    model.add(StartingRows(answer: answer))
    model.apply(
      ImportRecord(
        entity: 1, key: .string("p"),
        values: [.string("k"), .string("new"), .string("d"), .double(1), .date(0), .date(0)],
        links: [.string("s")]))
    #expect(model.row(1, .string("p"))?.edited == .string("mine"))
    model.apply(.deletion(entity: 0, key: .string("s")))
    #expect(model.row(1, .string("p"))?.links == [nil])
    #expect(model.row(1, .storeRow(3))?.links == [.storeRow(7)])
  }

  @Test func `a row with relationships that no record sets cannot be deleted`() {
    var model = AnswerModel(schema: .catalog)
    model.add(
      StartingRows(answer: answer, sharedKeys: [[:], [:], [:]], boundRows: [[.string("s")], [], []]))
    #expect(!model.canDelete(0, .string("s")))
    #expect(model.canDelete(1, .string("p")))
  }

  @Test func `a primary key comes after all other keys and equals no key`() {
    let keys: [RecordKey] = [.integer(9), .string("a"), .values([.double(1)]), .storeRow(-1), .storeRow(2)]
    #expect(keys.shuffled().sorted() == keys)
    #expect(RecordKey.storeRow(2) != .integer(2))
    for key in keys { #expect(RecordKey(binary: key.binary) == key) }
  }

  @Test func `the rows of an answer that are named by primary keys are found by entity`() {
    let numbered = NumberedRows(answer, .catalog)
    #expect(numbered.contains(7, of: 0) && numbered.contains(3, of: 1))
    #expect(!numbered.contains(7, of: 1) && !numbered.contains(3, of: 0))
  }
}
