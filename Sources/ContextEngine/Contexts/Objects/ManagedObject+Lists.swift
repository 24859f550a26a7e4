// MARK: - Going over many objects

extension [ManagedObject] {
  /// Calls `body` with each object. The list keeps the objects alive, so they are not retained individually.
  @inline(__always)
  func forEachHeld(_ body: (ManagedObject) -> Void) {
    withUnsafeBufferPointer { objects in
      let references = UnsafeRawBufferPointer(objects).bindMemory(to: Unmanaged<ManagedObject>.self)
      for reference in references { reference._withUnsafeGuaranteedRef(body) }
    }
  }

  /// Calls `body` with a buffer of references to the objects, which are not retained individually.
  @inline(__always)
  func withHeldReferences(_ body: (UnsafeBufferPointer<Unmanaged<ManagedObject>>) -> Void) {
    withUnsafeBufferPointer { body(UnsafeRawBufferPointer($0).bindMemory(to: Unmanaged<ManagedObject>.self)) }
  }

  /// Returns true if all objects satisfy a condition, without retaining them individually.
  @inline(__always)
  func allHeld(_ condition: (ManagedObject) -> Bool) -> Bool {
    withUnsafeBufferPointer { objects in
      let references = UnsafeRawBufferPointer(objects).bindMemory(to: Unmanaged<ManagedObject>.self)
      return references.allSatisfy { $0._withUnsafeGuaranteedRef(condition) }
    }
  }

  /// Appends objects. An empty list becomes the other list itself, so that its objects are not retained individually.
  mutating func append(allOf objects: [ManagedObject]) {
    if isEmpty { self = objects } else { self += objects }
  }

  /// Returns the objects that satisfy a condition. If all do, the result is the list itself.
  func thoseHeld(_ condition: (ManagedObject) -> Bool) -> [ManagedObject] {
    allHeld(condition) ? self : filter(condition)
  }

  /// The IDs of the objects.
  var heldObjectIDs: [ObjectID] {
    // The empty array is shared by all threads, and creating it this way would write its count.
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
