import ContextEngine

/// A model for tests of a coordinator with two stores. Folder and Note belong to the configurations of both stores, and
/// Entry belongs to the second configuration only.
package enum Desk {
  package static let model = ManagedObjectModel(
    [
      .init(
        "Folder", attributes: [.init("name", .string)],
        relationships: [.init("notes", to: "Note", inverse: "folder", isToMany: true, deleteRule: .cascade)]),
      .init(
        "Note", attributes: [.init("text", .string), .init("rank", .integer64)],
        relationships: [.init("folder", to: "Folder", inverse: "notes")]),
      .init("Entry", attributes: [.init("text", .string)]),
    ],
    configurations: ["User": ["Folder", "Note"], "Archive": ["Folder", "Note", "Entry"]])
  package static let folder = model.entity("Folder")
  package static let note = model.entity("Note")
  package static let entry = model.entity("Entry")
  package static let notes = folder.path("notes")
  package static let text = note.path("text")
  package static let rank = note.path("rank")
  package static let inFolder = note.path("folder")
}
