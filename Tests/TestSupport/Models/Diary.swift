import ContextEngine

/// A model for tests of the life cycle. Its entity is Entry, whose callbacks write to a journal. A test can add others.
package struct Diary: Sendable {
  package let model: ManagedObjectModel
  package let journal = Journal<String>()

  /// Creates a model whose entity has callbacks of the given kinds that write to the journal. `amend` adds callbacks to
  /// them, or replaces them.
  package init(
    writing kinds: Set<Kind> = Set(Kind.allCases), amend: (inout EntityCallbacks) -> Void = { _ in }
  ) {
    var callbacks = Self.callbacks(writing: kinds, to: journal)
    amend(&callbacks)
    model = Self.model(callbacks)
  }

  package enum Kind: String, CaseIterable {
    case awakeFromInsert
    case awakeFromFetch
    case awakeFromSnapshotEvents
    case prepareForDeletion
    case willSave
    case didSave
    case turningIntoFault
  }

  /// Returns the callbacks since the last time.
  package func read() -> [String] {
    let entries = journal.entries
    journal.clear()
    return entries
  }

  package var entity: EntityDescription { model.entity("Entry") }

  package static func model(_ callbacks: EntityCallbacks) -> ManagedObjectModel {
    ManagedObjectModel([
      .init(
        "Entry",
        attributes: [.init("text", .string, defaultValue: .string("new")), .init("length", .integer64)],
        relationships: [
          .init("previous", to: "Entry", inverse: "next"), .init("next", to: "Entry", inverse: "previous"),
        ],
        callbacks: callbacks)
    ])
  }

  private static func callbacks(writing kinds: Set<Kind>, to journal: Journal<String>) -> EntityCallbacks {
    let write = { @Sendable (what: String, object: ManagedObject) in
      let context = object.managedObjectContext?.name ?? "nowhere"
      journal.write("\(what) in \(context)")
    }
    var callbacks = EntityCallbacks()
    if kinds.contains(.awakeFromInsert) { callbacks.awakeFromInsert = { write("awakeFromInsert", $0) } }
    if kinds.contains(.awakeFromFetch) { callbacks.awakeFromFetch = { write("awakeFromFetch", $0) } }
    if kinds.contains(.awakeFromSnapshotEvents) {
      callbacks.awakeFromSnapshotEvents = { write("awake from \(Self.name(of: $1))", $0) }
    }
    if kinds.contains(.prepareForDeletion) { callbacks.prepareForDeletion = { write("prepareForDeletion", $0) } }
    if kinds.contains(.willSave) { callbacks.willSave = { write("willSave", $0) } }
    if kinds.contains(.didSave) { callbacks.didSave = { write("didSave", $0) } }
    if kinds.contains(.turningIntoFault) {
      callbacks.willTurnIntoFault = { write("willTurnIntoFault", $0) }
      callbacks.didTurnIntoFault = { write("didTurnIntoFault", $0) }
    }
    return callbacks
  }

  private static func name(of events: SnapshotEvents) -> String {
    switch events {
    case .undoInsertion: "undoInsertion"
    case .undoDeletion: "undoDeletion"
    case .undoUpdate: "undoUpdate"
    case .rollback: "rollback"
    case .refresh: "refresh"
    case .mergePolicy: "mergePolicy"
    default: "\(events.rawValue)"
    }
  }
}
