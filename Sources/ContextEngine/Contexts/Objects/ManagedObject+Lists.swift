// MARK: - Going over many objects

extension [ManagedObject] {
  /// Calls `body` with each object. The list keeps them, so that no reference is counted on the way.
  @inline(__always)
  func forEachHeld(_ body: (ManagedObject) -> Void) {
    withUnsafeBufferPointer { objects in
      let references = UnsafeRawBufferPointer(objects).bindMemory(to: Unmanaged<ManagedObject>.self)
      for reference in references { reference._withUnsafeGuaranteedRef(body) }
    }
  }

  /// Calls `body` with the objects in their places, likewise.
  @inline(__always)
  func withHeldReferences(_ body: (UnsafeBufferPointer<Unmanaged<ManagedObject>>) -> Void) {
    withUnsafeBufferPointer { body(UnsafeRawBufferPointer($0).bindMemory(to: Unmanaged<ManagedObject>.self)) }
  }

  /// Whether all objects satisfy a condition; like `forEachHeld`.
  @inline(__always)
  func allHeld(_ condition: (ManagedObject) -> Bool) -> Bool {
    withUnsafeBufferPointer { objects in
      let references = UnsafeRawBufferPointer(objects).bindMemory(to: Unmanaged<ManagedObject>.self)
      return references.allSatisfy { $0._withUnsafeGuaranteedRef(condition) }
    }
  }

  /// Appends objects; a list without any becomes the other list, which counts a reference to that and none to each object.
  mutating func append(allOf objects: [ManagedObject]) {
    if isEmpty { self = objects } else { self += objects }
  }

  /// The objects that satisfy a condition: the list itself where all do.
  func thoseHeld(_ condition: (ManagedObject) -> Bool) -> [ManagedObject] {
    allHeld(condition) ? self : filter(condition)
  }

  /// Their IDs.
  var heldObjectIDs: [ObjectID] {
    // The array of nothing is one for all threads, and making it this way would write its count.
    isEmpty
      ? []
      : [ObjectID](unsafeUninitializedCapacity: count) { objectIDs, initializedCount in
        forEachHeld { object in
          objectIDs.initializeElement(at: initializedCount, to: object.objectID)
          initializedCount += 1
        }
      }
  }
}
