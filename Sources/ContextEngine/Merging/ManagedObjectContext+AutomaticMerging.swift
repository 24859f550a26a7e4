import MachineCore

// MARK: - Automatic merging

extension ManagedObjectContext {
  /// Indicates whether saves of the parent context, or of other contexts of the coordinator, are merged into this
  /// context. Each save is merged in a later block on this context's queue.
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically }
    set {
      if newValue {
        if concurrencyType == .confinement {
          trapMisuse(
            "context \(name) is confined to a thread and cannot merge automatically, because no block can be posted "
              + "to it"
          )
        }
        checkMergesAutomatically()
      }
      mergesAutomatically = newValue
      automaticMerging.remove(self)
      if newValue { automaticMerging.add(self) { context, save in context.merge(save) } }
    }
  }
}
