import CSQLite
import ContextEngine
import Foundation

/// The form in which a column of type `DECIMAL` holds a decimal number. Each number has one form only, so that `=` and
/// an index find it.
///
/// A number that SQLite keeps exactly is stored as Core Data stores it: as an integer of 64 bits, or as a double if it
/// has up to 15 significant digits. All other numbers, which Core Data rounds, are stored as text: their digits after a
/// mark that keeps SQLite from converting the text to a number. Numbers and texts do not have a common order, so
/// comparisons of order use `Z_DECIMAL(column)`.
enum DecimalForm {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)

  private static let mark: Character = "="
  /// The number of significant digits that every decimal number keeps when it is converted to a double and back.
  private static let exactDigitCount = 15

  /// Creates the form of a decimal number. NaN becomes NULL, as everywhere in SQLite.
  init(_ decimal: Decimal) {
    if decimal.isNaN {
      self = .null
      return
    }
    let digits = DecimalDigits(decimal)
    let text = digits.text
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if digits.digits.count <= Self.exactDigitCount, let double = Double(text) {
      self = .double(double)
    } else {
      self = .text(String(Self.mark) + text)
    }
  }

  /// Returns the number in a column, or nil if the column holds something else.
  static func decimal(in column: ColumnValue) -> Decimal? {
    switch column.storageClass {
    case ColumnValue.StorageClass.integer: return Decimal(column.integer)
    case ColumnValue.StorageClass.float: return Decimal(string: "\(column.double)")
    case ColumnValue.StorageClass.text:
      let text = String(decoding: column.text, as: UTF8.self)
      return text.first == mark ? Decimal(string: String(text.dropFirst())) : nil
    default: return nil
    }
  }
}

// MARK: - Order

/// The SQL function `Z_DECIMAL(value)` of every connection, which returns bytes in the order of the numbers.
enum DecimalOrder {
  static let name = "Z_DECIMAL"

  static func register(on database: DatabaseHandle) -> Int32 {
    sqlite3_create_function_v2(
      database.pointer, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, arguments in
        guard let decimal = DecimalForm.decimal(in: ColumnValue(pointer: arguments?[0])) else { return }
        let key = DecimalDigits(decimal).orderedBytes
        // SQLITE_TRANSIENT makes SQLite copy the bytes.
        sqlite3_result_blob(context, key, Int32(key.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }, nil, nil, nil)
  }
}

/// The significant digits of a decimal number and the position of its point: 0.00120 has the digits “12” and the point
/// -2.
private struct DecimalDigits {
  let isNegative: Bool
  /// The digits without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The number of digits before the point, or the negative number of zeros directly after it.
  let point: Int
  /// The text of the number without an exponent and without insignificant zeros.
  let text: String

  init(_ decimal: Decimal) {
    let written = decimal.description
    isNegative = written.first == "-"
    let parts = written.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let whole = Array(parts[0].utf8.drop { $0 == UInt8(ascii: "0") })
    var fraction = parts.count > 1 ? Array(parts[1].utf8) : []
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    let all = whole + fraction
    let leading = all.prefix { $0 == UInt8(ascii: "0") }.count
    var digits = Array(all.dropFirst(leading))
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    self.digits = digits
    point = whole.count - leading
    text =
      (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
      + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
  }

  /// Bytes that compare as the numbers do: sign, position of the point, digits. A negative number has the bytes after
  /// its sign inverted, and an end byte that sorts after every digit.
  var orderedBytes: [UInt8] {
    if digits.isEmpty { return [1] }
    let place = UInt16(bitPattern: Int16(point)) ^ 0x8000
    let magnitude = [UInt8(place >> 8), UInt8(place & 0xff)] + digits
    return isNegative ? [0] + magnitude.map { ~$0 } + [0xff] : [2] + magnitude
  }
}
