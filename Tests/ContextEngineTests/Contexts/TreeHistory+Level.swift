import ContextEngine

extension TreeHistory {
  /// The number by which the model knows a book; kept in its `year`, which histories do not change.
  typealias Serial = Int64

  /// The values of a book that histories change: title, note, and the key of the author.
  typealias Record = [Value]

  /// What one level holds.
  final class Level {
    let name: String
    let parent: Level?
    let context: ManagedObjectContext
    /// The objects that the history holds; others stay in their context while they have changes only.
    var held: [Serial: ManagedObject] = [:]
    /// What has values here, and stays.
    var realised: [Serial: Entry] = [:]
    var inserted: Set<Serial> = []
    var deleted: Set<Serial> = []

    struct Entry {
      /// What a rollback goes back to.
      var base: Record
      var record: Record
      /// The properties changed here.
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

    /// Lets go of what the context has let go of.
    func prune() {
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
