import Foundation
import Testing
import Workloads

/// The summary of a feed.
@Suite struct SummaryTests {
  private func summary(_ text: String, name: String = "feed.json", shape: FeedShape? = nil) throws -> FeedSummary {
    try withFile(text.utf8, name: name) { try FeedSummary(of: FeedReader(path: $0, shape: shape)) }
  }

  /// Returns the entities of a summary with the numbers of their records and of their IDs, if they have any.
  private func entities(_ summary: FeedSummary) -> [String] {
    summary.entities.map { "\($0.name) \($0.records)" + ($0.distinctIDs.map { ", distinct \($0)" } ?? "") }
  }

  @Test func `members and their kinds are counted`() throws {
    let found = try summary(#"[{"id":1,"a":null},{"id":2,"a":1.5,"b":[]},{"id":2,"a":true,"b":{"c":{}}}]"#)
    #expect(found.records == 3)
    #expect(found.idField == "id")
    #expect(found.distinctIDs == 2)
    #expect(found.idType == "integer")
    #expect(found.maxDepth == 3)
    #expect(found.unionOfKeys == 3)
    #expect(found.keysInEveryRecord == 2)
    #expect(
      found.keys.map { "\($0.name) \($0.records) \($0.types)" } == [
        #"id 3 ["integer"]"#, #"a 3 ["boolean", "null", "number"]"#, #"b 2 ["list", "object"]"#,
      ])
  }

