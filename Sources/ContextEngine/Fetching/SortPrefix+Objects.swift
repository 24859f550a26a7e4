extension SortPrefix {
  /// Creates the prefix of an object that is not a fault.
  init(of object: ManagedObject, _ recipe: Recipe?) {
    self.init(recipe) { Self.words(of: object, at: $0) }
  }

  /// Reads the words from the object's row, without creating a value.
  private static func words(of object: ManagedObject, at path: PropertyPath) -> Words? {
    object.prepareToRead(path)
    return object.withRow(of: path.slot) { row in row.withSlot(path.slot) { words(in: $0, at: path.slot) } }
  }
}
