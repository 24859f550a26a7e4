import MachineCore

/// The objects that other parts of the engine keep with a coordinator, at most one of each type.
///
/// A coordinator has no references to the types that depend on it: lists that controllers have fetched, observations
/// of remote changes, contexts that merge automatically. Each of these creates its object at the first use and finds
/// it here later. Thread-safe.
final class AssociatedObjects: Sendable {
  private let objects = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Returns the object of the given type, which `make` makes at the first use. O(1).
  func object<Object: AnyObject & Sendable>(of type: Object.Type, orMake make: () -> Object) -> Object {
    objects.withLock { objects in
      if let known = objects[ObjectIdentifier(type)] { return unsafeDowncast(known, to: Object.self) }
      let object = make()
      objects[ObjectIdentifier(type)] = object
      return object
    }
  }
}
