import MachineCore

// MARK: - Faults that stand in for objects to come

extension ManagedObjectContext {
  /// Makes a fault, which somebody had made for an ID of a context below before that saved, the object that was to come.
  ///
  /// So that whoever has it has what came. An object that has changes of its own ends instead, and the new one stays.
  ///
  /// - Parameter new: the object that was just made and registered under the ID; it ends, unless it stays.
  /// - Returns: the one that is registered now.
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
