import CSQLite
import ContextEngine

/// The SQL functions that compare and sort strings with the same code as predicates in memory.
///
/// Core Data has other functions for the same purpose (`NSCoreDataStringSearch`, `NSCoreDataLike`, …). Each function is
/// deterministic, so that SQLite may call it once if its arguments do not change.
enum SQLiteTextFunctions {
  /// `Z_MATCHES(text, matcher)` returns whether a string passes a test that was bound as a pointer, or NULL for NULL.
  static let matches = "Z_MATCHES"
  /// `Z_LISTED(text, list)` returns whether a string is in a list that was bound as a pointer, or NULL for NULL.
  static let listed = "Z_LISTED"
  /// `Z_SEARCH(text, pattern, operation, options)` returns the same for a pattern that can differ from row to row.
  static let search = "Z_SEARCH"
  /// `Z_FOLD(text, options)` returns a string without the case or the diacritics that the options ignore.
  static let fold = "Z_FOLD"
  /// `Z_SORTKEY(text, order)` returns the bytes by which a string is sorted.
  static let sortKey = "Z_SORTKEY"
  /// `Z_DERIVE(value, function)` returns the result of a derived attribute's function for a string, or the nearest
  /// `Float` for a number.
  static let derive = "Z_DERIVE"

  /// The type of bound pointers, which guards against pointers bound by other code (`sqlite3_bind_pointer`).
  static var pointerType: UnsafePointer<CChar> {
    // The string lives as long as the process, as SQLite requires.
    UnsafeRawPointer(pointerTypeName.utf8Start).assumingMemoryBound(to: CChar.self)
  }
  private static let pointerTypeName: StaticString = "ContextEngine.matcher"

  /// Returns the text of a statement with `IN` in place of `Z_LISTED`, or nil if the statement has no such function.
  static func shown(_ sql: String) -> String? {
    let parts = sql.split(separator: "\(listed)(", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      let end = part.firstRange(of: ", ?)") ?? part.endIndex..<part.endIndex
      text += part[..<end.lowerBound] + " IN \(SQLiteListTable.selection)" + part[end.upperBound...]
    }
  }

  /// Registers the functions. The texts that they test are counted in `events`, which must live as long as the
  /// connection.
  static func register(on database: DatabaseHandle, events: SQLiteConnectionEvents) -> Int32 {
    let counter = Unmanaged.passUnretained(events).toOpaque()
    for (name, count, function) in functions {
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
      let code = sqlite3_create_function_v2(database.pointer, name, count, flags, counter, function, nil, nil, nil)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static let functions: [(name: String, argumentCount: Int32, Function)] = [
    (
      matches, 2,
      { context, _, arguments in
        guard let arguments, let text = SQLiteTextFunctions.bytes(arguments[0]),
          let pointer = sqlite3_value_pointer(arguments[1], SQLiteTextFunctions.pointerType)
        else { return sqlite3_result_null(context) }
        SQLiteTextFunctions.countText(context)
        let isMatch = Unmanaged<TextMatcher>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.matches(utf8: text) }
        sqlite3_result_int(context, isMatch ? 1 : 0)
      }
    ),
    (
      listed, 2,
      { context, _, arguments in
        guard let arguments, let text = SQLiteTextFunctions.bytes(arguments[0]),
          let pointer = sqlite3_value_pointer(arguments[1], SQLiteList.pointerType)
        else { return sqlite3_result_null(context) }
        let isListed = Unmanaged<SQLiteList>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.contains(text) }
        sqlite3_result_int(context, isListed ? 1 : 0)
      }
    ),
    (
      search, 4,
      { context, _, arguments in
        guard let arguments, let text = SQLiteTextFunctions.text(arguments[0]),
          let pattern = SQLiteTextFunctions.text(arguments[1]),
          let operation = TextOperation(rawValue: sqlite3_value_int(arguments[2]))
        else { return sqlite3_result_null(context) }
        SQLiteTextFunctions.countText(context)
        let options = ComparisonOptions(rawValue: sqlite3_value_int(arguments[3]))
        // A pattern that is not a valid regular expression does not match any string.
        let matcher = try? TextMatcher(operation, pattern: pattern, options: options)
        sqlite3_result_int(context, matcher?.matches(text) == true ? 1 : 0)
      }
    ),
    (
      fold, 2,
      { context, _, arguments in
        guard let arguments, let text = SQLiteTextFunctions.text(arguments[0]) else {
          return sqlite3_result_null(context)
        }
        let options = ComparisonOptions(rawValue: sqlite3_value_int(arguments[1]))
        SQLiteList.putText(options.fold(text), into: context)
      }
    ),
    (
      sortKey, 2,
      { context, _, arguments in
        guard let arguments, let text = SQLiteTextFunctions.text(arguments[0]),
          let order = TextOrder(rawValue: sqlite3_value_int(arguments[1]))
        else { return sqlite3_result_null(context) }
        SQLiteTextFunctions.countText(context)
        let key = order.key(of: text)
        // SQLITE_TRANSIENT makes SQLite copy the bytes. A nil address would mean NULL.
        withUnsafePointer(to: UInt8(0)) { empty in
          key.withUnsafeBufferPointer { bytes in
            sqlite3_result_blob64(
              context, bytes.baseAddress ?? empty, UInt64(bytes.count),
              unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          }
        }
      }
    ),
    (
      derive, 2,
      { context, _, arguments in
        guard let arguments, let name = SQLiteTextFunctions.text(arguments[1]) else {
          return sqlite3_result_null(context)
        }
        if let text = SQLiteTextFunctions.text(arguments[0]), let function = Derivation.TextFunction(rawValue: name) {
          return SQLiteList.putText(function(text), into: context)
        }
        if sqlite3_value_type(arguments[0]) == SQLITE_NULL { return sqlite3_result_null(context) }
        sqlite3_result_double(context, Double(Float(sqlite3_value_double(arguments[0]))))
      }
    ),
  ]

  private static func countText(_ context: OpaquePointer?) {
    guard let counter = sqlite3_user_data(context) else { return }
    Unmanaged<SQLiteConnectionEvents>.fromOpaque(counter)._withUnsafeGuaranteedRef { $0.textsTested += 1 }
  }

  /// Returns the UTF-8 of an argument, valid during the call, or nil if the argument is not text.
  private static func bytes(_ argument: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    let value = ColumnValue(pointer: argument)
    return value.storageClass == ColumnValue.StorageClass.text ? value.text : nil
  }

  private static func text(_ argument: OpaquePointer?) -> String? {
    bytes(argument).map { String(decoding: $0, as: UTF8.self) }
  }
}
