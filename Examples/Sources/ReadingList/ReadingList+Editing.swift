import ContextEngine
import MachineCore

extension ReadingList {
  /// Deletes a book, which the callback of its entity announces, and undoes that.
  static func deleteByMistake(_ list: ReadingListModel, in context: ManagedObjectContext) throws {
    print("The user deletes Persuasion, and undoes it.")
    let request = FetchRequest(list.book, predicate: .equal(list.title, .string("Persuasion")))
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      for book in try context.fetch(request) { context.delete(book) }
      context.undo()
      context.undoManager = nil
    }
  }

  /// Keeps a draft in a second store, which is removed with its rows.
  static func keepDraft(
    _ list: ReadingListModel, in context: ManagedObjectContext, _ coordinator: PersistentStoreCoordinator,
    machine: any Machine
  ) throws {
    print("The user writes a draft, which stays in memory.")
    let drafts = InMemoryStore(machine, model: list.model)
    coordinator.addPersistentStore(drafts)
    try context.performAndWait {
      let draft = context.insert(list.book)
      draft.setString("Sanditon", at: list.title)
      context.assign(draft, to: drafts)
      try context.save()
      print("The two stores have \(try context.count(for: FetchRequest(list.book))) books.")
    }
    try coordinator.removePersistentStore(drafts)
    try context.performAndWait {
      print("The file has \(try context.count(for: FetchRequest(list.book))) books.")
    }
  }
}
