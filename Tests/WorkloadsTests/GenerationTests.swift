import Testing
import Workloads

@Suite struct GenerationTests {
  @Test(arguments: [Workload.catalog, .catalogReorder, .flat])
  func `equal seeds give equal bytes, and different seeds different bytes`(_ workload: Workload) throws {
    var options = catalog(lanes: 2, seed: 7)
    options.workload = workload
    let first = try withArchive(options) { $0.texts }
    let second = try withArchive(options) { $0.texts }
    options.seed = 8
    let other = try withArchive(options) { $0.texts }
    #expect(first == second)
    #expect(first != other)
  }

  @Test func `the bytes of a seed are the same in every version`() throws {
    let texts = try withArchive(catalog(seed: 1)) { $0.texts }
    let hash = texts.joined().utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    #expect(hash == 9_537_182_559_950_777_556)
    let lines = texts[0].split(separator: "\n")
    #expect(
      lines[1] == """
        {"type":"Supplier","id":"supplier-00000000","name":"Fonarnordra","city":"Fokon",\
        "updatedAt":"2022-02-01T21:29:36Z"},
        """)
    #expect(
      lines[3] == """
        {"type":"Price","id":"price-00000000","name":"Mingorla","amount":93.71,"currency":"EUR",\
        "validFrom":"2019-05-01T16:31:06Z","product":"product-00000000"},
        """)
    #expect(texts.joined().contains(/{"type":"Product","id":"product-[0-9]{8}","deleted":true}/))
  }

  @Test(arguments: [50, 500, 1_000], [0, 400])
  func `every payload has one supplier in fifty records`(_ batchSize: Int, _ existingRows: Int) throws {
    try withArchive(catalog(rows: 3_000, existingRows: existingRows, batchSize: batchSize, lanes: 2)) { archive in
      for records in try archive.decodedPayloads() {
        let counts = (0..<3).map { entity in records.count { $0.entity == entity } }
        #expect(counts == [records.count / 50, records.count * 24 / 50, records.count * 25 / 50])
      }
    }
  }

  @Test func `the existing rows have one supplier in fifty`() throws {
    try withArchive(catalog(existingRows: 2_500)) { archive in
      let records = try archive.decodedExisting()
      #expect((0..<3).map { entity in records.count { $0.entity == entity } } == [50, 1_200, 1_250])
      #expect(records.allSatisfy { !$0.isDeletion })
      #expect(archive.existing.map(\.recordCount) == [1_000, 1_000, 500])
    }
  }

  @Test(arguments: [
    (100, "70:25:5"), (100, "0:100:0"), (100, "50:0:50"), (40, "33:33:34"), (200, "100:0:0"), (200, "1:1:98"),
  ])
  func `every payload follows the shares of the mix`(_ batchSize: Int, _ text: String) throws {
    let mix = try Mix(argument: text)
    try withArchive(catalog(rows: 600, existingRows: 2_000, batchSize: batchSize, mix: mix, lanes: 3)) { archive in
      var known = Set(try archive.decodedExisting().map(\.key))
      for records in try archive.decodedPayloads() {
        var (inserts, updates, deletes) = (0, 0, 0)
        for record in records {
          if record.isDeletion {
            deletes += 1
          } else if known.insert(record.key).inserted {
            inserts += 1
          } else {
            updates += 1
          }
        }
        #expect(abs(inserts * 100 - mix.inserts * records.count) <= 100)
        #expect(abs(updates * 100 - mix.updates * records.count) <= 100)
        #expect(abs(deletes * 100 - mix.deletes * records.count) <= 100)
      }
    }
  }

  @Test func `the shares of small payloads even out over the import`() throws {
    try withArchive(catalog(rows: 1_000, existingRows: 500, batchSize: 7)) { archive in
      let records = try archive.decodedPayloads().flatMap { $0 }
      #expect(records.count { $0.isDeletion } == 50)
      #expect(archive.payloads.last?.recordCount == 1_000 % 7)
      #expect(archive.payloads.allSatisfy { $0.lane == 0 })
    }
  }

  @Test(arguments: [1, 3])
  func `a link has an earlier live target in the same lane`(_ lanes: Int) throws {
    try withArchive(catalog(rows: 3_000, existingRows: 500, batchSize: 200, lanes: lanes)) { archive in
      var lane: [RecordKey: Int] = [:]
      var model = AnswerModel(schema: archive.schema)
      for (place, record) in try archive.decodedExisting().enumerated() {
        for link in record.links { #expect(lane[try #require(link)] == place % lanes) }
        lane[record.key] = place % lanes
        model.apply(record)
      }
      for (payload, records) in try archive.decodedPayloads().enumerated() {
        #expect(archive.payloads[payload].lane == payload % lanes)
        for record in records {
          #expect(lane[record.key] ?? payload % lanes == payload % lanes, "a key is used in two lanes")
          lane[record.key] = payload % lanes
          for link in record.links { #expect(lane[try #require(link)] == payload % lanes) }
          model.apply(record)
        }
      }
      // The model leaves a link to a missing row empty.
      #expect(model.answer().tables.allSatisfy { $0.rows.allSatisfy { !$0.links.contains(nil) } })
    }
  }

  @Test(arguments: [Workload.catalog, .catalogReorder, .flat])
  func `an update changes every value but key, links and, without reordering, the name`(_ workload: Workload) throws {
    let kept = workload == .catalogReorder ? ["remoteID"] : ["remoteID", "name"]
    var options = catalog(rows: 3_000)
    options.workload = workload
    try withArchive(options) { archive in
      var last: [RecordKey: ImportRecord] = [:]
      var updatesCount = 0
      for record in try archive.decodedExisting() + archive.decodedPayloads().flatMap({ $0 }) where !record.isDeletion {
        if let old = last[record.key] {
          updatesCount += 1
          #expect(old.links == record.links)
          for (index, attribute) in archive.schema.entities[record.entity].attributes.enumerated() {
            #expect((old.values[index] == record.values[index]) == kept.contains(attribute.name))
          }
        }
        last[record.key] = record
      }
      #expect(updatesCount == 750)
    }
  }

  @Test func `deletions remove live products and prices, each once`() throws {
    try withArchive(catalog(rows: 4_000, mix: Mix(inserts: 50, updates: 20, deletes: 30))) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() { model.apply(record) }
      var deletions = [0, 0, 0]
      for record in try archive.decodedPayloads().flatMap({ $0 }) {
        #expect(!model.deletedKeys[record.entity].contains(record.key), "a deleted key is used again")
        model.apply(record)
        if record.isDeletion {
          deletions[record.entity] += 1
          #expect(model.deletedKeys[record.entity].contains(record.key), "the deleted row did not exist")
        }
      }
      #expect(deletions[0] == 0)
      #expect(deletions[1] > 400 && deletions[2] > 400)
      #expect(deletions[1] + deletions[2] == 1_200)
      #expect(model.deletedKeys[2].count > deletions[2], "no row was deleted by a cascade")
    }
  }

  @Test func `updates change old and new rows in proportion to their numbers`() throws {
    try withArchive(catalog(rows: 10_000, existingRows: 7_000, batchSize: 500)) { archive in
      let existing = Set(try archive.decodedExisting().map(\.key))
      var known = existing
      var (oldCount, newCount) = (0, 0)
      for record in try archive.decodedPayloads().flatMap({ $0 }) where !record.isDeletion {
        if !known.insert(record.key).inserted {
          if existing.contains(record.key) { oldCount += 1 } else { newCount += 1 }
        }
      }
      // The old rows are at most 7,000 of 7,000 to 13,500 live rows: on average about 7 in 10.
      #expect((0.6...0.8).contains(Double(oldCount) / Double(oldCount + newCount)))
    }
  }

  @Test(arguments: ["0:0:100", "1:0:99", "0:100:0", "20:70:10"])
  func `a mix that runs out of rows gives valid records`(_ text: String) throws {
    try withArchive(
      catalog(rows: 500, existingRows: 3, batchSize: 60, mix: try Mix(argument: text), lanes: 2)
    ) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() { model.apply(record) }
      for record in try archive.decodedPayloads().flatMap({ $0 }) {
        let isLive = model.answer().tables[record.entity][record.key] != nil
        #expect(isLive || !record.isDeletion)
        #expect(!model.deletedKeys[record.entity].contains(record.key))
        model.apply(record)
      }
      #expect(model.deletedKeys[0].isEmpty)
      #expect(try archive.answer() == model.answer())
    }
  }

  @Test func `a detail has sixty characters, and dates are whole seconds`() throws {
    try withArchive(catalog()) { archive in
      for record in try archive.decodedExisting() where record.entity == 1 {
        guard case .string(let detail) = record.values[2], case .date(let createdAt) = record.values[4] else {
          Issue.record("a product has no detail or no date")
          continue
        }
        #expect(detail.count == 60)
        #expect(createdAt == createdAt.rounded())
      }
    }
  }
}
