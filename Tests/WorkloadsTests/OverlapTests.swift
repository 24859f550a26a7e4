import Foundation
import Testing
import Workloads

/// Workloads whose lanes share rows.
@Suite struct OverlapTests {
  /// The name of a row.
  private struct Name: Hashable {
    var entity: Int
    var key: RecordKey
  }

  private static let laneCount = 3

  private static func options(
    _ workload: Workload, overlap: Int, mix: Mix = .standard, existingRows: Int = 200
  ) -> WorkloadOptions {
    var options = catalog(rows: 1_500, existingRows: existingRows, batchSize: 70, mix: mix, lanes: laneCount)
    options.workload = workload
    options.overlap = overlap
    return options
  }

  /// A model in which each track needs an album, and an album has a number that must be unique.
  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Album">
        <attribute name="code" attributeType="String"/>
        <attribute name="number" attributeType="Integer 64"/>
        <attribute name="rating" optional="YES" attributeType="Double"/>
        <attribute name="comment" optional="YES" attributeType="String"/>
        <relationship name="tracks" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Track" \
    inverseName="album" inverseEntity="Track"/>
        <relationship name="genres" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Genre" \
    inverseName="albums" inverseEntity="Genre"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Genre">
        <attribute name="name" attributeType="String"/>
        <attribute name="weight" optional="YES" attributeType="Double"/>
        <relationship name="albums" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Album" \
    inverseName="genres" inverseEntity="Album"/>
      </entity>
      <entity name="Track">
        <attribute name="title" attributeType="String"/>
        <attribute name="length" optional="YES" attributeType="Double"/>
        <relationship name="album" maxCount="1" deletionRule="Nullify" destinationEntity="Album" \
    inverseName="tracks" inverseEntity="Album"/>
      </entity>
    </model>
    """

  /// A feed with a nested object in each record.
  private static let feed =
    "["
    + (0..<2_000).map { #"{"id":\#($0),"size":\#($0 % 7),"site":{"id":"s\#($0)","rank":\#($0 % 5)}}"# }
    .joined(separator: ",") + "]"

  private static let plainFeed =
    "[" + (0..<2_000).map { #"{"id":\#($0),"size":\#($0 % 7)}"# }.joined(separator: ",") + "]"

  enum Kind: CaseIterable {
    case catalog
    case catalogReorder
    case flat
    case model
    case nestedFeed
    case plainFeed
  }

  /// Writes a workload of a kind and passes it to the body.
  private static func with<Result>(
    _ kind: Kind, overlap: Int, mix: Mix = .standard, _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    func feed(_ text: String, _ mix: Mix) throws -> Result {
      try withFolder { folder in
        let file = folder.appending(path: "feed.json")
        try Data(text.utf8).write(to: file)
        return try withArchive(
          options(.feed(path: file.path(percentEncoded: false)), overlap: overlap, mix: mix, existingRows: 0), body)
      }
    }
    switch kind {
    case .catalog: return try withArchive(options(.catalog, overlap: overlap, mix: mix), body)
    case .catalogReorder: return try withArchive(options(.catalogReorder, overlap: overlap, mix: mix), body)
    case .flat: return try withArchive(options(.flat, overlap: overlap, mix: mix), body)
    case .nestedFeed: return try feed(Self.feed, mix)
    case .plainFeed: return try feed(Self.plainFeed, .insertsOnly)
    case .model:
      return try withFolder { folder in
        let file = folder.appending(path: "contents")
        try Data(model.utf8).write(to: file)
        let path = file.path(percentEncoded: false)
        var options = options(.model(path: path), overlap: overlap, mix: mix)
        options.model = path
        return try withArchive(options, body)
      }
    }
  }

  /// Returns the lanes that write each row.
  private static func lanes(of archive: WorkloadArchive) throws -> [Name: Set<Int>] {
    var lanes: [Name: Set<Int>] = [:]
    for (payload, records) in zip(archive.payloads, try archive.decodedPayloads()) {
      for record in records { lanes[Name(entity: record.entity, key: record.key), default: []].insert(payload.lane) }
    }
    return lanes
  }

  // MARK: Shares

  @Test(arguments: Kind.allCases, [10, 40, 100])
  func `the share of records whose rows other lanes write is the overlap`(_ kind: Kind, _ overlap: Int) throws {
    try Self.with(kind, overlap: overlap) { archive in
      let lanes = try Self.lanes(of: archive)
      let records = try archive.decodedPayloads().flatMap { $0 }
      // The first record of a group counts, and the others do not.
      let isMain = [true] + records.dropLast().map { !$0.isFollowed }
      let mains = zip(records, isMain).filter(\.1).map(\.0)
      let sharedCount = mains.count { (lanes[Name(entity: $0.entity, key: $0.key)] ?? []).count > 1 }
      // The last rows of the list are reached by some lanes only, and an existing row may be updated by one lane only.
      let percent = Double(sharedCount) / Double(mains.count) * 100
      #expect(percent <= Double(overlap) + 1 && percent >= Double(overlap) * 0.7 - 1, "\(percent)")
    }
  }

  @Test(arguments: Kind.allCases)
  func `without overlap no row belongs to two lanes`(_ kind: Kind) throws {
    try Self.with(kind, overlap: 0) { archive in
      let lanes = try Self.lanes(of: archive)
      let shared = try archive.sharedRows()
      #expect(lanes.values.allSatisfy { $0.count == 1 })
      #expect(shared.count == 0)
    }
  }

  @Test(arguments: Kind.allCases)
  func `equal options give equal bytes`(_ kind: Kind) throws {
    let texts = try Self.with(kind, overlap: 30) { $0.texts }
    #expect(try Self.with(kind, overlap: 30) { $0.texts } == texts)
    #expect(try Self.with(kind, overlap: 31) { $0.texts } != texts)
  }

  @Test(arguments: [0, 30])
  func `the mix is kept`(_ overlap: Int) throws {
    try Self.with(.catalog, overlap: overlap) { archive in
      var known: [Set<RecordKey>] = Array(repeating: Set(try archive.decodedExisting().map(\.key)), count: 3)
      var (inserts, updates, deletes) = (0, 0, 0)
      for (payload, records) in zip(archive.payloads, try archive.decodedPayloads()) {
        for record in records {
          if record.isDeletion {
            deletes += 1
          } else if known[payload.lane].insert(record.key).inserted {
            inserts += 1
          } else {
            updates += 1
          }
        }
      }
      #expect(abs(inserts - 1_050) <= 6 && abs(updates - 375) <= 6 && abs(deletes - 75) <= 6)
    }
  }

  // MARK: Lanes

  @Test(arguments: Kind.allCases, [30, 100])
  func `each lane alone is a valid sequence, and no lane deletes a shared row`(_ kind: Kind, _ overlap: Int) throws {
    try Self.with(kind, overlap: overlap) { archive in
      let schema = archive.schema
      let lanes = try Self.lanes(of: archive)
      let existing = try archive.decodedExisting()
      for lane in 0..<Self.laneCount {
        var model = AnswerModel(schema: schema)
        for record in existing { model.apply(record) }
        for (payload, records) in zip(archive.payloads, try archive.decodedPayloads()) where payload.lane == lane {
          for (place, record) in records.enumerated() {
            let name = Name(entity: record.entity, key: record.key)
            if record.isDeletion {
              #expect(lanes[name]?.count == 1)
              #expect(model.row(record.entity, record.key) != nil)
            }
            model.apply(record)
            // A group is imported as a whole.
            if record.isDeletion || record.isFollowed || place > 0 && records[place - 1].isFollowed { continue }
            let row = try #require(model.row(record.entity, record.key))
            #expect(row.links == record.links)
            #expect(zip(row.lists, record.lists).allSatisfy { Set($0) == Set($1) })
          }
        }
      }
      let answer = try archive.answer()
      for (name, lanes) in lanes where lanes.count > 1 { #expect(answer.tables[name.entity][name.key] != nil) }
    }
  }

  // MARK: Contents

  @Test(arguments: [Kind.catalog, .catalogReorder, .flat, .model])
  func `lanes give generated rows values of their own`(_ kind: Kind) throws {
    try Self.with(kind, overlap: 50) { archive in
      let shared = try archive.sharedRows()
      let lanes = try Self.lanes(of: archive)
      var differingCount = 0
      var count = 0
      for (name, lanes) in lanes where lanes.count > 1 {
        let contents = try #require(shared[name.entity, name.key])
        #expect(contents.last.count == lanes.count)
        #expect(contents.last.allSatisfy { contents.all.contains($0) })
        #expect(Set(contents.last.map(\.row.links)).count == 1)
        // Keys, and the values that lists are sorted by, are equal in all lanes.
        let entity = archive.schema.entities[name.entity]
        guard entity.attributes.count > Set(entity.keyIndexes + entity.sortIndexes).count else { continue }
        count += 1
        if Set(contents.last.map(\.row.values)).count > 1 { differingCount += 1 }
        let sorted = archive.schema.entities[name.entity].sortIndexes.dropLast()
        guard kind != .catalogReorder else { continue }
        for place in sorted { #expect(Set(contents.last.map { $0.row.values[place] }).count == 1) }
      }
      #expect(count > 50 && differingCount > count / 2, "\(differingCount) of \(count)")
    }
  }

  @Test func `the last content of a lane is that of its last record`() throws {
    try Self.with(.flat, overlap: 60, mix: Mix(inserts: 20, updates: 80, deletes: 0)) { archive in
      let shared = try archive.sharedRows()
      var last: [RecordKey: [Int: [FieldValue]]] = [:]
      for (payload, records) in zip(archive.payloads, try archive.decodedPayloads()) {
        for record in records { last[record.key, default: [:]][payload.lane] = record.values }
      }
      for (key, values) in last {
        #expect(Set(shared[0, key]?.last.map(\.row.values) ?? []) == (values.count > 1 ? Set(values.values) : []))
      }
      #expect(shared.count == last.count { $0.value.count > 1 })
    }
  }

  @Test func `a row to which several lanes link has its existing content and no last one`() throws {
    try Self.with(.catalog, overlap: 20, mix: .insertsOnly) { archive in
      let shared = try archive.sharedRows()
      let first = try #require(try archive.decodedExisting().first { $0.entity == 0 && shared[0, $0.key] != nil })
      let contents = try #require(shared[0, first.key])
      #expect(contents.last.isEmpty)
      #expect(contents.all.map(\.row.values) == [first.values])
    }
  }

  // MARK: Errors

  @Test func `overlap needs two lanes and at most all records`() {
    func message(_ overlap: Int, lanes: Int) -> String {
      var options = catalog(lanes: lanes)
      options.overlap = overlap
      let error = #expect(throws: WorkloadError.self) { try options.validate() }
      return error?.description ?? ""
    }
    #expect(
      message(20, lanes: 1)
        == "overlap 20: one import shares its keys with no other; use 0, or 2 or more concurrent imports")
    #expect(message(101, lanes: 2) == "overlap 101: out of range; use 0 to 100")
    #expect(message(-1, lanes: 2) == "overlap -1: out of range; use 0 to 100")
  }
}
