import Foundation
import Testing
import Workloads

/// Feeds with nested objects, and feeds that fill the entities of a model.
@Suite struct MappedFeedTests {
  /// Reads a feed with options, and passes its archive to the body.
  private func withMapped<Result>(
    _ text: String, model: String? = nil, name: String = "feed.json",
    change: (inout WorkloadOptions) -> Void = { _ in }, _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    try withFolder { folder in
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      var options = WorkloadOptions(
        workload: .feed(path: file.path(percentEncoded: false)), rows: nil, existingRows: 0, batchSize: 2,
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

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as WorkloadError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  // MARK: Without a model

  @Test func `a nested object becomes a row that equal objects share`() throws {
    let text = #"[{"id":1,"brand":{"name":"A"}},{"id":2,"brand":{"name":"A"}},{"id":3,"brand":{"name":"B"}},{"id":4}]"#
    try withMapped(text) { archive in
      #expect(archive.schema.entities.map(\.name) == ["Record", "Brand"])
      let answer = try archive.answer()
      #expect(answer.tables.map(\.rows.count) == [4, 2])
      let brands = answer.tables[0].rows.map { $0.links[0] }
      #expect(brands[0] == brands[1])
      #expect(brands[0] != brands[2])
      #expect(brands[3] == nil)
      #expect(archive.schema.inverses(of: 1).map(\.name) == ["records"])
    }
  }

  @Test func `a nested object with an ID is one row, with the values of the last`() throws {
    let text = #"[{"id":1,"user":{"id":"u","age":1}},{"id":2,"user":{"id":"u","age":2}}]"#
    try withMapped(text) { archive in
      let users = try archive.answer().tables[1].rows
      #expect(users.map(\.key) == [.string("u")])
      #expect(users[0].values == [.integer(2), .string("u")])
    }
  }

  @Test func `a list whose objects belong to one record becomes a to-many relationship with a to-one inverse`() throws {
    let text = #"[{"id":1,"lines":[{"id":10,"n":1},{"id":11,"n":2}]},{"id":2,"lines":[{"id":12,"n":1}]}]"#
    try withMapped(text) { archive in
      let line = archive.schema.entities[1]
      #expect(line.name == "Line")
      #expect(line.links.map(\.name) == ["record"])
      let links = try archive.answer().tables[1].rows.map { $0.links[0] }
      #expect(links == [.integer(1), .integer(1), .integer(2)])
    }
  }

  @Test func `a list whose objects are shared becomes a many-to-many relationship`() throws {
    let text = #"[{"id":1,"tags":[{"t":"x"},{"t":"y"}]},{"id":2,"tags":[{"t":"y"}]}]"#
    try withMapped(text) { archive in
      let record = archive.schema.entities[0]
      #expect(record.lists.map(\.name) == ["tags"])
      #expect(record.lists[0].inverse?.isToMany == true)
      let counts = try archive.answer().tables[0].rows.map { $0.lists[0].count }
      #expect(counts == [2, 1])
    }
  }

  @Test func `an object nested in itself is a row of the same entity`() throws {
    let text = #"[{"id":1,"reply":{"id":7,"reply":{"id":8,"text":"z"},"text":"y"}}]"#
    try withMapped(text) { archive in
      let replies = try archive.answer().tables[1].rows
      #expect(replies.map(\.key) == [.integer(7), .integer(8)])
      #expect(replies[0].links == [.integer(8)])
    }
  }

  @Test func `objects under names that are data are rows of one entity with the names as keys`() throws {
    let text = #"""
      [{"id":1,"rates":{"A":{"sign":"a"},"B":{"sign":"b"}}},{"id":2,"rates":{"C":{"sign":"c"}}},{"id":3,"rates":{"A":{"sign":"a"}}}]
      """#
    try withMapped(text) { archive in
      #expect(archive.schema.entities.map(\.name) == ["Record", "Rate"])
      let answer = try archive.answer()
      #expect(answer.tables[1].rows.map(\.key) == ["A", "B", "C"].map(RecordKey.string))
      #expect(answer.tables[0].rows[0].lists == [["A", "B"].map(RecordKey.string)])
      #expect(answer.tables[1].rows[1].values.contains(.string("b")))
    }
    // The names do not identify objects if those of one name differ.
    try withMapped(text.replacing(#"3,"rates":{"A":{"sign":"a"}"#, with: #"3,"rates":{"A":{"sign":"d"}"#)) { archive in
      #expect(archive.schema.entities.map(\.name) == ["Record", "Rate"])
      let count = try archive.answer().tables[1].rows.count
      #expect(count == 4)
    }
    // Names that most objects have are members.
    try withMapped(#"[{"id":1,"size":{"s":{"w":1},"m":{"w":2},"l":{"w":3}}}]"#) { archive in
      #expect(archive.schema.entities.map(\.name) == ["Record", "Size", "L", "M", "S"])
    }
  }

  @Test func `a list of more than two hundred names is one entity`() throws {
    let text = (0..<300).map { #"{"id":\#($0),"rates":{"c\#($0)":{"sign":"s\#($0)"}}}"# }.joined(separator: ",")
    try withMapped("[\(text)]") { archive in
      #expect(archive.schema.entities.map(\.name) == ["Record", "Rate"])
      let counts = try archive.answer().tables.map(\.rows.count)
      #expect(counts == [300, 300])
    }
  }

  @Test func `records without an ID get a key whose values differ, and a note says which`() throws {
    let text = "[" + (0..<30).map { #"{"name":"n\#($0)","size":\#($0 % 3)}"# }.joined(separator: ",") + "]"
    try withMapped(text) { archive in
      #expect(archive.schema.entities[0].keyAttributes.map(\.name) == ["name"])
      #expect(
        archive.remarks == [
          "no member is called like an ID; the key is name, which differs in all 30 records; a map file chooses another"
        ])
    }
  }

  @Test func `a note about many members is short`() throws {
    let members = (0..<200).map { #""a_long_name_of_a_member_\#($0)":1"# }.joined(separator: ",")
    try withMapped(#"[{"remoteID":1,"firstName":"Ann",\#(members)}]"#, model: Self.model) { archive in
      let note = try #require(archive.remarks.first)
      #expect(note.hasSuffix("more"))
      #expect(note.count < 300)
    }
  }

  @Test func `members called like those of a payload keep their values`() throws {
    let text = #"[{"id":1,"type":"a","deleted":true,"isFollowed":"b","o":{"type":2}}]"#
    try withMapped(text) { archive in
      let row = try archive.answer().tables[0].rows[0]
      #expect(row.values.contains(.string("a")) && row.values.contains(.boolean(true)))
      #expect(try archive.decodedPayloads()[0].map(\.isDeletion) == [false, false])
      #expect(try archive.decodedPayloads()[0].map(\.isFollowed) == [true, false])
    }
  }

  @Test func `nested objects under members called like those of a payload keep their rows`() throws {
    let text = #"[{"id":1,"type":{"id":5},"deleted":{"id":6}}]"#
    try withMapped(text) { archive in
      let record = try #require(try archive.decodedPayloads()[0].first { $0.entity == 0 })
      #expect(archive.schema.entities[0].links.map(\.name) == ["deleted", "type"])
      #expect(record.links == [.integer(6), .integer(5)])
      #expect(!record.isDeletion)
      #expect(try archive.answer().tables[0].rows[0].links == [.integer(6), .integer(5)])
    }
  }

  @Test func `further lists of a feed, which are not read, are named in a remark`() throws {
    let text = #"{"a":[{"id":1}],"m":{"b":[{"id":1},{"id":2}]},"c":{"x":{"n":1},"y":{"n":2}},"d":[],"e":[1]}"#
    try withMapped(text) { archive in
      #expect(archive.feedRecordCount == 2)
      let sentence =
        "the records at m.b are read, and not those at a, c; a map file chooses others with shape.path"
      #expect(archive.remarks.contains(sentence))
    }
    // Lists in the records of a dictionary are parts of them.
    try withMapped(#"{"x":{"l":[{"n":1}]},"y":{"l":[{"n":2},{"n":3}]}}"#) { archive in
      #expect(archive.remarks.allSatisfy { !$0.contains("not those at") })
    }
  }

  @Test func `records that lie deep in objects are found`() throws {
    let text = #"{"a":{"b":{"c":{"d":{"e":[{"id":1},{"id":2}]}}}}}"#
    try withMapped(text) { archive in #expect(archive.feedRecordCount == 2) }
  }

  @Test func `a feed is repeated under fresh keys if more rows are needed`() throws {
    let text = #"[{"id":5,"o":{"a":1}},{"id":6,"o":{"a":2}}]"#
    try withMapped(text, change: { $0.rows = 5 }) { archive in
      let answer = try archive.answer()
      #expect(answer.tables[0].rows.map(\.key) == [5, 6, 7, 8, 9].map(RecordKey.integer))
      #expect(answer.tables[1].rows.count == 5)
    }
  }

  @Test func `updates and deletions of a feed keep the shares of the mix`() throws {
    let text = "[" + (0..<50).map { #"{"id":\#($0),"v":\#($0 * 3),"o":{"a":\#($0)}}"# }.joined(separator: ",") + "]"
    try withMapped(
      text,
      change: {
        $0.mix = .standard
        $0.existingRows = 20
        $0.rows = 100
        $0.batchSize = 20
      }
    ) { archive in
      let mains = try archive.decodedPayloads().flatMap { $0 }.filter { $0.entity == 0 }
      #expect(mains.count == 100)
      #expect(mains.count(where: \.isDeletion) == 5)
      var keys = Set(try archive.decodedExisting().filter { $0.entity == 0 }.map(\.key))
      #expect(keys.count == 20)
      for record in mains {
        let isThere = keys.contains(record.key)
        if record.isDeletion { #expect(isThere) }
        if record.isDeletion { keys.remove(record.key) } else { keys.insert(record.key) }
      }
      #expect(Set(try archive.answer().tables[0].rows.map(\.key)) == keys)
    }
  }

  // MARK: With a model

  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="City" representedClassName="City">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
    inverseName="city" inverseEntity="Person"/>
      </entity>
      <entity name="Person" representedClassName="Person">
        <attribute name="remoteID" attributeType="Integer 64"/>
        <attribute name="firstName" attributeType="String" minValueString="2" maxValueString="10"/>
        <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="0" maxValueString="150"/>
        <attribute name="balance" optional="YES" attributeType="Decimal"/>
        <attribute name="bornAt" optional="YES" attributeType="Date"/>
        <attribute name="isActive" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        <attribute name="token" optional="YES" attributeType="UUID"/>
        <attribute name="website" optional="YES" attributeType="URI"/>
        <attribute name="addressStreet" optional="YES" attributeType="String"/>
        <attribute name="remark" optional="YES" attributeType="String"/>
        <relationship name="city" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="City" \
    inverseName="people" inverseEntity="City"/>
      </entity>
    </model>
    """

  private static let person = #"""
    {"id":"9007199254740993","first_name":"Ann","age":"41","balance":"12345678901234567890.25","born_at":1400000000000,
     "photo":"AQID","token":"0f0e0d0c0b0a09080706050403020100","website":"https://example.org/a","cityName":"Rome",
     "address":{"street":"Main"},"shoe_size":44}
    """#

  @Test func `members of an object that fills attributes of its record are matched or named`() throws {
    let text = #"""
      [{"id":1,"firstName":"Ann","profile":{"age":3,"city":{"name":"Rome"},"colour":"red","more":{"remark":"x","y":1}}}]
      """#
    try withMapped(text, model: Self.model) { archive in
      let answer = try archive.answer()
      #expect(answer.tables[0].rows.map(\.key) == [.string("Rome")])
      #expect(answer.tables[1].rows[0].links == [.string("Rome")])
      #expect(answer.tables[1].rows[0].values.contains(.string("x")))
      #expect(archive.remarks.contains("no property takes Person.profile.colour, Person.profile.more.y"))
    }
  }

  @Test func `members are matched to attributes and relationships, and values are converted`() throws {
    try withMapped("[\(Self.person)]", model: Self.model) { archive in
      let person = archive.schema.entities[1]
      #expect(person.name == "Person")
      #expect(person.keyAttributes.map(\.name) == ["remoteID"])
      #expect(person.editedAttribute?.name == "remark")
      let row = try archive.answer().tables[1].rows[0]
      let values = Dictionary(uniqueKeysWithValues: zip(person.attributes.map(\.name), row.values))
      #expect(row.key == .integer(9_007_199_254_740_993))
      #expect(values["firstName"] == .string("Ann"))
      #expect(values["age"] == .integer(41))
      #expect(values["balance"] == .decimal(Decimal(string: "12345678901234567890.25")!))
      #expect(values["bornAt"] == .date(1_400_000_000 - 978_307_200))
      #expect(values["isActive"] == nil)
      #expect(values["photo"] == .binary(Data([1, 2, 3])))
      #expect(values["token"] == .uuid(UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")!))
      #expect(values["website"] == .uri("https://example.org/a"))
      #expect(values["addressStreet"] == .string("Main"))
      #expect(row.links == [.string("Rome")])
      #expect(try archive.answer().tables[0].rows.map(\.key) == [.string("Rome")])
      #expect(archive.remarks == ["no property takes Person.shoe_size"])
    }
  }

  @Test(arguments: [
    (
      #"{"id":1,"firstName":"A"}"#,
      "record 0 (the first is 0): firstName has 1 characters, and firstName has at least 2"
    ),
    (#"{"id":1,"firstName":"Ann","age":151}"#, "record 0 (the first is 0): age is 151, and age is at most 150"),
    (
      #"{"id":1,"firstName":"Ann","age":"old"}"#,
      #"record 0 (the first is 0): age is "old", which is no integer of 16 bits"#
    ),
    (
      #"{"id":1,"firstName":"Ann","age":40000}"#,
      "record 0 (the first is 0): age is 40000, which is out of the range of integer of 16 bits"
    ),
    (#"{"id":1,"firstName":null}"#, "record 0 (the first is 0): firstName is missing, and firstName is required"),
  ])
  func `a record that does not fit is refused with its place`(_ record: String, _ expected: String) throws {
    let found = message { try withMapped("[\(record)]", model: Self.model) { _ in } }
    #expect(found == expected)
  }

  @Test func `records that do not fit are left out and counted if that is asked for`() throws {
    let text = #"[{"id":1,"firstName":"Ann"},{"id":2,"firstName":"B"},{"id":3,"firstName":"Cleo"}]"#
    try withMapped(text, model: Self.model, change: { $0.onBadRecord = .skip }) { archive in
      let answer = try archive.answer()
      #expect(archive.options.rows == 2)
      #expect(answer.tables[1].rows.map(\.key) == [.integer(1), .integer(3)])
      #expect(archive.remarks.last?.hasPrefix("1 of 3 records do not fit and are left out") == true)
    }
  }

  @Test func `a feed without any member that matches is refused with its members`() {
    let text = message { try withMapped(#"[{"x":1,"y":2}]"#, model: Self.model) { _ in } }
    #expect(text.hasPrefix("no member of the records matches a property of the model: x, y"))
  }

  @Test func `a feed that lacks a required attribute is refused`() {
    let text = message { try withMapped(#"[{"id":1,"age":2}]"#, model: Self.model) { _ in } }
    #expect(text.contains("Person.firstName, which the model requires"))
  }

  @Test func `without an ID the key is an attribute that differs in each row`() throws {
    let model = Self.model.replacing(#"<attribute name="remoteID" attributeType="Integer 64"/>"#, with: "")
    try withMapped(#"[{"firstName":"Ann","age":3},{"firstName":"Bob","age":3}]"#, model: model) { archive in
      #expect(archive.schema.entities[1].keyAttributes.map(\.name) == ["firstName"])
    }
    try withMapped(#"[{"firstName":"Ann","age":3},{"firstName":"Ann","age":4}]"#, model: model) { archive in
      #expect(archive.schema.entities[1].keyAttributes.map(\.name) == ["firstName", "age"])
    }
  }

  @Test func `rows whose key has only coordinates are repeated near the ones of the feed`() throws {
    let model = """
      <model><entity name="Place"><attribute name="id" attributeType="Integer 64"/>
        <relationship name="geo" optional="YES" maxCount="1" destinationEntity="Geo" inverseName="place"/></entity>
      <entity name="Geo"><attribute name="lat" optional="YES" attributeType="Double"/>
        <attribute name="lng" optional="YES" attributeType="Double"/>
        <relationship name="place" optional="YES" maxCount="1" destinationEntity="Place" inverseName="geo"/></entity></model>
      """
    let text = #"[{"id":1,"geo":{"lat":1.5,"lng":2}},{"id":2,"geo":{"lat":"-3","lng":4}}]"#
    try withMapped(text, model: model, change: { $0.rows = 6 }) { archive in
      let answer = try archive.answer()
      #expect(answer.tables.map(\.rows.count) == [6, 6])
      #expect(answer.tables[1].rows.contains { $0.values.contains(.double(1.502)) })
    }
  }

  @Test func `of two members for a relationship and its inverse, one is mapped`() throws {
    let model = """
      <model><entity name="Employee"><attribute name="id" attributeType="Integer 64"/>
        <relationship name="manager" optional="YES" maxCount="1" destinationEntity="Employee" inverseName="reports"/>
        <relationship name="reports" optional="YES" toMany="YES" ordered="YES" destinationEntity="Employee" \
      inverseName="manager"/>
      </entity></model>
      """
    let text = #"[{"id":1,"manager":null,"reports":[{"id":2}]},{"id":2,"manager":{"id":1},"reports":[]}]"#
    try withMapped(text, model: model) { archive in
      #expect(archive.schema.entities[0].links.isEmpty)
      #expect(archive.schema.entities[0].lists.map(\.name) == ["reports"])
      #expect(archive.remarks.contains("no property takes Employee.manager"))
      let answer = try archive.answer()
      #expect(answer.tables[0][.integer(1)]?.lists == [[.integer(2)]])
    }
  }
}
