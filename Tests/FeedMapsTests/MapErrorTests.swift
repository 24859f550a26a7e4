import Testing

/// Maps that do not fit their feed or their model. Each error has the file, the line and the field.
@Suite struct MapErrorTests {
  @Test(arguments: [
    (
      "entities:\n  Person:\n    attributes:\n      size: shoesize",
      "map.yaml:4: entities.Person.attributes.size: no record has the member shoesize; did you mean shoe_size?"
    ),
    (
      "entities: {Person: {attributes: {size: place.size}}}",
      "map.yaml:1: entities.Person.attributes.size: no record has the member place.size; use one of name, zip"
    ),
    (
      "entities:\n  Person: {attributes: {shoeSize: shoe_size}}",
      "map.yaml:2: entities.Person.attributes.shoeSize: Person has no such attribute in the model; use one of "
        + "remoteID, title, bornAt, origin, size, photo, remark"
    ),
    (
      "entities: {Person: {relationships: {town: place}}}",
      "map.yaml:1: entities.Person.relationships.town: Person has no such relationship in the model; use one of city, "
        + "friends"
    ),
    (
      "entities: {Persons: {key: id}}",
      "map.yaml:1: entities.Persons: the model has no such entity; did you mean Person?"
    ),
    (
      "entities: {City: {key: name}}",
      "map.yaml:1: entities.City: no relationship leads to it; use one of Person, add a relationship, or "
        + "name it after records"
    ),
    ("records: Town", "map.yaml:1: records: the model has no entity Town; use one of City, Person"),
    (
      "entities: {Person: {attributes: {size: {value: large}}}}",
      "map.yaml:1: entities.Person.attributes.size.value: is large, which is not a valid integer of 16 bits"
    ),
    (
      "entities: {Person: {attributes: {size: {value: 40000}}}}",
      "map.yaml:1: entities.Person.attributes.size.value: is 40000, which is out of the range of integer of 16 bits"
    ),
    (
      "entities: {Person: {attributes: {size: {member: shoe_size, date: seconds}}}}",
      "map.yaml:1: entities.Person.attributes.size: date: seconds needs an attribute of type Date, and size is of type "
        + "Integer 16; leave date out"
    ),
    (
      "entities: {Person: {attributes: {size: {member: shoe_size, type: String}}}}",
      "map.yaml:1: entities.Person.attributes.size.type: String is wrong, because the model has Integer 16; leave it out"
    ),
    (
      "entities: {Person: {key: size}}",
      "map.yaml:1: entities.Person.key: size is not mapped; use one of title, remoteID"
    ),
    (
      "entities: {Person: {key: photo, attributes: {photo: title}}}",
      "map.yaml:1: entities.Person.key: photo is of type Binary, which cannot be a key; use another attribute"
    ),
    (
      "entities: {Person: {key: origin, attributes: {origin: {value: a}}}}",
      "map.yaml:1: entities.Person.key: origin has the same value in all rows; use another attribute"
    ),
    (
      "entities: {Person: {key: {place: origin}}}",
      "map.yaml:1: entities.Person.key: origin is of type String; use an attribute of type Integer 64: use one of "
        + "remoteID"
    ),
    (
      "entities: {Person: {edit: title}}",
      "map.yaml:1: entities.Person.edit: title takes values of the feed; use an attribute that the feed leaves free"
    ),
    (
      "entities: {Person: {edit: bornAt}}",
      "map.yaml:1: entities.Person.edit: bornAt is not an optional attribute of type String without a default; use one of origin, remark"
    ),
    (
      "entities: {Person: {relationships: {city: shoe_size}}}",
      "map.yaml:1: entities.Person.relationships.city: shoe_size contains no objects; use by: with the attribute that "
        + "it contains"
    ),
    (
      "entities: {Person: {key: remoteID, relationships: {friends: {member: friend_ids, by: title}}}}",
      "map.yaml:1: entities.Person.relationships.friends.by: title is not the key of Person, which is remoteID; use the "
        + "key, or give Person the key title"
    ),
    (
      "entities: {Person: {relationships: {city: {member: friend_ids, by: name}}}}",
      "map.yaml:1: entities.Person.relationships.city: friend_ids contains lists, and city is a to-one relationship"
    ),
    (
      "entities: {Person: {relationships: {city: {member: place, to: Person}}}}",
      "map.yaml:1: entities.Person.relationships.city.to: Person is not City and does not inherit from it; use one of "
        + "City"
    ),
    (
      "entities: {Person: {attributes: {origin: ~}}}",
      "map.yaml:1: entities.Person.attributes.origin: is not mapped, so it cannot be left out; use one of title, remoteID"
    ),
    (
      "entities: {Person: {ignore: [shoes]}}",
      "map.yaml:1: entities.Person.ignore: no record has the member shoes; use one of id, title, birth, shoe_size, place, "
        + "friend_ids"
    ),
    (
      "entities: {Person: ~}",
      "map.yaml:1: entities.Person: is the entity of the feed's own records, which cannot be left out"
    ),
  ])
  func `a map that does not fit is refused`(_ map: String, _ expected: String) throws {
    let bench = try MapBench(feed: MapSamples.people, model: MapSamples.model)
    #expect(bench.error(map) == expected)
  }

