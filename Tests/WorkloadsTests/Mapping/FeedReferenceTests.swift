import Foundation
import Testing
import Workloads

/// Members that contain IDs of other objects of a feed without a model.
@Suite struct FeedReferenceTests {
  private func links(_ text: String, name: String = "feed.json") throws -> [RecordKey?] {
    try withFeed(text, name: name) { try $0.answer().tables[0].rows.map { $0.links[0] } }
  }

  @Test func `an ID of a later record, of none and of itself is a reference`() throws {
    let text = #"[{"id":1,"parent_id":2},{"id":2,"parent_id":null},{"id":3,"parent_id":3},{"id":4}]"#
    try withFeed(text) { archive in
      let record = archive.schema.entities[0]
      #expect(record.attributes.map(\.name) == ["id"])
      #expect(record.links.map(\.name) == ["parent"] && record.links[0].targetEntity == "Record")
      let links = try archive.answer().tables[0].rows.map { $0.links[0] }
      #expect(links == [.integer(2), nil, .integer(3), nil])
      #expect(archive.mapping?.referenceSummary == "Record.parent_id to Record")
    }
  }

  @Test func `references that form a cycle are kept`() throws {
    #expect(try links(#"[{"id":"a","nextId":"b"},{"id":"b","nextId":"a"}]"#) == [.string("b"), .string("a")])
  }

  @Test func `an ID that no object has leaves the reference empty and is counted`() throws {
    let text = #"[{"id":1,"parent_id":9},{"id":2,"parent_id":1},{"id":3,"parent_id":1}]"#
    try withFeed(text) { archive in
      let links = try archive.answer().tables[0].rows.map { $0.links[0] }
      #expect(links == [nil, .integer(1), .integer(1)])
      #expect(
        archive.remarks == [
          "1 of 3 IDs in Record.parent_id are not the ID of any Record, so that parent lacks them"
        ])
    }
  }

  @Test(arguments: [
    #"[{"id":1,"parent_id":9},{"id":2,"parent_id":8},{"id":3,"parent_id":1}]"#,
    #"[{"id":1,"parent_id":"1"},{"id":2,"parent_id":"2"}]"#, #"[{"id":1,"parent_id":1.5},{"id":2,"parent_id":1}]"#,
    #"[{"id":1,"shop_id":1},{"id":2,"shop_id":2}]"#, #"[{"n":1,"parent_id":1},{"n":2,"parent_id":2}]"#,
  ])
  func `a member whose values are mostly no IDs, or whose name leads nowhere, stays an attribute`(
    _ text: String
  ) throws {
    try withFeed(text) { archive in
      #expect(archive.schema.entities[0].links.isEmpty)
      #expect(archive.schema.entities[0].attributes.contains { $0.name.hasSuffix("_id") })
      #expect(archive.remarks.isEmpty)
    }
  }

  @Test func `members lead to the entity that they name, and lists are to-many`() throws {
    let text = #"""
      [{"id":1,"author":{"id":"a","n":1},"co_author_ids":["b","a"],"editor_id":"b"},
       {"id":2,"author":{"id":"b","n":2},"co_author_ids":null,"bookID":1}]
      """#
    try withFeed(text, name: "books.json") { archive in
      let record = archive.schema.entities[0]
      #expect(record.lists.map(\.name) == ["co_authors"] && record.lists[0].targetEntity == "Author")
      #expect(record.links.map(\.name) == ["author", "book"] && record.links[1].targetEntity == "Record")
      #expect(record.attributes.map(\.name) == ["editor_id", "id"])
      let rows = try archive.answer().tables[0].rows
      #expect(Set(rows[0].lists[0]) == [.string("a"), .string("b")] && rows[1].lists == [[]])
      #expect(rows.map { $0.links[1] } == [nil, .integer(1)])
    }
  }

  @Test func `a reference of a nested object leads to a record`() throws {
    let text = #"[{"id":1,"reviews":[{"id":7,"feed":2}]},{"id":2,"reviews":[{"id":8,"feed":1}]}]"#
    try withFeed(text) { archive in
      let review = archive.schema.entities[1]
      let place = try #require(review.links.firstIndex { $0.name == "feed" })
      #expect(try archive.answer().tables[1].rows.map { $0.links[place] } == [.integer(2), .integer(1)])
    }
  }

  @Test func `a reference that a map leaves out stays an attribute`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "feed.json")
      try Data(#"[{"id":1,"parent_id":2},{"id":2,"parent_id":1}]"#.utf8).write(to: file)
      var options = WorkloadOptions(
        workload: .feed(path: file.path(percentEncoded: false)), rows: nil, existingRows: 0, batchSize: 2,
        mix: .insertsOnly)
      let parent = FeedMap.Relationship(name: "parent", member: nil)
      options.map = FeedMap(place: "map", entities: [FeedMap.Entity(name: "Record", relationships: [parent])])
      try withArchive(options) { archive in
        #expect(archive.schema.entities[0].links.isEmpty)
        #expect(archive.schema.entities[0].attributes.map(\.name) == ["id", "parent_id"])
      }
    }
  }

  @Test func `a list of objects beside the records is named in a remark`() throws {
    let text = #"{"authors":[{"id":"a"}],"books":[{"id":1,"tags":[{"t":1}]},{"id":2}],"meta":{"n":1}}"#
    try withFeed(text) { archive in
      #expect(archive.options.rows == 2)
      #expect(
        archive.remarks == [
          "the records at books are read, and not those at authors; a map file chooses others with shape.path"
        ])
    }
  }

  @Test func `references of further passes lead to rows of the same pass`() throws {
    let text = #"[{"id":1,"parent_id":2},{"id":2,"parent_id":1}]"#
    try withFeed(text, rows: 4) { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.map(\.key) == [1, 2, 3, 4].map(RecordKey.integer))
      #expect(rows.map { $0.links[0] } == [2, 1, 4, 3].map(RecordKey.integer))
    }
  }

  @Test(arguments: [
    #"[{"id":1,"n":2}]"#, #"[{"uuid":"x","n":1},{"uuid":"y","n":1}]"#, #"[{"identifier":3},{"identifier":4}]"#,
    #"[{"a":1},{"a":2}]"#, #"{"a":{"n":1,"m":2},"b":{"n":2,"m":3}}"#, #"[{"id":true}]"#, #"[{"feedId":1}]"#,
    #"[{"slug":"a"},{"slug":"b"}]"#, #"[{"slug":"a"},{"slug":"a"}]"#, #"[{"id":1},{"id":"1a"}]"#,
    #"{"people":[{"personId":5,"pet":{"petId":2}},{"personId":6,"pet":{"petId":2}}]}"#,
  ])
  func `an import uses the ID that the summary of the feed names`(_ text: String) throws {
    try withFolder { folder in
      let file = folder.appending(path: "feed.json")
      try Data(text.utf8).write(to: file)
      let path = file.path(percentEncoded: false)
      let summary = try FeedSummary(of: FeedReader(path: path))
      let options = WorkloadOptions(
        workload: .feed(path: path), rows: nil, existingRows: 0, batchSize: 2, mix: .insertsOnly)
      try withArchive(options) { archive in
        let key = archive.schema.entities[0].keyAttributes[0]
        #expect((key.isAdded ? nil : key.name) == summary.idField)
        let answer = try archive.answer()
        if let count = summary.distinctIDs { #expect(answer.tables[0].rows.count == count) }
        #expect(answer.tables.dropFirst().map(\.rows.count) == summary.entities.dropFirst().map(\.distinctIDs))
      }
    }
  }
}
