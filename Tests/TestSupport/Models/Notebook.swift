import ContextEngine

/// A model for tests of to-many relationships. Notes have tags and ordered steps, albums have ordered pictures, and
/// persons have relationships with persons, some of which are their own inverse.
package enum Notebook {
  package static let model = ManagedObjectModel([
    .init(
      "Note", attributes: [.init("name", .string)],
      relationships: [
        .init("tags", to: "Tag", inverse: "notes", isToMany: true),
        .init("steps", to: "Step", inverse: "note", isToMany: true, isOrdered: true, deleteRule: .cascade),
      ]),
    .init(
      "Tag", attributes: [.init("name", .string)],
      relationships: [.init("notes", to: "Note", inverse: "tags", isToMany: true)]),
    .init(
      "Step", attributes: [.init("name", .string)],
      relationships: [.init("note", to: "Note", inverse: "steps")]),
    .init(
      "Album", attributes: [.init("name", .string)],
      relationships: [
        .init(
          "pictures", to: "Picture", inverse: "albums", isToMany: true, isOrdered: true, deleteRule: .cascade)
      ]),
    .init(
      "Picture", attributes: [.init("name", .string)],
      relationships: [.init("albums", to: "Album", inverse: "pictures", isToMany: true)]),
    .init(
      "Person", attributes: [.init("name", .string)],
      relationships: [
        .init("friends", to: "Person", inverse: "friends", isToMany: true),
        .init("mentors", to: "Person", inverse: "students", isToMany: true, isOrdered: true),
        .init("students", to: "Person", inverse: "mentors", isToMany: true),
        .init("spouse", to: "Person", inverse: "spouse"),
        .init("parent", to: "Person", inverse: "children"),
        .init("children", to: "Person", inverse: "parent", isToMany: true),
      ]),
  ])

  package static let note = model.entity("Note")
  package static let tag = model.entity("Tag")
  package static let step = model.entity("Step")
  package static let album = model.entity("Album")
  package static let picture = model.entity("Picture")
  package static let person = model.entity("Person")

  package static let tags = note.path("tags")
  package static let steps = note.path("steps")
  package static let notes = tag.path("notes")
  package static let stepNote = step.path("note")
  package static let pictures = album.path("pictures")
  package static let albums = picture.path("albums")
  package static let friends = person.path("friends")
  package static let mentors = person.path("mentors")
  package static let students = person.path("students")
  package static let spouse = person.path("spouse")
  package static let parent = person.path("parent")
  package static let children = person.path("children")
}

extension ManagedObjectContext {
  /// Inserts an object with a name.
  @discardableResult
  package func insert(_ entity: EntityDescription, named name: String) -> ManagedObject {
    let object = insert(entity)
    object[entity.path("name")] = .string(name)
    return object
  }

  /// Returns the only object of a name.
  package func named(_ name: String, _ entity: EntityDescription) throws -> ManagedObject {
    let found = try fetch(FetchRequest(entity, predicate: .equal(entity.path("name"), .string(name))))
    guard found.count == 1 else { throw MissingObject(name: name) }
    return found[0]
  }
}

package struct MissingObject: Error {
  package var name: String
}

extension ManagedObject {
  package var name: String {
    if case .string(let name) = self["name"] { name } else { "" }
  }

  /// Returns the names of the members of a relationship, in its order.
  package func names(_ path: PropertyPath) -> [String] { relatedObjects(path).map(\.name) }
}