  @Test(arguments: [
    ("record: A", "map.yaml:1: record: not known; did you mean records? use one of shape, records, entities"),
    (
      "entities:\n  A: {keys: id}",
      "map.yaml:2: entities.A.keys: not known; did you mean key? use one of key, attributes, "
        + "relationships, ignore, edit"
    ),
    (
      "entities: {A: {key: {content: a, place: b}}}",
      "map.yaml:1: entities.A.key: has 2 sources; use one of attributes, "
        + "content, place"
    ),
    ("entities: {A: {key: []}}", "map.yaml:1: entities.A.key: empty; use the names of attributes"),
    ("entities: {A: {attributes: {b: {date: seconds}}}}", "map.yaml:1: entities.A.attributes.b.member: missing"),
    (
      "entities: {A: {attributes: {b: {member: c, value: d}}}}",
      "map.yaml:1: entities.A.attributes.b.value: contradicts "
        + "member; use one of the two"
    ),
    (
      "entities: {A: {attributes: {b: {member: c, date: iso}}}}",
      "map.yaml:1: entities.A.attributes.b.date: iso is not "
        + "known; did you mean iso8601? use one of iso8601, rfc822, seconds, milliseconds"
    ),
    (
      "shape: {container: tree}",
      "map.yaml:1: shape.container: tree is not known; use one of list, lines, dictionary, object"
    ),
    ("entities: [A]", "map.yaml:1: entities: not a mapping; use name: … and the like"),
    ("entities: {A: {}, A: {}}", "map.yaml:1: A: given twice; use it once"),
  ])
  func `a file that is not a map is refused`(_ map: String, _ expected: String) throws {
    #expect(try MapBench(feed: #"[{"id":1}]"#).error(map) == expected)
  }

  @Test func `a cycle of required references is refused`() throws {
    let model = """
      <?xml version="1.0"?><model>
      <entity name="Node"><attribute name="id" attributeType="Integer 64"/>
      <relationship name="next" maxCount="1" deletionRule="Nullify" destinationEntity="Node"/></entity></model>
      """
    let bench = try MapBench(feed: #"[{"id":1,"after":2},{"id":2,"after":1}]"#, model: model)
    let map = "entities: {Node: {key: id, relationships: {next: {member: after, by: id}}}}"
    #expect(
      bench.error(map)
        == "map.yaml:1: entities.Node: the required references Node.next lead back to Node, so that no row can be the "
        + "first; make one of them optional in the model")
  }

  @Test(arguments: [
    ("entities: {Record: {attributes: {\"a b\": id}}}", "a name consists of letters, digits and underscores"),
    ("entities: {Record: {attributes: {note: title}}}", "no error"),
    ("entities: {Record: {attributes: {ID: title}}}", "ID: another property, the key or the attribute"),
    ("records: Brand", "entities.Brand2"),
    ("entities: {Record: {attributes: {id: ~}}}", "entities.Record.key: id is not mapped; use one of title"),
    ("entities: {Other: {edit: a}}", "entities.Other: no relationship leads to it; use one of Record, Brand"),
    (
      "entities: {Record: {relationships: {x: {member: title, by: name}}}}", "x.to: missing; use the name of the entity"
    ),
  ])
  func `a map that does not fit an inferred model is refused`(_ map: String, _ expected: String) throws {
    let bench = try MapBench(feed: #"[{"id":1,"title":"A","brand":{"name":"B"}}]"#)
    let error = bench.error(map)
    if map == "records: Brand" {
      #expect(error == "no error")
      #expect(try bench.mapped(map).mapping.entities.map(\.name) == ["Brand", "Brand2"])
    } else {
      #expect(error.contains(expected), "\(error)")
    }
  }
}
