import MachineCore

// MARK: - Reading and setting by type

// These functions avoid creating a `Value`. They are for importers and lists, which know the types of what they read
// and write.
extension ManagedObject {
  /// Returns the value of an attribute of one of the integer types, or nil if it is null. Fires the object if it is a
  /// fault.
  ///
  /// Traps, as do the other functions for reading by type, for a path of another entity and for a property of another
  /// type.
  public func integer(at path: PropertyPath) -> Int64? {
    reading(path, ofType: { $0.isInteger }) { $0.integer(at: path.slot) }
  }

  /// Returns the value of a double or float attribute, or nil if it is null.
  public func double(at path: PropertyPath) -> Double? {
    reading(path, ofType: { $0 == .double || $0 == .float }) { $0.double(at: path.slot) }
  }

  /// Returns a date as seconds since 2001-01-01 00:00 UTC, or nil if it is null.
  public func date(at path: PropertyPath) -> Double? {
    reading(path, ofType: { $0 == .date }) { $0.double(at: path.slot) }
  }

  /// Returns the value of a Boolean attribute, or nil if it is null.
  public func boolean(at path: PropertyPath) -> Bool? {
    reading(path, ofType: { $0 == .boolean }) { $0.boolean(at: path.slot) }
  }

  /// Returns the value of a string attribute, or nil if it is null.
  public func string(at path: PropertyPath) -> String? {
    reading(path, ofType: { $0 == .string }) { $0.string(at: path.slot) }
  }

  /// Sets an attribute of one of the integer types, or sets it to null if `number` is nil. Setting an equal value does
  /// not change the object.
  public func setInteger(_ number: Int64?, at path: PropertyPath) {
    // The attribute's type decides whether the number fits.
    self[path] = number.map(Value.integer) ?? .null
  }

  /// Sets a double or float attribute, or sets it to null if `number` is nil.
  public func setDouble(_ number: Double?, at path: PropertyPath) {
    self[path] = number.map(Value.double) ?? .null
  }

  /// Sets a date to seconds since 2001-01-01 00:00 UTC, or to null if `seconds` is nil.
  public func setDate(_ seconds: Double?, at path: PropertyPath) {
    self[path] = seconds.map(Value.date) ?? .null
  }

  /// Sets a Boolean attribute, or sets it to null if `isTrue` is nil.
  public func setBoolean(_ isTrue: Bool?, at path: PropertyPath) {
    self[path] = isTrue.map(Value.boolean) ?? .null
  }

  /// Sets a string attribute, or sets it to null if `string` is nil.
  public func setString(_ string: String?, at path: PropertyPath) {
    self[path] = string.map(Value.string) ?? .null
  }

  @inline(__always)
  private func reading<Result>(
    _ path: PropertyPath, ofType isRight: (AttributeType) -> Bool, body: (borrowing Row) -> Result
  ) -> Result {
    check(path)
    guard path.kind == .attribute, withEntity({ isRight($0.attributeTypes[path.slot]) }) else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) was read as a value of another type")
    }
    touch()
    return withRow(of: path.slot, body)
  }
}
