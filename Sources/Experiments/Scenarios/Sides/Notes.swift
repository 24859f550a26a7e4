import ContextEngine

/// The model of all scenarios: notes that belong to folders.
package enum Notes {
  /// The model without uniqueness constraints.
  package static let model = ManagedObjectModel([folderDeclaration, noteDeclaration])

  /// The same model with a uniqueness constraint on the key of a note.
  package static let uniqueModel = ManagedObjectModel([
    folderDeclaration,
    .init(
      "Note", attributes: attributes, relationships: [.init("folder", to: "Folder", inverse: "notes")],
      uniquenessConstraints: [["key"]], fetchIndexes: indexes),
  ])

  private static let attributes: [AttributeDescription] = [
    .init("key", .integer64), .init("title", .string), .init("isDone", .boolean, defaultValue: .boolean(false)),
    .init("stars", .integer64, defaultValue: .integer(0)), .init("text", .string),
  ]
  private static let noteDeclaration = ManagedObjectModel.Declaration(
    "Note", attributes: attributes, relationships: [.init("folder", to: "Folder", inverse: "notes")],
    fetchIndexes: indexes)
  private static let indexes = [FetchIndexDescription("byKey", of: "key")]
  private static let folderDeclaration = ManagedObjectModel.Declaration(
    "Folder", attributes: [.init("name", .string)],
    relationships: [.init("notes", to: "Note", inverse: "folder", isToMany: true)])

  /// Returns the name of an object in stories, such as `Note p3`. A temporary ID has a `t` in place of the `p`.
  package static func name(_ objectID: ObjectID) -> String {
    let entity = model.entities[objectID.entityIndex].name
    return objectID.isTemporaryID ? "\(entity) t\(objectID.temporaryNumber)" : "\(entity) p\(objectID.rowKey)"
  }
}

extension ManagedObjectContext {
  /// The entity of notes in the context's model.
  package var noteEntity: EntityDescription { coordinator.model.entity("Note") }

  /// Inserts a note.
  @discardableResult
  package func insertNote(_ key: Int, title: String? = nil) -> ManagedObject {
    let note = insert(noteEntity)
    note["key"] = .integer(Int64(key))
    note["title"] = .string(title ?? "Note \(key)")
    note["text"] = .string("The text of note \(key), which is as long as a short message usually is.")
    return note
  }

  /// Inserts and saves notes with the keys of a range, and then forgets them. Runs in a block of the context and waits
  /// for it.
  ///
  /// - Throws: `PersistenceError` if the save fails.
  package func storeNotes(_ keys: Range<Int>) throws(PersistenceError) {
    try performAndWait { () throws(PersistenceError) in
      for key in keys { insertNote(key) }
      try save()
      reset()
    }
  }

  /// Returns a request for notes, sorted by key.
  package func noteRequest(where predicate: FetchPredicate? = nil) -> FetchRequest {
    FetchRequest(
      noteEntity, predicate: predicate, sortDescriptors: [FetchSortDescriptor(noteEntity.path("key"))])
  }

  /// Returns the stored and pending notes that match a predicate, sorted by key.
  ///
  /// - Throws: `PersistenceError` if the fetch fails.
  package func notes(where predicate: FetchPredicate? = nil) throws(PersistenceError) -> [ManagedObject] {
    Array(try fetch(noteRequest(where: predicate)))
  }

  /// Returns the notes with a key.
  ///
  /// - Throws: `PersistenceError` if the fetch fails.
  package func notes(key: Int) throws(PersistenceError) -> [ManagedObject] {
    try notes(where: .equal(noteEntity.path("key"), .integer(Int64(key))))
  }
}

extension ManagedObject {
  /// The title of a note, or an empty text if it has none.
  package var title: String {
    if case .string(let title) = self["title"] { title } else { "" }
  }
}
