import Testing
import Workloads

/// Keys, members and strings that differ only in their bytes or their kinds.
@Suite struct FeedNameTests {
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"

  @Test func `members that differ only in bytes are two attributes`() throws {
    let text = #"[{"id":1,"\#(Self.composed)":"one","\#(Self.decomposed)":"two","\#(Self.decomposed)_2":"three"}]"#
    try withFeed(text) { archive in
      let entity = archive.schema.entities[0]
      #expect(Set(entity.attributes.map(\.member)).count == 4)
      let values: [FieldValue] = [.string("two"), .string("three"), .integer(1), .string("one")]
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.values) == [values])
      let records = try archive.decodedPayloads()[0]
      #expect(records.map(\.values) == [values])
    }
  }

  @Test func `IDs that differ only in bytes are two rows`() throws {
    let text = #"[{"id":"\#(Self.composed)","v":1},{"id":"\#(Self.decomposed)","v":2}]"#
    try withFeed(text) { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.key) == [.string(Self.decomposed), .string(Self.composed)])
      #expect(rows.map { $0.values[1] } == [.integer(2), .integer(1)])
      let records = try archive.decodedPayloads()[0]
      #expect(records.map(\.key) == [.string(Self.composed), .string(Self.decomposed)])
    }
  }

  @Test func `nested members that differ only in bytes are distinct`() throws {
    try withFeed(#"[{"id":1,"o":[0,{"\#(Self.composed)":1,"\#(Self.decomposed)":2}]}]"#) { archive in
      let value = try archive.answer().tables[0].rows[0].values[1]
      #expect(value == .string(#"[0,{"\#(Self.decomposed)":2,"\#(Self.composed)":1}]"#))
    }
  }

  @Test(arguments: [
    (#"[{"id":"1"},{"id":2},{"id":1}]"#, #"record 2 (the first is 0): id 1 would be the same row as "1" of record 0"#),
    (#"[{"id":1},{"id":"1"}]"#, #"record 1 (the first is 0): id "1" would be the same row as 1 of record 0"#),
    (
      #"[{"id":18446744073709551616},{"id":"18446744073709551616"}]"#,
      #"record 1 (the first is 0): id "18446744073709551616" would be the same row as 18446744073709551616 of record 0"#
    ),
  ])
  func `IDs of different types with equal text are refused`(_ text: String, _ message: String) throws {
    #expect(
      try feedError(text)
        == "feed.json:1: \(message); write all IDs as strings, or all as integers")
  }

  @Test func `IDs of different types with different text are kept as rows`() throws {
    try withFeed(#"[{"id":1},{"id":"2"},{"id":"01"},{"id":"2"},{"id":1}]"#) { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.key) == [.string("01"), .string("1"), .string("2")])
    }
  }
}
