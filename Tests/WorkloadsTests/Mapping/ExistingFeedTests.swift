import Foundation
import Testing
import Workloads

/// Feeds whose first records have rows before they arrive.
@Suite struct ExistingFeedTests {
  /// Writes the workload of a feed, and passes its archive to the body.
  private func withExisting<Result>(
    _ text: String, existing: ExistingRows, model: String? = nil, change: (inout WorkloadOptions) -> Void = { _ in },
    _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    try withFolder { folder in
      let file = folder.appending(path: "feed.json")
      try Data(text.utf8).write(to: file)
      var options = WorkloadOptions(
        workload: .feed(path: file.path(percentEncoded: false)), rows: nil, existingRows: existing, batchSize: 2,
        mix: .insertsOnly)
      if let model {
        let contents = folder.appending(path: "contents")
        try Data(model.utf8).write(to: contents)
        options.model = contents.path(percentEncoded: false)
      }
      change(&options)
      return try withArchive(options) { try body($0) }
    }
  }

  private static let feed = #"[{"id":1,"a":"x","n":5},{"id":2,"a":"y","n":6},{"id":3,"a":"z","n":7}]"#

  @Test(
    arguments: [
      (0, []), (2, [1, 2]), (3, [1, 2, 3]), (5, [1, 2, 3, 4, 5]), (.everyRecord, [1, 2, 3]),
    ] as [(ExistingRows, [Int64])])
  func `the first keys of a feed have rows with other values, and all records arrive`(
    _ existing: ExistingRows, _ keys: [Int64]
  ) throws {
    let plain = try withExisting(Self.feed, existing: 0) { ($0.texts, try $0.answer().tables[0].rows) }
    try withExisting(Self.feed, existing: existing) { archive in
      #expect(archive.options.existingRows == .count(keys.count))
      #expect(archive.options.rows == 3)
      let rows = try archive.decodedExisting()
      #expect(rows.map(\.key) == keys.map(RecordKey.integer))
      let payloads = try archive.decodedPayloads().flatMap { $0 }
      for (row, record) in zip(rows, payloads) {
        #expect(row.values != record.values)
        #expect(row.values[1] == record.values[1])
      }
      #expect(archive.texts.suffix(2) == plain.0[...])
      #expect(try archive.answer().tables[0].rows.prefix(3).elementsEqual(plain.1))
      #expect(try archive.answer().tables[0].rows.count == max(3, keys.count))
    }
  }

  @Test func `existing rows are counted by their keys`() throws {
    try withExisting(#"[{"id":1,"a":1},{"id":1,"a":2},{"id":2,"a":3}]"#, existing: 2) { archive in
      let keys = try archive.decodedExisting().map(\.key)
      #expect(keys == [.integer(1), .integer(2)])
      #expect(archive.options.rows == 3)
    }
  }

  @Test func `nested objects of existing rows have other values too`() throws {
    try withExisting(#"[{"id":1,"user":{"id":7,"age":30}}]"#, existing: .everyRecord) { archive in
      let existing = try archive.decodedExisting()
      let arriving = try archive.decodedPayloads().flatMap { $0 }
      #expect(existing.map(\.key) == arriving.map(\.key))
      #expect(existing.map(\.links) == arriving.map(\.links))
      #expect(existing[0].values != arriving[0].values)
    }
  }

  private static let model = """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item">
        <attribute name="code" attributeType="String"/>
        <attribute name="serial" optional="YES" attributeType="String"/>
        <attribute name="grade" attributeType="Integer 16" minValueString="1" maxValueString="2"/>
        <attribute name="country" optional="YES" attributeType="String" maxValueString="2"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="serial"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
    </model>
    """

  @Test func `the other values satisfy the model, and keep what must be unique`() throws {
    let text = #"[{"code":"a","serial":"s1","grade":1,"country":"FR"},{"code":"b","serial":"s2","grade":2}]"#
    try withExisting(text, existing: 2, model: Self.model) { archive in
      let entity = archive.schema.entities[0]
      let existing = try archive.decodedExisting()
      func values(_ name: String) -> [FieldValue] {
        let place = entity.attributes.firstIndex { $0.name == name } ?? 0
        return existing.map { $0.values[place] }
      }
      #expect(values("serial") == [.string("s1"), .string("s2")])
      #expect(values("grade") == [.integer(2), .integer(1)])
      #expect(values("country").first == .string("F~"))
    }
  }

  @Test(arguments: [(1, 0, 40), (2, 0, 40), (2, 10, 30), (3, 0, 100)])
  func `rows that exist are updated and deleted in one lane`(_ lanes: Int, _ deletes: Int, _ existing: Int) throws {
    let text = "[" + (0..<60).map { #"{"id":\#($0),"v":\#($0),"w":"x"}"# }.joined(separator: ",") + "]"
    try withExisting(
      text, existing: .count(existing),
      change: {
        $0.mix = Mix(inserts: 60 - deletes, updates: 40, deletes: deletes)
        $0.lanes = lanes
        $0.batchSize = 5
      }
    ) { archive in
      var laneOfKey: [RecordKey: Int] = [:]
      for (payload, records) in zip(archive.payloads, try archive.decodedPayloads()) {
        for record in records {
          #expect(laneOfKey.updateValue(payload.lane, forKey: record.key) ?? payload.lane == payload.lane)
        }
      }
      let existingKeys = Set(try archive.decodedExisting().map(\.key))
      #expect(existingKeys.count == existing)
      #expect(!existingKeys.isDisjoint(with: laneOfKey.keys))
    }
  }

  @Test func `a generated workload has no size of its own`() {
    var options = catalog()
    options.existingRows = .everyRecord
    #expect(throws: WorkloadError.self) { try options.validate() }
  }
}
