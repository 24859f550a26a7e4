import ContextEngine
import Testing

/// A model of relationships to many: many-to-many, ordered at one end or at none, of entities with themselves, and ones that
/// are their own inverse.
enum Notebook {
  static let model = ManagedObjectModel([
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

  static let note = model.entity("Note")
  static let tag = model.entity("Tag")
  static let step = model.entity("Step")
  static let album = model.entity("Album")
  static let picture = model.entity("Picture")
  static let person = model.entity("Person")

  static let tags = note.path("tags")
  static let steps = note.path("steps")
  static let notes = tag.path("notes")
  static let stepNote = step.path("note")
  static let pictures = album.path("pictures")
  static let albums = picture.path("albums")
  static let friends = person.path("friends")
  static let mentors = person.path("mentors")
  static let students = person.path("students")
  static let spouse = person.path("spouse")
  static let parent = person.path("parent")
  static let children = person.path("children")
}

extension ManagedObjectContext {
  /// A new object with a name.
  @discardableResult
  func insert(_ entity: EntityDescription, named name: String) -> ManagedObject {
    let object = insert(entity)
    object[entity.path("name")] = .string(name)
    return object
  }

  /// The only object of a name.
  func named(_ name: String, _ entity: EntityDescription) throws -> ManagedObject {
    let found = try fetch(FetchRequest(entity, predicate: .equal(entity.path("name"), .string(name))))
    guard found.count == 1 else { throw MissingObject(name: name) }
    return found[0]
  }

  /// Expects that the object of a name has these members in a relationship, in this order.
  func expect(
    _ name: String, _ entity: EntityDescription, leadsTo names: [String], by path: PropertyPath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try named(name, entity).names(path) == names, "\(self.name)", sourceLocation: sourceLocation)
  }
}

struct MissingObject: Error {
  var name: String
}

extension ManagedObject {
  var name: String {
    if case .string(let name) = self["name"] { name } else { "" }
  }

  /// The names of the members of a relationship, in its order.
  func names(_ path: PropertyPath) -> [String] { relatedObjects(path).map(\.name) }
}
