import Foundation
import Testing
import Workloads

/// Maps that change the inferred mapping.
@Suite struct MapTests {
  private func person(_ archive: WorkloadArchive) throws -> (
    entity: WorkloadSchema.Entity, values: [String: FieldValue]
  ) {
    let number = try #require(archive.schema.index(ofEntity: "Person"))
    let entity = archive.schema.entities[number]
    let row = try #require(try archive.answer().tables[number].rows.first)
    return (entity, Dictionary(uniqueKeysWithValues: zip(entity.attributes.map(\.name), row.values)))
  }

  // MARK: With a model

  @Test func `a map gives members, date forms and constants to attributes`() throws {
    let bench = try MapBench(feed: MapSamples.people, model: MapSamples.model)
    let map = """
      entities:
        Person:
          attributes:
            bornAt: {member: birth, date: seconds}
            origin: {value: import}
            size: shoe_size
            title: place.name
          ignore: [friend_ids, place]
      """
    try bench.withArchive(map) { archive in
      let (entity, values) = try person(archive)
      #expect(values["bornAt"] == .date(86_400 - 978_307_200))
      #expect(values["origin"] == .string("import"))
      #expect(values["size"] == .integer(44))
      #expect(values["title"] == .string("Rome"))
      #expect(entity.editedAttribute?.name == "remark")
      #expect(archive.remarks.isEmpty)
    }
  }

  @Test func `a map makes nested objects and references relationships`() throws {
    let bench = try MapBench(feed: MapSamples.people, model: MapSamples.model)
    let map = """
      entities:
        Person:
          relationships:
            city: place
            friends: {member: friend_ids, by: remoteID}
        City:
          key: name
      """
    try bench.withArchive(map) { archive in
      let answer = try archive.answer()
      let city = try #require(archive.schema.index(ofEntity: "City"))
      let number = try #require(archive.schema.index(ofEntity: "Person"))
      #expect(answer.tables[city].rows.map(\.key) == [.string("Oslo"), .string("Rome")])
      #expect(answer.tables[number].rows.map { $0.lists[0] } == [[.integer(2)], [.integer(1)], []])
      #expect(answer.tables[number].rows.map { $0.links[0] } == [.string("Rome"), .string("Rome"), .string("Oslo")])
      #expect(archive.remarks == ["no property takes Person.birth, Person.shoe_size"])
    }
  }

  @Test func `an attribute without a value in the map is left out`() throws {
    let bench = try MapBench(feed: MapSamples.people, model: MapSamples.model)
    let inferred = try bench.mapped().mapping.entities[0]
    let map = "entities: {Person: {attributes: {size: shoe_size, bornAt: birth}}}"
    let added = try bench.mapped(map).mapping.entities[0]
    #expect(added.attributes.map(\.name) == inferred.attributes.map(\.name) + ["size", "bornAt"])
    let text = "entities: {Person: {attributes: {remoteID: ~, size: shoe_size}, key: size}}"
    #expect(bench.error(text).contains("Person.remoteID, which the model requires"))
  }

  @Test func `a map names the entity of the records`() throws {
    let bench = try MapBench(feed: #"[{"name":"Rome","zip":"1","id":9,"title":"t"}]"#, model: MapSamples.model)
    #expect(try bench.mapped().mapping.entities.map(\.name) == ["Person"])
    #expect(try bench.mapped("records: City").mapping.entities.map(\.name) == ["City"])
  }

  @Test func `a feed without any match is mapped by its map alone`() throws {
    let bench = try MapBench(feed: #"[{"x":1,"y":"a"},{"x":2,"y":"b"}]"#, model: MapSamples.model)
    let map = "records: Person\nentities: {Person: {key: remoteID, attributes: {remoteID: x, title: y}}}"
    try bench.withArchive(map) { archive in
      let values = try person(archive).values
      #expect(values == ["remoteID": .integer(1), "title": .string("a")])
    }
  }

  @Test func `a key can be the content or the place of a record`() throws {
    let bench = try MapBench(feed: #"[{"zip":"1"},{"zip":"1"},{"zip":"2"}]"#, model: MapSamples.model)
    try bench.withArchive("records: City\nentities: {City: {key: {content: name}}}") { archive in
      let rows = try archive.answer().tables[0].rows
      #expect(rows.count == 2)
    }
    let feed = try MapBench(feed: #"[{"title":"1"},{"title":"1"}]"#, model: MapSamples.model)
    try feed.withArchive("records: Person\nentities: {Person: {key: {place: remoteID}}}") { archive in
      let rows = try archive.answer().tables[1].rows
      #expect(rows.map(\.key) == [.integer(0), .integer(1)])
    }
  }

  // MARK: Without a model

  @Test func `a map without a model renames, types and removes`() throws {
    let bench = try MapBench(feed: MapSamples.people)
    let map = """
      records: Person
      entities:
        Person:
          attributes:
            born: {member: birth, date: seconds}
            birth: ~
            source: {value: 7}
            size: {member: shoe_size, type: Decimal}
            shoe_size: ~
          relationships:
            place: ~
            town: place
            friends: {member: friend_ids, by: id, to: Person}
          edit: comment
      """
    try bench.withArchive(map) { archive in
      let entity = archive.schema.entities[0]
      #expect(archive.schema.entities.map(\.name) == ["Person", "Place"])
      #expect(entity.editedAttribute?.name == "comment")
      #expect(entity.links.map(\.name) == ["town"])
      #expect(entity.lists.map(\.name) == ["friends"])
      let values = try person(archive).values
      #expect(values["born"] == .date(86_400 - 978_307_200))
      #expect(values["source"] == .integer(7))
      #expect(values["size"] == .decimal(44))
      #expect(values["birth"] == nil && values["shoe_size"] == nil)
    }
  }

  @Test func `references without a model make rows of a new entity`() throws {
    let bench = try MapBench(feed: #"[{"id":1,"team":"red"},{"id":2,"team":"blue"},{"id":3,"team":"red"}]"#)
    let map = """
      entities:
        Record: {attributes: {team: ~}, relationships: {team: {member: team, by: name, to: Team}}}
      """
    try bench.withArchive(map) { archive in
      let rows = try archive.answer().tables[1].rows
      #expect(rows.map(\.key) == [.string("blue"), .string("red")])
      #expect(archive.schema.entities[1].name == "Team")
    }
  }

  @Test func `an entity that is left out takes its relationships along`() throws {
    let bench = try MapBench(feed: MapSamples.people)
    let mapping = try bench.mapped("entities: {Place: ~}").mapping
    #expect(mapping.entities.map(\.name) == ["Record"])
    #expect(mapping.entities[0].relationships.isEmpty)
  }

  @Test func `a map gives the shape of a feed in place of the detected one`() throws {
    let bench = try MapBench(feed: #"{"a":{"items":{"x":{"n":1},"y":{"n":2}}},"b":[{"q":1},{"q":2},{"q":3}]}"#)
    #expect(try bench.mapped().recordCount == 3)
    let map = "shape: {container: dictionary, path: a.items, keyMember: code}\nentities: {Record: {key: code}}"
    let mapped = try bench.mapped(map)
    #expect(mapped.recordCount == 2)
    #expect(mapped.mapping.entities[0].key == .attributes(["code"]))
    let single = try MapBench(feed: #"{"a":{"b":{"n":1}}}"#)
    #expect(try single.mapped("shape: {container: dictionary, path: a}").recordCount == 1)
  }
}
