import CSQLite
import ContextEngine
import Foundation
import MachineCore

/// A list of values bound to one parameter of a statement: keys for `IN`, of any length, without a temporary table.
///
/// `… IN (SELECT value FROM Z_LIST(?))` reads it through a table-valued function, so the text of a statement does not
/// depend on the length of the list. Core Data does the same with its integer arrays (`_Z_intarray0`).
final class SQLiteList {
  /// The type of bound pointers, which guards against pointers bound by other code (`sqlite3_bind_pointer`).
  static var pointerType: UnsafePointer<CChar> {
    // The string lives as long as the process, as SQLite requires.
    UnsafeRawPointer(pointerTypeName.utf8Start).assumingMemoryBound(to: CChar.self)
  }
  private static let pointerTypeName: StaticString = "ContextEngine.list"

  private let elements: Elements
  /// The strings of the list, or nil if it is only read.
  private let strings: StringTable?

  private enum Elements {
    case keys([Int64])
    case values([Value])
  }

  init(keys: [Int64]) {
    elements = .keys(keys)
    strings = nil
  }

  /// Creates a list of values without `.null`, which `IN` does not find.
  init(values: [Value]) {
    elements = .values(values)
    strings = nil
  }

  /// Creates a list of strings for `Z_LISTED`.
  init(strings: [Value]) {
    elements = .values(strings)
    self.strings = StringTable(strings)
  }

  var count: Int {
    switch elements {
    case .keys(let keys): keys.count
    case .values(let values): values.count
    }
  }

  /// Returns true if a string with these UTF-8 bytes is in the list. O(1) in the list.
  func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool { strings?.contains(text) ?? false }

  /// Passes the value at `index` to SQLite as the value of a column.
  fileprivate func putResult(at index: Int, into context: OpaquePointer?) {
    switch elements {
    case .keys(let keys): sqlite3_result_int64(context, keys[index])
    case .values(let values):
      switch values[index] {
      case .null: sqlite3_result_null(context)
      case .integer(let value): sqlite3_result_int64(context, value)
      case .boolean(let value): sqlite3_result_int64(context, value ? 1 : 0)
      case .object(let objectID): sqlite3_result_int64(context, objectID.key)
      case .double(let value), .date(let value): sqlite3_result_double(context, value)
      case .decimal(let value): put(DecimalForm(value), into: context)
      case .string(let value): Self.putText(value, into: context)
      case .uri(let value): Self.putText(value.absoluteString, into: context)
      case .binary(let data): data.withUnsafeBytes { putBlob($0, into: context) }
      case .uuid(let value): withUnsafeBytes(of: value.uuid) { putBlob($0, into: context) }
      case .transformable(let value):
        trapMisuse("\(value) was put into a list before its transformer converted it to bytes")
      }
    }
  }

  private func put(_ form: DecimalForm, into context: OpaquePointer?) {
    switch form {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .text(let value): Self.putText(value, into: context)
    }
  }

  private func putBlob(_ bytes: UnsafeRawBufferPointer, into context: OpaquePointer?) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_result_zeroblob(context, 0)
      return
    }
    sqlite3_result_blob64(context, start, UInt64(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  static func putText(_ text: String, into context: OpaquePointer?) {
    var text = text
    text.withUTF8 { bytes in
      // SQLITE_TRANSIENT makes SQLite copy the text. A nil address would mean NULL, so an empty string gets an address
      // too.
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafePointer(to: CChar(0)) { empty in
          sqlite3_result_text64(
            context, characters.baseAddress ?? empty, UInt64(characters.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
        }
      }
    }
  }
}

// MARK: - The table-valued function

/// The table-valued function `Z_LIST(list)` with its one visible column `value`.
enum SQLiteListTable {
  static let name = "Z_LIST"

  /// The right side of `IN` for a list that is bound to a parameter.
  static let selection = "(SELECT value FROM \(name)(?))"

  static func register(on database: DatabaseHandle) -> Int32 {
    sqlite3_create_module_v2(database.pointer, name, listModule, nil, nil)
  }
}

/// A cursor as SQLite and the functions below see it. SQLite requires its part to come first; Swift keeps the order of
/// stored properties.
private struct ListCursor {
  var base = sqlite3_vtab_cursor()
  var list: UnsafeMutableRawPointer?
  var index = 0
  var count = 0
}

/// The hidden column that takes the argument of the function.
private let argumentColumn: Int32 = 1

private func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<ListCursor>? {
  UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: ListCursor.self)
}

private func chooseIndex(_ info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
  for index in 0..<Int(info.pointee.nConstraint) {
    let constraint = info.pointee.aConstraint[index]
    guard constraint.iColumn == argumentColumn, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
    // The list requires its argument, so SQLite must look for another plan.
    guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
    info.pointee.aConstraintUsage[index].argvIndex = 1
    info.pointee.aConstraintUsage[index].omit = 1
    info.pointee.estimatedCost = 1
    info.pointee.estimatedRows = 100
  }
  return SQLITE_OK
}

// `nonisolated(unsafe)`: initialised once before it is read and never freed, since SQLite keeps the address.
nonisolated(unsafe) private let listModule: UnsafeMutablePointer<sqlite3_module> = {
  var module = sqlite3_module()
  // The module has no xCreate, so the table exists by itself and only as a function.
  module.xConnect = { database, _, _, _, table, _ in
    let code = sqlite3_declare_vtab(database, "CREATE TABLE x(value, list HIDDEN)")
    guard code == SQLITE_OK else { return code }
    let new = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
    new.initialize(to: sqlite3_vtab())
    table?.pointee = new
    return SQLITE_OK
  }
  module.xDisconnect = { table in
    table?.deallocate()
    return SQLITE_OK
  }
  module.xBestIndex = { _, info in info.map(chooseIndex) ?? SQLITE_ERROR }
  module.xOpen = { _, opened in
    let new = UnsafeMutablePointer<ListCursor>.allocate(capacity: 1)
    new.initialize(to: ListCursor())
    opened?.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.xClose = { base in
    cursor(base)?.deallocate()
    return SQLITE_OK
  }
  module.xFilter = { base, _, _, count, arguments in
    guard let cursor = cursor(base) else { return SQLITE_ERROR }
    let list = count == 1 ? sqlite3_value_pointer(arguments?[0], SQLiteList.pointerType) : nil
    cursor.pointee.list = list
    cursor.pointee.index = 0
    cursor.pointee.count = list.map { Unmanaged<SQLiteList>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.count } } ?? 0
    return SQLITE_OK
  }
  module.xNext = { base in
    cursor(base)?.pointee.index += 1
    return SQLITE_OK
  }
  module.xEof = { base in
    guard let cursor = cursor(base) else { return 1 }
    return cursor.pointee.index >= cursor.pointee.count ? 1 : 0
  }
  module.xColumn = { base, context, column in
    guard column != argumentColumn, let cursor = cursor(base), let list = cursor.pointee.list else { return SQLITE_OK }
    Unmanaged<SQLiteList>.fromOpaque(list)._withUnsafeGuaranteedRef {
      $0.putResult(at: cursor.pointee.index, into: context)
    }
    return SQLITE_OK
  }
  module.xRowid = { base, rowid in
    rowid?.pointee = Int64(cursor(base)?.pointee.index ?? 0)
    return SQLITE_OK
  }
  let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  pointer.initialize(to: module)
  return pointer
}()
