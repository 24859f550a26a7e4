import Foundation
import Testing
import Workloads

@Suite struct DecoderTests {
  private let decoder = PayloadDecoder(schema: .catalog)

  @Test func `a record decodes to its entity, key, values and links`() throws {
    let text = """
      [{"type":"Product","id":"p1","name":"Ö \\u00e9\\n","detail":"d","weight":1.25,"createdAt":"2001-01-01T00:00:01Z",
        "updatedAt":"2024-02-29T12:00:00Z","supplier":"s1"},
       {"type":"Price","id":"r1","name":"n","amount":3,"currency":"EUR","validFrom":"2000-12-31T23:59:59Z","product":null},
       {"type":"Price","id":"r1","deleted":true}]
      """
    let records = try decoder.decode(Data(text.utf8))
    #expect(
      records == [
        ImportRecord(
          entity: 1, key: .string("p1"),
          values: [
            .string("p1"), .string("Ö é\n"), .string("d"), .double(1.25), .date(1),
            .date(730_900_800),
          ],
          links: [.string("s1")]),
        ImportRecord(
          entity: 2, key: .string("r1"),
          values: [.string("r1"), .string("n"), .double(3), .string("EUR"), .date(-1)], links: [nil]),
        .deletion(entity: 2, key: .string("r1")),
      ])
  }

  @Test(arguments: [
    ("[", "damaged"), ("{}", "no list"), (#"[{"id":"1"}]"#, "no type"), (#"[{"type":"Cat","id":"1"}]"#, "no such type"),
    (#"[{"type":"Supplier","id":"1"}]"#, "members missing"),
    (#"[{"type":"Supplier","id":7,"deleted":true}]"#, "wrong key"),
    (#"[{"type":"Supplier","id":"1","name":"n","city":"c","updatedAt":"yesterday"}]"#, "no date"),
  ])
  func `a damaged payload throws one line`(_ text: String, _ what: String) {
    let error = #expect(throws: WorkloadError.self, "\(what)") { try decoder.decode(Data(text.utf8)) }
    #expect(error?.code == .damagedPayload)
    #expect(error?.description.contains("\n") == false)
  }

  @Test(arguments: [Workload.catalog, .flat])
  func `the decoded records of all payloads give the answer`(_ workload: Workload) throws {
    var options = catalog(rows: 5_000, existingRows: 500, batchSize: 300, lanes: 2)
    options.workload = workload
    try withArchive(options) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() { model.apply(record) }
      for (payload, records) in try archive.decodedPayloads().enumerated() {
        #expect(records.count == archive.payloads[payload].recordCount)
        var entities: Set<Int> = []
        for record in records { entities.formUnion(model.apply(record)) }
        #expect(archive.payloads[payload].entities == entities.sorted())
      }
      let answer = try archive.answer()
      #expect(answer == model.answer())
      for entity in archive.schema.entities.indices {
        for key in model.deletedKeys[entity] {
          #expect(archive.isEverDeleted(entity, key))
          #expect(answer.tables[entity][key] == nil)
        }
        #expect(answer.tables[entity].rows.allSatisfy { !archive.isEverDeleted(entity, $0.key) })
      }
    }
  }
}
