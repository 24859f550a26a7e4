import Testing
import Workloads

@Suite struct FeedTests {
  private static let shapes =
    "a list of objects, JSON Lines, a GeoJSON FeatureCollection, or an object that holds a list of objects"
  private let people = #"{"id":3,"name":"Ann"},{"id":1,"name":"Bob"},{"id":2,"name":null}"#

  /// Returns `name type` for each attribute, with a star at the key.
  private func attributes(_ archive: WorkloadArchive) -> [String] {
    let entity = archive.schema.entities[0]
    return entity.attributes.enumerated().map { index, attribute in
      "\(attribute.name) \(attribute.type)" + (index == entity.keyIndexes[0] ? "*" : "")
    }
  }

  @Test(arguments: [
    ("feed.json", #"[{"id":3,"name":"Ann"},{"id":1,"name":"Bob"},{"id":2,"name":null}]"#),
    ("feed.jsonl", "{\"id\":3,\"name\":\"Ann\"}\n\n{\"id\":1,\"name\":\"Bob\"}\r\n{\"id\":2}"),
    ("feed.NDJSON", "{\"id\":3,\"name\":\"Ann\"}\n{\"id\":1,\"name\":\"Bob\"}\n{\"id\":2}\n"),
    (
      "feed.geojson",
      #"""
      {"type":"FeatureCollection","features":[{"type":"Feature","id":3,"properties":{"name":"Ann"}},
      {"type":"Feature","id":1,"properties":{"name":"Bob"}},{"type":"Feature","id":2,"properties":null}]}
      """#
    ),
  ])
  func `every format of a feed gives the same rows`(_ name: String, _ text: String) throws {
    try withFeed(text, name: name) { archive in
      #expect(archive.options.rows == 3)
      #expect(archive.schema.entities.map(\.name) == ["Record"])
      #expect(attributes(archive) == ["id integer64*", "name string"])
      #expect(archive.payloads.map(\.recordCount) == [2, 1])
      #expect(archive.payloads.map(\.entities) == [[0], [0]])
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.key) == [.integer(1), .integer(2), .integer(3)])
      #expect(rows.map { $0.values[1] } == [.string("Bob"), .null, .string("Ann")])
      #expect(try archive.answer().sortedRows(0, schema: archive.schema).map(\.key) == rows.map(\.key))
      #expect(try archive.decodedPayloads().flatMap { $0 }.map(\.key) == [.integer(3), .integer(1), .integer(2)])
    }
  }

  @Test func `the type of an attribute is inferred from all records`() throws {
    let text = #"""
      [{"id":"a","b":true,"i":1,"d":1,"s":"x","n":null,"o":{"z":[1,2.5],"a":"\"é\/"},"m":1,"t":true,"w":9007199254740992},
       {"id":"b","b":false,"i":-2,"d":1.5,"s":"","n":null,"o":[],"m":"2","t":0,"w":0.5}]
      """#
    try withFeed(text) { archive in
      #expect(
        attributes(archive) == [
          "b boolean", "d double", "i integer64", "id string*", "m string", "n string", "o string", "s string",
          "t string", "w double",
        ])
      let row = try #require(try archive.answer().tables[0][.string("a")])
      #expect(
        row.values == [
          .boolean(true), .double(1), .integer(1), .string("a"), .string("1"), .null,
          .string(#"{"a":"\"é/","z":[1,2.5]}"#), .string("x"), .string("true"), .double(9_007_199_254_740_992),
        ])
      let records = try archive.decodedPayloads().flatMap { $0 }
      #expect(records[0].values == row.values)
      #expect(records[1].values[6] == .string("[]"))
    }
  }

  @Test(arguments: [
    (#"[{"id":1,"_id":2},{"id":2,"_id":3}]"#, "id"), (#"[{"id":1,"_id":2},{"id":1,"_id":3}]"#, "_id"),
    (#"[{"id":1,"_id":2},{"_id":3}]"#, "_id"), (#"[{"id":1,"n":1},{"id":1,"n":2}]"#, "id"),
    (#"[{"id":null,"_id":{"$oid":"x"}}]"#, "_id"), (#"[{"id":1.5}]"#, "index"), (#"[{"id":true}]"#, "index"),
    (#"[{"id":1,"_id":2},{"a":3}]"#, "index"), (#"[{"index":5}]"#, "index_2"),
  ])
  func `the key is the most likely ID, else the index`(_ text: String, _ name: String) throws {
    try withFeed(text) { archive in
      #expect(archive.schema.entities[0].keyAttributes[0].name == name)
      #expect(archive.schema.entities[0].keyAttributes[0].isOptional == false)
      let key = try archive.answer().tables[0].rows.first?.key
      if name.hasPrefix("index") { #expect(key == .integer(0)) }
    }
  }

  @Test func `a later record with the same key updates the row`() throws {
    try withFeed(#"[{"id":1,"a":1,"b":2},{"id":2},{"id":1,"a":3}]"#) { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.values) == [[.integer(3), .null, .integer(1)], [.null, .null, .integer(2)]])
    }
  }

  @Test func `names that share a column or are reserved are made unique`() throws {
    let text = #"""
      [{"ID":9,"id":1,"note":"n","Note":"m","name":1,"NAME":2,"Name":3,"_pk":4,"_Opt":5,"a b":6,"a-b":7,"":8,"é":0}]
      """#
    try withFeed(text) { archive in
      let entity = archive.schema.entities[0]
      let names = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.member, $0.name) })
      #expect(
        names == [
          "id": "id", "ID": "ID_2", "": "_", "NAME": "NAME", "Name": "Name_2", "name": "name_3", "Note": "Note_2",
          "note": "note_3", "_Opt": "_Opt_2", "_pk": "_pk_2", "a b": "a_b", "a-b": "a_b_2", "é": "__2",
        ])
      let columns = (entity.allAttributes.map(\.name) + ["_PK", "_ENT", "_OPT"]).map { $0.uppercased() }
      #expect(Set(columns).count == columns.count)
      let record = try #require(try archive.decodedPayloads().first?.first)
      #expect(record.values == (try archive.answer().tables[0].rows[0].values))
    }
  }

  @Test func `a feature keeps its geometry, and properties replace its members`() throws {
    let text = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"x","geometry":{"type":"Point","coordinates":[1.5,-2]},"properties":{"type":"quake","id":"y"}}]}
      """#
    try withFeed(text, name: "feed.geojson") { archive in
      #expect(attributes(archive) == ["id string*", "type string"])
      let answer = try archive.answer()
      let row = try #require(answer.tables[0].rows.first)
      #expect(row.values == [.string("y"), .string("quake")])
      #expect(archive.schema.entities.map(\.name) == ["Record", "Geometry"])
      let geometry = try #require(row.links[0].flatMap { answer.tables[1][$0] })
      #expect(geometry.values.prefix(2) == [.string("[1.5,-2]"), .string("Point")])
    }
  }

  @Test func `a limit of rows imports the first records of the feed`() throws {
    try withFeed("[\(people)]", rows: 2) { archive in
      let keys = try archive.answer().tables[0].rows.map(\.key)
      #expect(keys == [.integer(1), .integer(3)])
      #expect(archive.payloads.count == 1)
    }
  }

  @Test func `a cell shows the key, a number if available, and the note`() throws {
    try withFeed(#"[{"id":"k","a":"x","z":1.5,"y":true}]"#) { archive in
      #expect(archive.schema.entities[0].shownAttributes.map(\.name) == ["id", "z", "note"])
      #expect(archive.schema.entities[0].sortAttributes.map(\.name) == ["id"])
    }
    try withFeed(#"[{"id":"k"}]"#) { archive in
      #expect(archive.schema.entities[0].shownAttributes.map(\.name) == ["id", "note"])
    }
  }

  @Test(arguments: [
    ("feed.json", "", "feed.json: the feed is empty; it must hold at least one object"),
    (
      "feed.json", "[{\"id\":1},\n\n{id:2}]",
      "feed.json:3: not JSON: a name in double quotes is expected, column 2 (in record 1 (the first is 0))"
    ),
    ("feed.json", "7", "feed.json:1: the feed is a number; use \(FeedTests.shapes), column 1"),
    ("feed.jsonl", "{\"id\":1}\n[1]\n", "feed.jsonl:2: the line is a list; every line must be an object, column 1"),
  ])
  func `the error of a damaged feed keeps its place`(_ name: String, _ text: String, _ message: String) throws {
    #expect(try feedError(text, name: name) == message)
  }

  @Test func `a missing feed throws one line`() throws {
    try withFolder { folder in
      for (path, message) in [
        ("none.json", "the feed cannot be read: there is no such file"),
        ("", "the feed cannot be read: it is a folder"),
      ] {
        let file = folder.appending(path: path).path(percentEncoded: false)
        let options = WorkloadOptions(
          workload: .feed(path: file), rows: nil, existingRows: 0, batchSize: 1, mix: .insertsOnly)
        let error = #expect(throws: WorkloadError.self) { try WorkloadArchive.write(options, to: folder) }
        #expect(error?.description == "\(file): \(message)")
        #expect(error?.code == .unreadableFile)
      }
    }
  }

  @Test func `more rows than the feed has are further passes under fresh keys`() throws {
    try withFeed("[\(people)]", rows: 5) { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.key) == [1, 2, 3, 4, 6].map(RecordKey.integer))
      #expect(rows[4].values[1] == .string("Ann"))
    }
    try withFeed(#"[{"a":1},{"a":2}]"#, rows: 3) { archive in
      let keys = try archive.answer().tables[0].rows.map(\.key)
      #expect(keys == [.integer(0), .integer(1), .integer(2)])
    }
  }

  @Test func `a feed with a repeated key is refused for several lanes`() throws {
    let text = #"[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"a"}]"#
    #expect(
      try feedError(text, lanes: 2)
        == "lanes 2: Record a appears in payloads of two lanes of feed.json, but a key must belong to one lane; use 1")
    try withFeed("[\(people)]", lanes: 2) { #expect($0.payloads.map(\.lane) == [0, 1]) }
  }
}
