import MachineCore

// MARK: - Faults that stand in for objects to come

extension ManagedObjectContext {
  /// Turns a stand-in fault into an object that has now arrived. The fault was made for an ID of a context below before
  /// that context saved.
  ///
  /// References to the fault thereby refer to the new object. If the fault has changes, it is retired instead and the
  /// new object stays registered.
  ///
  /// - Parameters:
  ///   - standIn: The fault that was registered under the ID.
  ///   - new: The object that was just made and registered under the ID. It is retired unless it stays.
  ///   - flags: The flags that the object gets.
  /// - Returns: The object that is registered under the ID afterwards.
  func settle(
    _ standIn: ManagedObject, inPlaceOf new: ManagedObject, flags: ManagedObject.Flags
  ) -> ManagedObject {
    if standIn.hasChanges {
      retire(standIn)
      return new
    }
    retire(new)
    registry.register(standIn)
    retainedObjects?.removeAll { $0 === new }
    standIn.touch()
    standIn.becomeBlankAgain(flags)
    return standIn
  }
}
