import Foundation
import Testing
import Workloads

/// The list that screens show can be described.
@Suite struct ShownListTests {
  private func archive<Result>(
    _ change: (inout ListOptions) throws -> Void, _ body: (WorkloadArchive) throws -> Result
  ) throws -> Result {
    try withFolder { folder in
      let entities = """
        <entity name="Track">
          <attribute name="id" attributeType="UUID"/>
          <attribute name="title" attributeType="String"/>
          <attribute name="rating" optional="YES" attributeType="Integer 16" minValueString="1" maxValueString="5"/>
          <attribute name="note" optional="YES" attributeType="String"/>
          <attribute name="cover" optional="YES" attributeType="Binary"/>
          <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="tracks"
            inverseEntity="Album"/>
        </entity>
        <entity name="Album">
          <attribute name="code" attributeType="String"/>
          <relationship name="tracks" optional="YES" toMany="YES" destinationEntity="Track" inverseName="album"
            inverseEntity="Track"/>
        </entity>
        <entity name="Thing" isAbstract="YES"/>
        """
      var options = try ExistingRowsTests.options(
        ExistingRows(argument: "Track=60,Album=3"), in: folder, entities: entities)
      options.list.entity = "Track"
      try change(&options.list)
      return try withArchive(options, body)
    }
  }

  @Test func `a list has its order, its condition and its length`() throws {
    try archive { list in
      list.sort = [ListSort("-rating"), ListSort("title")]
      list.condition = try ListCondition(argument: "rating >= 2 and rating != 4 AND title > ''")
      list.cells = ["title", "album.code"]
      list.prefetched = ["album.tracks"]
    } _: { archive in
      let list = try #require(archive.schema.list)
      #expect(archive.schema.entities[list.entity].name == "Track")
      #expect(list.linkedCells == ["album.code"] && list.prefetched == ["album.tracks"])
      #expect(archive.schema.entities[list.entity].shownAttributes.map(\.name) == ["title", "note"])
      let attributes = archive.schema.entities[list.entity].attributes
      let rating = try #require(attributes.firstIndex { $0.name == "rating" })
      let rows = try archive.answer().sortedRows(list.entity, schema: archive.schema)
      let ratings = rows.map { if case .integer(let value) = $0.values[rating] { value } else { Int64(0) } }
      #expect(ratings == ratings.sorted(by: >) && Set(ratings).count > 3)
      let listed = rows.filter { list.contains($0.values) }
      #expect(listed.count == ratings.count { $0 >= 2 && $0 != 4 })
      #expect((1...listed.count).contains(archive.listLength))
    }
  }

  @Test func `a comparison with null is false except for equality`() throws {
    func containsNull(_ condition: String) throws -> Bool {
      try archive {
        $0.condition = try ListCondition(argument: condition)
      } _: { archive in
        let list = try #require(archive.schema.list)
        return list.contains(archive.schema.entities[list.entity].attributes.map { _ in .null })
      }
    }
    for condition in ["rating = nil", "rating != 9"] { #expect(try containsNull(condition)) }
    for condition in ["rating != nil", "rating < 9", "rating >= 0"] { #expect(try !containsNull(condition)) }
  }

  @Test(arguments: [
    ("Trck", "", "", "", "", "list Trck: Trck is no entity; did you mean Track?"),
    ("Thing", "", "", "", "", "list Thing: Thing is abstract and has no rows; use one of Track, Album"),
    ("Track", "-titel", "", "", "", "list sort -titel: titel is no attribute of Track; did you mean title?"),
    ("Track", "note", "", "", "", "list sort note: the user's edits change note; use another attribute of Track"),
    (
      "Track", "cover", "", "", "", "list sort cover: the values of cover have no order; use another attribute of Track"
    ),
    (
      "Track", "", "ratin > 3", "", "", "list condition ratin > 3: ratin is no attribute of Track; did you mean rating?"
    ),
    (
      "Track", "", "rating > many", "", "",
      "list condition rating > many: many is no value of rating, which is integer16"
    ),
    (
      "Track", "", "rating", "", "",
      "list condition rating: not comparisons of attributes with values; use ==, !=, <, <=, > or >=, as in "
        + "\"rating >= 3 and genre == 'Jazz'\""
    ),
    ("Track", "", "", "albun", "", "list prefetch albun: albun is no property of Track; did you mean album?"),
    (
      "Track", "", "", "title", "",
      "list prefetch title: title is no relationship, and only relationships are prefetched"
    ),
    ("Track", "", "", "", "album", "list cells album: album is a relationship; add an attribute, as in album.code"),
    ("Track", "", "", "", "album.cod", "list cells album.cod: cod is no property of Album; did you mean code?"),
    (
      "Album", "", "", "", "tracks.title",
      "list cells tracks.title: tracks is no to-one relationship of Album, so tracks.title leads to no value"
    ),
  ])
  func `a wrong list is refused in one line`(
    entity: String, sort: String, condition: String, prefetched: String, cells: String, message: String
  ) throws {
    let error = #expect(throws: WorkloadError.self) {
      try archive { list in
        list.entity = entity
        if !sort.isEmpty { list.sort = [ListSort(sort)] }
        if !condition.isEmpty { list.condition = try ListCondition(argument: condition) }
        if !prefetched.isEmpty { list.prefetched = [prefetched] }
        if !cells.isEmpty { list.cells = [cells] }
      } _: { _ in
      }
    }
    #expect(error?.description == message)
  }
}
