import ContextEngine

extension TreeHistory {
  /// The number that identifies a book in the model. The book's `year` stores it, which histories do not change.
  typealias Serial = Int64

  /// The values of a book that histories change: title, note, and the key of the author.
  typealias Record = [Value]

  /// The expected contents of one level.
  final class Level {
    let name: String
    let parent: Level?
    let context: ManagedObjectContext
    /// The objects that the history retains. A context keeps other objects only while they have changes.
    var held: [Serial: ManagedObject] = [:]
    /// The books that have values at this level and keep them.
    var realised: [Serial: Entry] = [:]
    var inserted: Set<Serial> = []
    var deleted: Set<Serial> = []
    /// The deleted books of which a change was merged.
    var outdated: Set<Serial> = []

    struct Entry {
      /// The values that a rollback restores.
      var base: Record
      var record: Record
      /// The properties that were changed at this level.
      var changed: Set<Int> = []
    }

    init(_ name: String, _ parent: Level?, _ context: ManagedObjectContext) {
      self.name = name
      self.parent = parent
      self.context = context
    }

    var updated: Set<Serial> {
      Set(realised.filter { !$0.value.changed.isEmpty }.keys).subtracting(inserted).subtracting(deleted)
    }

    /// Removes the books whose objects the context has released.
    func prune() {
      outdated.formIntersection(deleted)
      held = held.filter { !$0.value.isDeleted || deleted.contains($0.key) }
      realised = realised.filter { serial, entry in
        held[serial] != nil || inserted.contains(serial) || deleted.contains(serial) || !entry.changed.isEmpty
      }
    }

    func forget(_ serial: Serial) {
      held[serial] = nil
      realised[serial] = nil
      inserted.remove(serial)
      deleted.remove(serial)
    }
  }
}
