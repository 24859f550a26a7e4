import ContextEngine
import MachineCore

/// The objects that a row's steps hold, by the context that they belong to.
// `@unchecked Sendable`: the objects of a context are touched on its queue only, and the lists of the two contexts are
// behind a lock.
final class HeldObjects: @unchecked Sendable {
  private let lists = Guarded(Lists())

  fileprivate struct Lists: @unchecked Sendable {
    var importing: [[ManagedObject]] = []
    var ui: [[ManagedObject]] = []
  }

  func hold(_ objects: [ManagedObject], of party: PublishedTable.Party) {
    lists.withLock { lists in
      switch party {
      case .importing: lists.importing.append(objects)
      case .ui: lists.ui.append(objects)
      }
    }
  }

  /// Returns the objects that are held for a context, in the order of the steps.
  func objects(of party: PublishedTable.Party) -> [ManagedObject] {
    lists.withLock { $0.list(of: party).flatMap(\.self) }
  }

  /// Releases the objects that are held for a context. Call it on the context's queue.
  func release(_ party: PublishedTable.Party) {
    // The objects are deallocated here, outside the lock.
    let released = lists.withLock { lists in
      defer {
        switch party {
        case .importing: lists.importing = []
        case .ui: lists.ui = []
        }
      }
      return lists.list(of: party)
    }
    withExtendedLifetime(released) {}
  }
}

extension HeldObjects.Lists {
  fileprivate func list(of party: PublishedTable.Party) -> [[ManagedObject]] {
    switch party {
    case .importing: importing
    case .ui: ui
    }
  }
}
