import Testing
import Workloads

/// Each shape of a feed is detected, and its records are read.
@Suite struct ShapeTests {
  /// Feeds of the two records `{"id":1,"a":"x"}` and `{"id":2,"a":"y"}`, with the name and the path of their shape.
  private static let feeds: [(text: String, file: String, name: String, path: String)] = [
    (#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#, "f.json", "array", ""),
    ("\u{feff} [\r\n{\"id\":1,\"a\":\"x\"},\r\n{\"id\":2,\"a\":\"y\"}\r\n]\r\n", "f.json", "array", ""),
    ("{\"id\":1,\"a\":\"x\"}\n{\"id\":2,\"a\":\"y\"}\n", "f.jsonl", "lines", ""),
    ("\u{feff}{\"id\":1,\"a\":\"x\"}\r\n\r\n  {\"id\":2,\"a\":\"y\"}", "f.json", "lines", ""),
    (#"{"items":[{"id":1,"a":"x"},{"id":2,"a":"y"}],"next":null}"#, "f.json", "object", "items"),
    (
      #"{"meta":{"tags":[{"t":1}]},"data":{"children":[{"id":1,"a":"x"},{"id":2,"a":"y"}],"after":"b"}}"#, "f.json",
      "object", "data.children"
    ),
    (#"{"a":{"b":{"c":[{"id":1,"a":"x"},{"id":2,"a":"y"}]}},"d":[1,2,3]}"#, "f.json", "object", "a.b.c"),
    (#"{"a":[{"id":0}],"b":[{"id":1,"a":"x"},{"id":2,"a":"y"}],"c":[{"id":5}]}"#, "f.json", "object", "b"),
    (
      #"{"features":[{"type":"Feature","properties":{"id":1,"a":"x"}},{"properties":{"id":2,"a":"y"}}],"#
        + #""type":"FeatureCollection"}"#, "f.geojson", "geojson", "features"
    ),
    (
      #"[{"type":"t","attributes":{"id":1,"a":"x"}},{"type":"t","attributes":{"id":2,"a":"y"}}]"#, "f.json", "array", ""
    ),
  ]

  @Test(arguments: feeds.indices)
  func `the records of each shape are read`(_ index: Int) throws {
    let feed = Self.feeds[index]
    let found = try records(feed.text, name: feed.file)
    #expect(found.shape.name == feed.name)
    #expect(found.shape.pathText == feed.path)
    #expect(found.records.map { $0["id"] } == [1, 2])
    #expect(found.records.map { $0["a"] } == ["x", "y"])
  }

  @Test func `the names of a dictionary become a member of the records`() throws {
    let found = try records(#"{"k1":{"a":1},"k\u0032":{"a":2,"b":3}}"#)
    #expect(found.shape == FeedShape(.dictionary, keyMember: "key"))
    #expect(found.records.map(\.names) == [["key", "a"], ["key", "a", "b"]])
    #expect(found.records.map { $0["key"] } == ["k1", "k2"])
    #expect(found.records.map(\.offset) == [6, 24])
  }

  @Test func `a dictionary's names get a member that no record has`() throws {
    let found = try records(#"{"users":{"k1":{"key":1},"k2":{"key":2}},"version":1}"#)
    #expect(found.shape == FeedShape(.dictionary, path: ["users"], keyMember: "_key"))
    #expect(found.records.map { $0["_key"] } == ["k1", "k2"])
    #expect(found.records.map { $0["key"] } == [1, 2])
  }

  @Test(arguments: [
    (#"{"k1":{"a":1},"k2":{"a":2},"order":["k1","k2"]}"#, ["k1", "k2"]),
    (#"{"version":3,"k1":{"a":1},"k2":{"a":2},"k3":{"a":3}}"#, ["k1", "k2", "k3"]),
  ])
  func `a dictionary may have one member of another kind, which is left out`(_ text: String, _ keys: [String]) throws {
    let found = try records(text)
    #expect(found.shape.container == .dictionary)
    #expect(found.records.map { $0["key"] } == keys.map(KeptValue.string))
    let leftOut = try withFile(text.utf8) { path in
      let reader = try FeedReader(path: path)
      try reader.forEachRecord { _ in }
      return reader.leftOut
    }
    #expect(leftOut.count == 1)
  }

  @Test(arguments: [
    #"{"id":1,"name":"n","tags":[]}"#, #"{"name":"n","home":{"x":1},"away":{"x":2}}"#, #"{"a":[1,2],"b":["x"]}"#,
    #"{"id":1,"a":{"x":1},"b":{"x":2},"c":{"x":3}}"#, #"{"a":{"$date":"x"},"b":{"$date":"y"}}"#,
  ])
  func `an object without records inside is the only record`(_ text: String) throws {
    let found = try records(text)
    #expect(found.shape == FeedShape(.object))
    #expect(found.records.count == 1)
  }

  @Test func `an object that holds a list is the only record if its shape is given`() throws {
    let text = #"{"data":{"name":"n","items":[{"a":1},{"a":2}]},"b":1}"#
    let found = try records(text, shape: FeedShape(.object, path: ["data"]))
    #expect(found.records.map(\.names) == [["name", "items"]])
  }

  @Test func `lists inside of a dictionary's records are not the feed`() throws {
    let found = try records(#"{"k1":{"tags":[{"t":1},{"t":2},{"t":3}]},"k2":{"tags":[]}}"#)
    #expect(found.shape.container == .dictionary)
    #expect(found.records.count == 2)
  }

  @Test func `objects that are not alike are no dictionary`() throws {
    let text = #"{"paging":{"next":"x"},"owner":{"name":"y","mail":"z"},"rows":[{"id":1}]}"#
    #expect(try records(text).shape == FeedShape(.list, path: ["rows"]))
  }

  /// Records that are envelopes, with the members that the record has after lifting.
  private static let envelopes: [(text: String, envelope: String, names: [String])] = [
    (#"{"kind":"t3","data":{"id":"a","score":2}}"#, "data", ["kind", "id", "score"]),
    (#"{"model":"m","pk":1,"fields":{"name":"n"}}"#, "fields", ["model", "pk", "name"]),
    (
      #"{"type":"t","id":"1","attributes":{"name":"n"},"relationships":{"owner":{"data":null}}}"#, "attributes",
      ["type", "id", "name", "relationships"]
    ),
    (#"{"node":{"id":1},"cursor":"c"}"#, "node", ["id", "cursor"]),
    (#"{"_index":"i","_id":"1","_score":1.5,"_source":{"name":"n"}}"#, "_source", ["_index", "_id", "_score", "name"]),
    (#"{"id":"rec1","createdTime":"t","fields":{"Name":"n"}}"#, "fields", ["id", "createdTime", "Name"]),
  ]

  @Test(arguments: envelopes.indices)
  func `the members of an envelope's inner object are lifted`(_ index: Int) throws {
    let (text, envelope, names) = Self.envelopes[index]
    for feed in ["[\(text),\(text)]", "\(text)\n\(text)", "{\"children\":[\(text)]}"] {
      let found = try records(feed)
      #expect(found.shape.envelope == [envelope])
      for record in found.records { #expect(record.names == names) }
    }
  }

  @Test func `a feature's properties are lifted beside its ID and geometry`() throws {
    let text = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":7,"properties":{"mag":1.5,"type":"quake","id":"p"},"geometry":{"coordinates":[1,2]}},
      {"type":"Feature","id":8,"geometry":null,"properties":null}]}
      """#
    let found = try records(text)
    #expect(found.shape == .featureCollection)
    #expect(found.records.map(\.names) == [["id", "mag", "type", "geometry"], ["id", "geometry"]])
    // A property hides a member of the same name.
    #expect(found.records.map { $0["id"] } == ["p", 8])
    #expect(found.records[0]["type"] == "quake")
  }

  @Test func `a record with members of its own is no envelope`() throws {
    let text = #"[{"id":1,"name":"n","data":{"a":1}},{"id":2,"name":"m","data":{"a":2}}]"#
    #expect(try records(text).shape == FeedShape(.list))
  }

  @Test func `a shape that is given is used without detection`() throws {
    let text = #"{"big":[{"x":1},{"x":2},{"x":3}],"small":[{"meta":{"v":9},"body":{"id":1,"v":2},"type":"q"}]}"#
    let shape = FeedShape(.list, path: ["small"], envelope: ["meta", "body"], omitted: ["type"])
    let found = try records(text, shape: shape)
    #expect(found.records.map(\.names) == [["v", "id"]])
    #expect(found.records[0].values == [2, 1])
  }

  @Test func `a feed can be read again from its beginning`() throws {
    try withFile("[{\"a\":1},\n{\"a\":2}]".utf8) { path in
      let reader = try FeedReader(path: path)
      for _ in 0..<3 {
        var offsets: [Int] = []
        try reader.forEachRecord { record throws(FeedError) in
          offsets.append(record.offset)
          #expect(record.line == record.index + 1)
        }
        #expect(offsets == [1, 10])
        #expect(try reader.next() == nil)
      }
      reader.rewind()
      #expect(try reader.next()?["a"].map(KeptValue.init) == 1)
    }
  }
}
