import ContextEngine

// MARK: - Columns with values that their properties cannot have

extension RowReader {
  /// Returns the error for a column that holds a value which its property cannot have.
  func wrongStorage(_ column: Column, in statement: SQLiteStatement) -> PersistenceError {
    let key = statement.column(Self.keyColumn).integer
    let storageClass = statement.column(column.index).storageClass
    let property = "\(entity.name).\(entity.slots[column.slot].name)"
    let tableColumn = tableColumns[column.slot]
    let message: String
    if column.decoding == .polymorphicToOne, storageClass == ColumnValue.StorageClass.integer {
      message =
        "the row with key \(key) of table \(tableName) refers to an object of entity number "
        + "\(statement.column(column.index + 1).integer), which the model does not have"
    } else if column.decoding == .external, storageClass == ColumnValue.StorageClass.blob {
      message =
        "column \(tableColumn.name) of table \(tableName) holds neither a value nor a reference to a file in the row "
        + "with key \(key): \(property) allows external storage, so that its bytes have a mark before them"
    } else {
      let found =
        switch storageClass {
        case ColumnValue.StorageClass.integer: "an integer"
        case ColumnValue.StorageClass.float: "a floating-point number"
        case ColumnValue.StorageClass.text: "text"
        default: "a blob"
        }
      message =
        "column \(tableColumn.name) of table \(tableName) holds \(found) in the row with key \(key); "
        + "\(property) is stored as \(tableColumn.storage.rawValue)"
    }
    return PersistenceError(
      .storeIncompatible, message, objectIDs: [ObjectID(entity: entity.index, key: key)], sql: statement.sql,
      path: statement.path)
  }
}
