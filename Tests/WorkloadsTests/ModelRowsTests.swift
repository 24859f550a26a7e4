import Foundation
import Testing
import Workloads

/// Generated rows of a model satisfy its rules.
@Suite struct ModelRowsTests {
  /// Generates rows of a model with these entities, and passes the archive to the body.
  private func withRows<Result>(
    _ entities: String, rows: Int = 60, existingRows: Int = 20, mix: Mix = .standard, seed: UInt64 = 1, lanes: Int = 1,
    _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
      """
    return try withFolder { folder in
      let contents = folder.appending(path: "contents")
      try Data(text.utf8).write(to: contents)
      let path = contents.path(percentEncoded: false)
      var options = WorkloadOptions(
        workload: .model(path: path), rows: rows, existingRows: existingRows, batchSize: 10, mix: mix, lanes: lanes,
        seed: seed)
      options.model = path
      return try withArchive(options, body)
    }
  }

  /// Returns the values of an attribute in all rows.
  private func values(_ name: String, of entity: String, _ archive: WorkloadArchive) throws -> [FieldValue] {
    let index = try #require(archive.schema.index(ofEntity: entity))
    let place = try #require(archive.schema.entities[index].attributes.firstIndex { $0.name == name })
    return try archive.answer().tables[index].rows.map { $0.values[place] }
  }

  @Test func `required values exist, and values stay within the bounds of the model`() throws {
    let entity = """
      <entity name="Item">
        <attribute name="id" attributeType="String"/>
        <attribute name="age" attributeType="Integer 16" minValueString="18" maxValueString="21"/>
        <attribute name="rate" optional="YES" attributeType="Double" minValueString="0.5" maxValueString="1.5"/>
        <attribute name="code" attributeType="String" minValueString="3" maxValueString="5"/>
      </entity>
      """
    try withRows(entity) { archive in
      let ages = try values("age", of: "Item", archive)
      #expect(ages.count == 20 + 42 - 3)
      #expect(ages.allSatisfy { (18...21).map { FieldValue.integer($0) }.contains($0) })
      #expect(
        try values("rate", of: "Item", archive).allSatisfy {
          if case .double(let rate) = $0 { (0.5...1.5).contains(rate) } else { $0 == .null }
        })
      #expect(
        try values("code", of: "Item", archive).allSatisfy {
          if case .string(let code) = $0 { (3...5).contains(code.utf16.count) } else { false }
        })
    }
  }

  @Test func `rows that a constraint of two attributes covers differ in one of them`() throws {
    let entity = """
      <entity name="Seat">
        <attribute name="row" attributeType="Integer 64"/>
        <attribute name="place" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="row"/><constraint value="place"/>\
      </uniquenessConstraint></uniquenessConstraints>
      </entity>
      """
    try withRows(entity, mix: .insertsOnly) { archive in
      #expect(archive.schema.entities[0].keyAttributes.map(\.name) == ["row", "place"])
      let rows = try archive.answer().tables[0].rows
      #expect(rows.count == 80 && Set(rows.map(\.key)).count == 80)
    }
  }

  private static let clubs = """
    <entity name="Club">
      <attribute name="id" attributeType="UUID"/>
      <relationship name="members" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Member" \
    inverseName="club" inverseEntity="Member"/>
      <relationship name="tags" minCount="2" maxCount="3" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
    inverseName="clubs" inverseEntity="Tag"/>
    </entity>
    <entity name="Member">
      <attribute name="id" attributeType="UUID"/>
      <relationship name="club" maxCount="1" deletionRule="Nullify" destinationEntity="Club" inverseName="members" \
    inverseEntity="Club"/>
    </entity>
    <entity name="Tag">
      <attribute name="id" attributeType="UUID"/>
      <relationship name="clubs" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Club" \
    inverseName="tags" inverseEntity="Club"/>
    </entity>
    """

  @Test func `required relationships have targets, and to-many ones as many as the model allows`() throws {
    try withRows(Self.clubs) { archive in
      let answer = try archive.answer()
      let club = try #require(archive.schema.index(ofEntity: "Club"))
      let member = try #require(archive.schema.index(ofEntity: "Member"))
      #expect(!answer.tables[member].rows.isEmpty)
      #expect(answer.tables[member].rows.allSatisfy { $0.links.allSatisfy { $0 != nil } })
      let carrier = try #require(archive.schema.entities.firstIndex { !$0.lists.isEmpty })
      #expect(archive.schema.entities[carrier].lists.map(\.name) == [carrier == club ? "tags" : "clubs"])
      if carrier == club {
        #expect(answer.tables[club].rows.allSatisfy { (2...3).contains($0.lists[0].count) })
      }
    }
  }

  @Test func `rows of entities that inherit have the inherited attributes, and abstract entities have no rows`() throws
  {
    let entities = """
      <entity name="Animal" isAbstract="YES">
        <attribute name="id" attributeType="String"/>
        <attribute name="name" attributeType="String"/>
      </entity>
      <entity name="Dog" parentEntity="Animal"><attribute name="tricks" attributeType="Integer 32"/></entity>
      <entity name="Cat" parentEntity="Animal"/>
      """
    try withRows(entities, mix: .insertsOnly) { archive in
      let answer = try archive.answer()
      #expect(archive.schema.entities.map(\.name) == ["Animal", "Dog", "Cat"])
      #expect(answer.tables.map(\.rows.count) == [0, 40, 40])
      #expect(try values("name", of: "Dog", archive).allSatisfy { $0 != .null })
      #expect(Set(answer.tables.flatMap(\.rows).map(\.key)).count == 80)
    }
  }

  @Test func `the same seed gives the same rows, in one lane and in several`() throws {
    for lanes in [1, 2] {
      let first = try withRows(Self.clubs, seed: 3, lanes: lanes) { $0.texts }
      #expect(try withRows(Self.clubs, seed: 3, lanes: lanes) { $0.texts } == first)
      #expect(try withRows(Self.clubs, seed: 4, lanes: lanes) { $0.texts } != first)
    }
  }

  @Test func `payloads lead to the rows of the answer`() throws {
    try withRows(Self.clubs) { archive in
      var model = AnswerModel(schema: archive.schema)
      for record in try archive.decodedExisting() + archive.decodedPayloads().flatMap({ $0 }) { model.apply(record) }
      #expect(try archive.answer() == model.answer())
    }
  }

  @Test(arguments: [
    (
      #"<entity name="A"><attribute name="c" attributeType="Composite"/></entity>"#,
      "no entity of the model has an attribute that can distinguish rows; add a string, a UUID or an integer; "
        + "A.c is Composite, which is not imported"
    ),
    (
      #"<entity name="A"><attribute name="c" attributeType="Boolean"/></entity>"#,
      "no entity of the model has an attribute that can distinguish rows; add a string, a UUID or an integer"
    ),
  ])
  func `a model without a key is refused with the attributes that are not imported`(
    _ entities: String, _ message: String
  ) throws {
    let error = try #require(throws: WorkloadError.self) { try withRows(entities) { _ in } }
    #expect(error.message == message)
  }

  @Test(arguments: [
    (1_001, 1, "the model has 1001 entities, and a run takes at most 1000; use a part of the model"),
    (
      2, 1_001,
      "the model has 2002 attributes and relationships, and a run takes at most 2000; use a part of the model"
    ),
  ])
  func `a model with too many entities or attributes is refused`(
    _ entityCount: Int, _ attributeCount: Int, _ message: String
  ) throws {
    let attributes = (0..<attributeCount).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }.joined()
    let entities = (0..<entityCount).map { "<entity name=\"E\($0)\">\(attributes)</entity>" }.joined()
    let error = try #require(throws: WorkloadError.self) { try withRows(entities) { _ in } }
    #expect(error.message == message)
  }

  @Test func `a feed fills an entity with a to-many relationship that is not optional and has no minimum`() throws {
    let model = """
      <model><entity name="Code"><attribute name="code" attributeType="String"/>
        <relationship name="uses" toMany="YES" destinationEntity="Use" inverseName="code"/></entity>
      <entity name="Use"><attribute name="name" attributeType="String"/>
        <relationship name="code" optional="YES" maxCount="1" destinationEntity="Code" inverseName="uses"/></entity></model>
      """
    try withFolder { folder in
      try Data(model.utf8).write(to: folder.appending(path: "contents"))
      let feed = folder.appending(path: "codes.json")
      try Data(#"[{"code":"a"},{"code":"b"}]"#.utf8).write(to: feed)
      var options = WorkloadOptions(
        workload: .feed(path: feed.path(percentEncoded: false)), rows: nil, existingRows: 0, batchSize: 2,
        mix: .insertsOnly)
      options.model = folder.appending(path: "contents").path(percentEncoded: false)
      try withArchive(options) { archive in
        let codes = try values("code", of: "Code", archive)
        #expect(codes == [.string("a"), .string("b")])
      }
    }
  }
}
