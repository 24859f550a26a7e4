import Foundation
import TestSupport
import Testing
import Workloads

@Suite struct FeedCheckTests {
  /// Makes a workload of one feed and checks it against another.
  private func check(_ made: String, against feed: String, extension name: String = "json") throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let archive = folder.url.appending(path: "archive")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
    let path = try folder.write(made, to: "feed.\(name)")
    let options = WorkloadOptions(
      workload: .feed(path: path), rows: nil, existingRows: 0, batchSize: 2, mix: .insertsOnly)
    let workload = try WorkloadArchive.write(options, to: archive)
    try folder.write(feed, to: "feed.\(name)")
    try FeedCheck.check(path, against: workload)
  }

  @Test(arguments: [
    (#"[{"id":1,"a":0.9732522570430618,"b":"x"},{"id":2,"b":null},{"id":3,"a":-0.0,"b":""}]"#, "json"),
    (#"[{"a":9223372036854775807},{"a":-9223372036854775808},{"c":true}]"#, "json"),
    (#"[{"id":"é","s":"\ufeff\u00e9\ud83d\ude00\n\"\\\/"},{"id":"e\u0301","s":"日本"}]"#, "json"),
    (#"[{"id":1,"é":1,"e\u0301":2,"q\"r":0.1,"":5,"a.b":6,"x\u0000y":7}]"#, "json"),
    (
      #"[{"id":1,"n":{"b":[1,2.50,{"c":[]}],"a":"\u00e9"},"l":[]},{"id":2,"n":7},{"id":3,"n":true},{"id":4,"n":1.5}]"#,
      "json"
    ),
    (#"[{"id":1,"d":1},{"id":2,"d":0.5},{"id":3,"d":1e300}]"#, "json"),
    ("{\"id\":1,\"a\":1}\n\n \r\n{\"id\":2}\r\n", "jsonl"),
    (
      #"""
      {"type":"FeatureCollection","features":[
        {"type":"Feature","id":1,"properties":{"a":1,"id":5},"geometry":["Point",{"coordinates":[1.5,2]}]},
        {"type":"Feature","id":2,"properties":null}]}
      """#, "geojson"
    ),
    ("\u{feff}[{\"id\":1}]", "json"),
    (#"[{"id":1,"big":18446744073709551616,"l":[18446744073709551616]},{"id":2,"big":1}]"#, "json"),
    (#"[{"id":1,"brand":{"name":"A","maker":{"n":1.5}}},{"id":2,"brand":{"name":"A"}},{"id":3,"brand":null}]"#, "json"),
    (
      #"[{"id":1,"lines":[{"n":1},{"n":2},null]},{"id":2,"lines":[]},{"id":3,"lines":[{"n":3,"lines":[{"n":4}]}]}]"#,
      "json"
    ),
    (#"[{"id":1,"tags":[{"t":"x"},{"t":"y"},{"t":"x"}]},{"id":2,"tags":[{"t":"y"}]}]"#, "json"),
    (
      #"[{"id":1,"parent_id":2,"tag_ids":["x","z"],"tag":{"id":"x"}},{"id":2,"parent_id":null,"tag":{"id":"z"}}]"#,
      "json"
    ),
    (#"{"a":0,"data":{"items":[{"data":{"id":1,"n":{"m":1}},"kind":"t"},{"data":{"id":2},"kind":"t"}]}}"#, "json"),
    (#"{"k\u0031":{"a":1,"b":2},"k2":{"a":2,"b":{"c":1}}}"#, "json"),
    (#"{"k1":{"a":1},"k2":{"a":2},"order": ["k1","k2"]}"#, "json"),
    (#" {"name":"n","tags":["x"],"home":{"x":1}} "#, "json"),
    (
      #"[{"_id":{"$oid":"a"},"d":{"$date":{"$numberLong":"5"}},"n":{"$numberInt":"3"},"x":{"$numberDouble":"1.5"}},"#
        + #"{"_id":{"$oid":"b"},"l":[{"$oid":"c"},{"$numberInt":"4"}],"x":{"$numberDouble":"2"},"u":{"$undefined":true}}]"#,
      "json"
    ),
    (
      #"[{"id":1,"rates":{"c":{"n":"x"},"b":{"n":"y"}}},{"id":2,"rates":{"a":{"n":"z"}}},{"id":3,"rates":{"b":{"n":"y"}}}]"#,
      "json"
    ),
    (
      #"[{"id":1,"rates":{"c":{"n":"x"}}},{"id":2,"rates":{"c":{"n":"y"},"a":null}},{"id":3,"rates":{"b":{"n":"y"}}}]"#,
      "json"
    ),
  ])
  func `both readers return the same values`(feed: String, name: String) throws {
    try check(feed, against: feed, extension: name)
  }

  @Test func `a record too long for the comparison leaves later records in place`() throws {
    let long = "[" + [String](repeating: "1,2", count: 400_000).joined(separator: ",") + "]"
    let records = { (last: Int) in
      #"[{"id":1,"a":1},{"id":2,"long":\#(long),"b":["}",{"c":"}"}]},{"id":3,"a":\#(last)}]"#
    }
    try check(records(3), against: records(3))
    let error = try #require(throws: VerificationError.self) { try check(records(3), against: records(4)) }
    #expect(error.description.contains("record 2 (the first is 0)"), "\(error)")
  }

  @Test func `both readers return the same doubles`() throws {
    var state: UInt64 = 42
    var numbers: [String] = []
    while numbers.count < 5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Double(bitPattern: state)
      if number.isFinite { numbers.append("\(number)") }
    }
    let feed = "[" + numbers.enumerated().map { "{\"id\":\($0),\"x\":\($1)}" }.joined(separator: ",") + "]"
    try check(feed, against: feed)
  }

  @Test(arguments: [
    (#"[{"id":1,"a":0.9732522570430618}]"#, #"[{"id":1,"a":0.9732522570430617}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":9223372036854775807}]"#, #"[{"id":1,"a":9223372036854775806}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":"é"}]"#, #"[{"id":1,"a":"e\u0301"}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":"x"}]"#, #"[{"id":1,"a":"\ufeffx"}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":true}]"#, #"[{"id":1,"a":false}]"#, #""a" is read as true"#),
    (#"[{"id":1,"a":[1,{"b":2}]}]"#, #"[{"id":1,"a":[1,{"b":3}]}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":[1,2]}]"#, #"[{"id":1,"a":[2,1]}]"#, #""a" is read as"#),
    (#"[{"id":1,"a":1}]"#, #"[{"id":1,"a":null}]"#, "as absent by SQLite"),
    (#"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":3}]"#, "record 1 (the first is 0): \"id\""),
    (#"[{"id":1},{"id":2}]"#, #"[{"id":1}]"#, "fewer records"),
    (#"[{"id":1,"a":1}]"#, #"[{"id":1,"a":1,"b":2}]"#, #""b" is read as absent by one reader and as 2 by SQLite"#),
    (#"[{"id":1}]"#, #"[{"id":1 2}]"#, "malformed JSON"),
    (#"[{"id":1}]"#, #"[{"id":1},{"id":2}]"#, "more records"),
    (#"[{"id":1,"o":{"a":1}}]"#, #"[{"id":1,"o":{"a":2}}]"#, #""o.a" is read as 1 by one reader and as 2 by SQLite"#),
    (#"[{"id":1,"o":{"a":1}}]"#, #"[{"id":1,"o":{"a":1,"b":0}}]"#, #""o.b" is read as absent"#),
    (#"[{"id":1,"o":[{"a":1},{"a":2}]}]"#, #"[{"id":1,"o":[{"a":1}]}]"#, "1 rows too many"),
    (#"[{"id":1,"o":[{"a":1}]}]"#, #"[{"id":1,"o":[{"a":1},{"a":2}]}]"#, "no row of O"),
    (#"[{"id":1,"parent_id":1},{"id":2}]"#, #"[{"id":1,"parent_id":2},{"id":2}]"#, "parent does not lead"),
    (#"[{"id":1,"parent_id":1},{"id":2}]"#, #"[{"id":1},{"id":2}]"#, "parent leads to 1 rows, not 0"),
  ])
  func `a value that the readers read differently throws an error`(
    made: String, feed: String, words: String
  ) throws {
    let error = try #require(throws: VerificationError.self) { try check(made, against: feed) }
    #expect(error.description.contains(words), "\(error)")
    #expect(error.description.contains("feed.json"), "\(error)")
  }
}
