import ContextEngine
import Foundation

// Reading of columns that are not slots of a row, for the results of dictionary requests.

extension SQLiteStore {
  /// Returns the next value of the statement's current row, and adds its size to `bytes`. The column after an object's
  /// key has the number of the object's entity, or 0.
  ///
  /// - Throws: `.storeIncompatible` if the column holds a value that its property cannot have.
  func value(
    of statement: SQLiteStatement, next: inout Int32, kind: PredicateChecker.Kind, bytes: inout Int
  ) throws(PersistenceError) -> Value {
    let index = next
    let column = statement.column(index)
    next += 1
    if case .object = kind { next += 1 }
    guard column.storageClass != ColumnValue.StorageClass.null else { return .null }
    bytes += column.byteCount
    if case .object = kind, case .object(let objectID) = column.value(of: kind) {
      let number = statement.column(index + 1).integer
      // The number 0 means that the object can be of one entity only.
      if number == 0 { return .object(objectID) }
      guard let entity = entityIndexes[number] else {
        throw PersistenceError(
          .storeIncompatible,
          "column \(index) of a result refers to an object of entity number \(number), which the model does not have",
          sql: statement.sql, path: statement.path)
      }
      return .object(ObjectID(entity: entity, key: objectID.key))
    }
    if kind == .externalData, let content = column.externalContent {
      switch content {
      case .inline(let bytes): return .binary(bytes)
      case .file(let name):
        if let external { return .binary(try external.value(named: name).bytes()) }
      }
    }
    guard let value = column.value(of: kind) else {
      throw PersistenceError(
        .storeIncompatible, "column \(index) of a result has a value that its property cannot hold", sql: statement.sql,
        path: statement.path)
    }
    return value
  }
}

extension ColumnValue {
  /// The size of the value in bytes: 8 for a number, the number of bytes for text and blobs.
  fileprivate var byteCount: Int {
    switch storageClass {
    case StorageClass.text: text.count
    case StorageClass.blob: bytes.count
    default: 8
    }
  }

  private var isInteger: Bool { storageClass == StorageClass.integer }
  private var isNumber: Bool { isInteger || storageClass == StorageClass.float }

  /// Returns the column's value, or nil if an expression of this kind cannot have it.
  fileprivate func value(of kind: PredicateChecker.Kind) -> Value? {
    switch kind {
    case .object(let entity): isInteger ? .object(ObjectID(entity: entity, key: integer)) : nil
    case .number, .anything: isInteger ? .integer(integer) : isNumber ? .double(double) : nil
    case .attribute(let type): value(of: type)
    case .externalData: nil
    }
  }

  private func value(of type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: isInteger ? .integer(integer) : nil
    case .boolean: isInteger ? .boolean(integer != 0) : nil
    case .double, .float: isNumber ? .double(double) : nil
    case .date: isNumber ? .date(double) : nil
    case .decimal: DecimalForm.decimal(in: self).map(Value.decimal)
    case .string: storageClass == StorageClass.text ? .string(String(decoding: text, as: UTF8.self)) : nil
    case .uri:
      storageClass == StorageClass.text ? URL(string: String(decoding: text, as: UTF8.self)).map(Value.uri) : nil
    case .binary, .transformable: storageClass == StorageClass.blob ? .binary(Data(bytes)) : nil
    case .uuid:
      storageClass == StorageClass.blob && bytes.count == MemoryLayout<uuid_t>.size
        ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : nil
    }
  }
}
