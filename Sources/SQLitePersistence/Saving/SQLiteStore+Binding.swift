import ContextEngine

// Binding of the values of rows to the parameters of the statements that write them.

extension SQLiteStore {
  /// Binds the values of some slots, each to as many parameters as it has columns, and returns the parameter after the
  /// last one.
  ///
  /// `external` binds a slot whose value may be stored in an external file to a parameter.
  @discardableResult
  func bind(
    slots: SlotSet, of table: EntityTable, to statement: SQLiteStatement, from first: Int32, value: (Int) -> Value,
    external: (Int, Int32) throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> Int32 {
    var parameter = first
    for slot in 0..<table.columns.count where slots.contains(slot) {
      guard table.columns[slot].isStored else { continue }
      if table.columns[slot].isExternal {
        try external(slot, parameter)
      } else {
        try statement.bind(value(slot), at: parameter)
        if table.columns[slot].entityColumn != nil {
          parameter += 1
          try bindEntity(of: value(slot), to: statement, at: parameter)
        }
      }
      parameter += 1
    }
    return parameter
  }

  /// Binds the values of some slots of a row, and returns the parameter after the last one.
  ///
  /// `key` is the key of the row. `references` has the files to which the rows in the table refer now, by key and slot.
  @inline(__always)
  func bind(
    _ row: Row, of table: EntityTable, slots: SlotSet, to statement: SQLiteStatement, from first: Int32,
    external: ExternalChanges?, key: Int64, insteadOf references: [Int64: [Int: String]] = [:]
  ) throws(PersistenceError) -> Int32 {
    if table.isPlain {
      var parameter = first
      try slots.forEach(below: table.columns.count) { slot throws(PersistenceError) in
        try statement.bind(row, slot: slot, at: parameter)
        parameter += 1
      }
      return parameter
    }
    return try bind(slots: slots, of: table, to: statement, from: first, value: row.value) {
      (slot, parameter) throws(PersistenceError) in
      let place = ExternalChanges.Place(table: table, key: key, slot: slot, version: row.version)
      try bindExternal(
        ExternalValue(row, at: slot), at: place, insteadOf: references[key]?[slot], external: external, to: statement,
        at: parameter)
    }
  }

  /// Binds the entity number of the object that a to-one relationship refers to, or NULL if there is no object.
  private func bindEntity(of value: Value, to statement: SQLiteStatement, at parameter: Int32) throws(PersistenceError)
  {
    guard case .object(let target) = value else { return try statement.bindNull(at: parameter) }
    try statement.bind(table(of: target).number, at: parameter)
  }
}
