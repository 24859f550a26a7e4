import CSQLite
import ContextEngine
import Foundation

/// How a column of type `DECIMAL` holds a decimal number: each number in one form only, so that `=` and an index find it.
///
/// A number as Core Data has it where SQLite keeps that exactly: an integer of 64 bits, or up to 15 significant digits,
/// which survive as a double. All others, which Core Data rounds, are their digits as text behind a mark that keeps SQLite
/// from taking them for a number. Numbers and texts are not in one order, hence `Z_DECIMAL(column)` where order counts.
enum DecimalForm {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)

  private static let mark: Character = "="
  /// Any decimal number of so many digits comes back from a double.
  private static let exactDigitCount = 15

  /// NaN becomes nothing, as everywhere in SQLite.
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

  /// The number in a column; nil where the column holds something else.
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

/// The function `Z_DECIMAL(value)` of every connection: bytes that are in the order of the numbers.
enum DecimalOrder {
  static let name = "Z_DECIMAL"

  static func register(on database: DatabaseHandle) -> Int32 {
    sqlite3_create_function_v2(
      database.pointer, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, arguments in
        guard let decimal = DecimalForm.decimal(in: ColumnValue(pointer: arguments?[0])) else { return }
        let key = DecimalDigits(decimal).orderedBytes
        // SQLITE_TRANSIENT: SQLite copies.
        sqlite3_result_blob(context, key, Int32(key.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }, nil, nil, nil)
  }
}

/// The digits of a decimal number that count, and where its point is: 0.00120 is “12” at -2.
private struct DecimalDigits {
  let isNegative: Bool
  /// Without zeros at either end; empty = zero.
  let digits: [UInt8]
  /// How many digits are before the point, negative for zeros behind it.
  let point: Int
  /// The number without an exponent and without zeros that mean nothing.
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

  /// Bytes that compare as the numbers do: sign, place of the point, digits; of negative numbers all turned round, with an
  /// end that comes behind every digit.
  var orderedBytes: [UInt8] {
    if digits.isEmpty { return [1] }
    let place = UInt16(bitPattern: Int16(point)) ^ 0x8000
    let magnitude = [UInt8(place >> 8), UInt8(place & 0xff)] + digits
    return isNegative ? [0] + magnitude.map { ~$0 } + [0xff] : [2] + magnitude
  }
}