  @Test(arguments: [
    (#"[{"id":1,"_id":"a"},{"id":1,"_id":"b"}]"#, "_id", "string", 2),
    (#"[{"id":1},{"id":"1"}]"#, "id", "mixed", 2), (#"[{"uuid":"x","pk":7},{"uuid":"y"}]"#, "uuid", "string", 2),
    (#"[{"ID":1,"id":2}]"#, "id", "integer", 1),
    (#"[{"_id":{"$oid":"a"},"n":1},{"_id":{"$oid":"b"},"n":1}]"#, "_id", "string", 2),
    (#"{"users":[{"user_id":1,"teamId":1},{"user_id":1,"teamId":1}]}"#, "user_id", "integer", 1),
    (#"[{"code":"a","name":"x"},{"code":"b","name":"x"}]"#, "code", "string", 2),
    (#"{"k1":{"v":1},"k2":{"v":1}}"#, "key", "string", 2),
    (#"[{"id":12345678901234567890},{"id":2}]"#, "id", "integer", 2),
  ])
  func `the member that identifies a record is found`(
    _ text: String, _ name: String, _ type: String, _ count: Int
  ) throws {
    let found = try summary(text)
    #expect(found.idField == name)
    #expect(found.idType == type)
    #expect(found.distinctIDs == count)
  }

  @Test(arguments: [
    #"[{"a":1}]"#, #"[{"id":1},{"id":null}]"#, #"[{"id":1},{}]"#, #"[{"id":{"x":1}}]"#, #"[{"id":true}]"#,
    #"[{"userId":1},{"userId":1}]"#, #"[{"code":1},{"code":1}]"#,
  ])
  func `a member that does not identify every record is no ID`(_ text: String) throws {
    let found = try summary(text)
    #expect(found.idField == nil)
    #expect(found.distinctIDs == nil)
    #expect(found.idType == nil)
    #expect(entities(found).first == "Record \(found.records)")
  }

  @Test func `nested objects are counted once by their ID or their contents`() throws {
    let found = try summary(
      #"""
      {"orders":[
      {"id":1,"customer":{"id":7,"address":{"city":"A","zip":"1"}},"line_items":[{"sku":"x"},{"sku":"y"}]},
      {"id":2,"customer":{"address":{"zip":"1","city":"A"},"id":7,"new":1},"line_items":[{"sku":"x"}]},
      {"id":3,"customer":null,"line_items":[],"tags":["a",[{"t":1}]]}]}
      """#)
    #expect(
      entities(found) == [
        "Order 3, distinct 3", "Customer 2, distinct 1", "Address 2, distinct 1", "LineItem 3, distinct 2",
        "Tag 1, distinct 1",
      ])
  }

  @Test func `a nested dictionary is one entity`() throws {
    let found = try summary(
      #"[{"id":1,"players":{"p1":{"n":1},"p2":{"n":2}}},{"id":2,"players":{"p1":{"n":1},"p9":{"n":3}}}]"#)
    #expect(entities(found).dropFirst() == ["Player 4, distinct 3"])
  }

  /// Returns the member that is proposed as the key of a number of records, whose members depend on their places.
  private func proposedKey(_ count: Int, _ record: (Int) -> String) throws -> String? {
    try withFile("[\((0..<count).map(record).joined(separator: ","))]".utf8) { path in
      let reader = try FeedReader(path: path)
      var search = IDSearch(recordsOf: reader, proposesKey: true)
      try reader.forEachRecord { record throws(FeedError) in search.add(record, nameOf: reader.name) }
      return search.proposed?.name
    }
  }

  @Test func `a member with other values in all records is proposed as the key`() throws {
    #expect(try proposedKey(5) { #"{"title":"t\#($0)","itemNumber":\#($0 * 1_000)}"# } == "itemNumber")
    #expect(try proposedKey(5) { #"{"title":"t\#($0)","n":\#($0)}"# } == nil)
    #expect(try proposedKey(20) { #"{"colour":"c\#($0)","title":"t\#($0)","n":\#($0)}"# } == "title")
    #expect(try proposedKey(20) { #"{"views":\#($0 * 977),"n":\#($0 + 5)}"# } == "n")
    #expect(try proposedKey(20) { #"{"title":"t\#($0 % 19)","email":"e\#($0)"}"# } == "email")
    #expect(try proposedKey(20) { #"{"created":"t\#($0)","day":"2014-01-\#($0 + 10)","x":\#($0).5}"# } == nil)
    let text = String(repeating: "long", count: 20)
    #expect(try proposedKey(20) { #"{"text":"\#(text)\#($0)"}"# } == nil)
    #expect(try proposedKey(20) { $0 == 3 ? "{}" : #"{"title":"t\#($0)"}"# } == nil)
    #expect(try proposedKey(20) { #"{"id":\#($0),"title":"t\#($0)"}"# } == nil)
  }

  @Test(arguments: [
    ("people", "Person"), ("line_items", "LineItem"), ("categories", "Category"), ("addresses", "Address"),
    ("boxes", "Box"), ("status", "Status"), ("address", "Address"), ("orderLines", "OrderLine"), ("houses", "House"),
    ("news", "News"), ("children", "Child"), ("fooChildren", "FooChild"), ("movies", "Movie"), ("geometry", "Geometry"),
    ("matches", "Match"), ("IDS", "IDS"), ("analysis", "Analysis"), ("@type", "Type"), ("", "Value"), ("3d", "Value3d"),
    ("$$", "Value"), ("user-groups", "UserGroup"), ("ties", "Tie"), ("s", "S"), ("buses", "Bus"),
  ])
  func `an entity is named after its member`(_ member: String, _ name: String) {
    #expect(EntityName.of(member) == name)
  }

  @Test func `the summary is encoded with all keys`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let text = String(decoding: try encoder.encode(try summary(#"[{"a":{"b":1}}]"#)), as: UTF8.self)
    #expect(
      text
        == #"{"distinct_ids":null,"entities":[{"distinct_ids":null,"name":"Record","records":1},"#
        + #"{"distinct_ids":1,"name":"A","records":1}],"envelope":null,"id_field":null,"id_type":null,"#
        + #""key_member":null,"keys":[{"name":"a","records":1,"types":["object"]}],"keys_in_every_record":1,"#
        + #""kind":"feed","max_depth":2,"records":1,"records_path":null,"shape":"array","union_of_keys":1}"#)
  }

  @Test func `a set of hashes counts each once`() {
    var set = HashSet64()
    for hash in UInt64(0)..<5_000 {
      let isNew = set.insert(hash &* 0x1_0000_0001)
      #expect(isNew)
    }
    for hash in UInt64(0)..<5_000 {
      let isNew = set.insert(hash &* 0x1_0000_0001)
      #expect(!isNew)
    }
    #expect(set.count == 5_000)
  }
}
