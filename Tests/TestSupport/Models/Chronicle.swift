import ContextEngine
import Foundation

/// The model of the random histories. Its ten entities have every type of attribute, every kind of relationship and
/// delete rule, with and without an inverse, more than 64 slots, inheritance, uniqueness constraints and callbacks, and
/// the objects of one lie in two stores if there are two.
///
/// Each object has a unique number that never changes, by which the plain model and the engine identify it.
package enum Chronicle {
  package static let model = ManagedObjectModel([
    .init(
      "Person",
      attributes: [
        .init("number", .integer64), .init("small", .integer16), .init("middle", .integer32),
        .init("large", .integer64), .init("amount", .decimal), .init("ratio", .double), .init("share", .float),
        .init("flag", .boolean), .init("moment", .date), .init("text", .string), .init("bytes", .binary),
        .init("mark", .uuid), .init("link", .uri),
        .init("box", .transformable, valueTransformer: NumberTransformer()),
      ],
      relationships: [
        .init("house", to: "House", inverse: "residents"),
        .init("passport", to: "Passport", inverse: "person", deleteRule: .cascade),
        .init("friends", to: "Person", inverse: "friends", isToMany: true),
        .init("tags", to: "Tag", inverse: "people", isToMany: true),
        .init("favorite", to: "Song", inverse: nil),
      ]),
    .init(
      "Artist", attributes: [.init("style", .string)],
      relationships: [
        .init("songs", to: "Song", inverse: "artist", isToMany: true, isOrdered: true, deleteRule: .cascade)
      ], superentity: "Person"),
    .init(
      "House",
      attributes: [.init("number", .integer64)] + further + [.init("text", .string), .init("large", .integer64)],
      relationships: [
        .init("residents", to: "Person", inverse: "house", isToMany: true),
        .init("papers", to: "Passport", inverse: nil, isToMany: true, deleteRule: .cascade),
      ]),
    .init(
      "Passport", attributes: [.init("number", .integer64), .init("text", .string)],
      relationships: [.init("person", to: "Person", inverse: "passport")]),
    .init(
      "Tag", attributes: [.init("number", .integer64), .init("text", .string), .init("code", .integer16)],
      relationships: [
        .init("people", to: "Person", inverse: "tags", isToMany: true),
        .init("songs", to: "Song", inverse: "tags", isToMany: true),
      ], uniquenessConstraints: [["code"]]),
    .init(
      "Song", attributes: [.init("number", .integer64)] + further + [.init("large", .integer64)],
      relationships: [
        .init("artist", to: "Artist", inverse: "songs"),
        .init("tags", to: "Tag", inverse: "songs", isToMany: true, isOrdered: true),
      ]),
    .init(
      "Shop", attributes: [.init("number", .integer64), .init("text", .string)],
      relationships: [
        .init("clerks", to: "Clerk", inverse: "shop", isToMany: true, deleteRule: .deny),
        .init("window", to: "Person", inverse: nil, isToMany: true, isOrdered: true),
      ]),
    .init(
      "Clerk", attributes: [.init("number", .integer64), .init("text", .string)],
      relationships: [
        .init("shop", to: "Shop", inverse: "clerks"),
        .init("badges", to: "Badge", inverse: "clerk", isToMany: true, deleteRule: .noAction),
      ], callbacks: tidying),
    .init(
      "Badge", attributes: [.init("number", .integer64), .init("text", .string)],
      relationships: [.init("clerk", to: "Clerk", inverse: "badges")], callbacks: naming),
    .init(
      "Memo", attributes: [.init("number", .integer64), .init("text", .string), .init("code", .integer16)],
      relationships: [
        .init("next", to: "Memo", inverse: "previous"), .init("previous", to: "Memo", inverse: "next"),
        .init("copies", to: "Memo", inverse: "original", isToMany: true),
        .init("original", to: "Memo", inverse: "copies"),
      ], uniquenessConstraints: [["code"]]),
  ])

  /// Attributes that make an entity wider than the 64 slots whose set is a word.
  private static var further: [AttributeDescription] { (0..<66).map { .init("further\($0)", .integer32) } }

  // MARK: Callbacks

  /// The text of a new badge.
  package static let born = Value.string("born")

  private static var naming: EntityCallbacks {
    var callbacks = EntityCallbacks()
    callbacks.awakeFromInsert = { $0["text"] = born }
    return callbacks
  }

  /// Sets a clerk's text once more where that makes another.
  private static var tidying: EntityCallbacks {
    var callbacks = EntityCallbacks()
    callbacks.willSave = { clerk in
      let tidied = tidied(clerk["text"])
      if !clerk.isDeleted, clerk["text"] != tidied { clerk["text"] = tidied }
    }
    return callbacks
  }

  /// Returns the text that a clerk has after a save.
  package static func tidied(_ value: Value) -> Value {
    if case .string(let text) = value { .string(text.uppercased()) } else { value }
  }

  // MARK: Entities

  /// The entities at the top of a table each.
  package static let roots = model.entities.filter { $0.superentity == nil }
}

/// Numbers in boxes.
private struct NumberTransformer: ContextEngine.ValueTransformer {
  let name = "number"

  func transformedValue(_ value: any Hashable & Sendable) -> Data? { (value as? Int).map { Data("\($0)".utf8) } }

  func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? {
    Int(String(decoding: data, as: UTF8.self))
  }
}
