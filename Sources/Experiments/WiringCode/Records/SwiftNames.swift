import Foundation
import Workloads

/// Names and literals of printed code.
enum SwiftNames {
  /// The words of Swift that cannot name a constant or a property.
  static let keywords: Set = [
    "as", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "Any", "_",
  ]

  /// Returns a name as a property can have it: between underscores if it is taken or does not begin with a letter.
  static func property(_ name: String, taken: Set<String>) -> String {
    let isPlain = !keywords.contains(name) && !taken.contains(name) && !(name.first?.isNumber ?? true)
    return isPlain ? name : "_\(name)_"
  }

  /// Returns a name of a type as a property or a case can have it.
  static func lowercased(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// Returns a literal of a string.
  static func literal(_ text: String) -> String {
    // The debug description of a string is a literal of the string.
    text.debugDescription
  }

  /// Returns an expression of a value of an attribute, and true if the expression is optional.
  static func expression(_ value: FieldValue, type: ValueType) -> (text: String, isOptional: Bool) {
    switch value {
    case .null: ("nil", true)
    case .integer(let number): ("\(number)", false)
    case .double(let number): ("\(number)", false)
    case .boolean(let isTrue): ("\(isTrue)", false)
    case .date(let seconds): ("Date(timeIntervalSinceReferenceDate: \(seconds))", false)
    case .string(let text): (literal(text), false)
    case .decimal(let number): ("Decimal(string: \"\(number)\")", true)
    case .binary(let data): ("Data(base64Encoded: \"\(data.base64EncodedString())\")", true)
    case .uuid(let uuid): ("UUID(uuidString: \"\(uuid.uuidString)\")", true)
    case .uri(let text): ("URL(string: \(literal(text)))", true)
    }
  }
}

extension ValueType {
  /// The Swift type of the attribute's values.
  var swiftType: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .boolean: "Bool"
    case .date: "Date"
    case .string: "String"
    case .binary, .transformable: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    }
  }
}
