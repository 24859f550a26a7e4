import Foundation
import MachineCore

/// The default value and the validation rules of an attribute, read by its type.
///
/// Values that do not fit the type's kind are left over from another type. They have no effect in Core Data, and the
/// reader remarks on them.
struct AttributeValues {
  typealias Value = ModelDocument.Value

  let fields: ElementFields
  let type: ModelDocument.AttributeType

  func defaultValue() throws(ModelError) -> Value? {
    let isDate = type == .date
    noteUnused([isDate ? "defaultValueString" : "defaultDateTimeInterval"])
    if isDate { return try fields.number("defaultDateTimeInterval").map(Value.date) }
    let name = "defaultValueString"
    guard let text = fields.text(name) else { return nil }
    if type == .string { return .string(text) }
    guard !text.isEmpty else {
      fields.remark("an empty text is no value of the type \(type.rawValue) and has no effect", name)
      return nil
    }
    switch type {
    case .boolean: return try boolean(text, name)
    case .uuid:
      guard let value = UUID(uuidString: text) else {
        throw fields.error(.invalidValue, "\(QuotedText.of(text)) is no UUID; use 32 hexadecimal digits", name)
      }
      return .uuid(value)
    case .uri:
      guard let value = URL(string: text) else {
        throw fields.error(.invalidValue, "\(QuotedText.of(text)) is no URI", name)
      }
      return .uri(value)
    case .integer16, .integer32, .integer64, .decimal, .double, .float: return try number(text, name, isBound: false)
    case .binary, .transformable, .undefined, .objectID, .composite, .date, .string:
      noteUnused([name])
      return nil
    }
  }

  /// Returns the bounds of numbers and dates.
  func bounds() throws(ModelError) -> (minimum: Value?, maximum: Value?) {
    let bounds: (minimum: Value?, maximum: Value?)
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      noteUnused(["minDateTimeInterval", "maxDateTimeInterval"])
      bounds = (try bound("minValueString"), try bound("maxValueString"))
    case .date:
      noteUnused(["minValueString", "maxValueString"])
      bounds = (
        try fields.number("minDateTimeInterval").map(Value.date),
        try fields.number("maxDateTimeInterval").map(Value.date)
      )
    case .string:
      noteUnused(["minDateTimeInterval", "maxDateTimeInterval"])
      return (nil, nil)
    default:
      noteUnused(["minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval"])
      return (nil, nil)
    }
    if let minimum = bounds.minimum, let maximum = bounds.maximum, isAbove(minimum, maximum) {
      throw fields.error(
        .invalidValue, "the minimum is above the maximum",
        type == .date ? "minDateTimeInterval" : "minValueString")
    }
    return bounds
  }

  /// Returns the bounds of a string's length.
  func lengths() throws(ModelError) -> (minimum: Int?, maximum: Int?) {
    guard type == .string else { return (nil, nil) }
    let (minimum, maximum) = (try fields.count("minValueString"), try fields.count("maxValueString"))
    if let minimum, let maximum, minimum > maximum {
      throw fields.error(
        .invalidValue, "the minimum length \(minimum) is above the maximum length \(maximum)", "minValueString")
    }
    return (minimum, maximum)
  }

  /// Returns the regular expression that strings must match.
  func regularExpression() throws(ModelError) -> String? {
    let name = "regularExpressionString"
    guard type == .string else {
      noteUnused([name])
      return nil
    }
    guard let text = fields.filledText(name) else { return nil }
    guard (try? NSRegularExpression(pattern: text)) != nil else {
      throw fields.error(.invalidValue, "\(QuotedText.of(text)) is no regular expression", name)
    }
    return text
  }
}

// MARK: - Numbers

extension AttributeValues {
  private func bound(_ name: String) throws(ModelError) -> Value? {
    guard let text = fields.filledText(name) else { return nil }
    return try number(text, name, isBound: true)
  }

  /// Returns a number of the type. A bound may exceed the range of a type of whole numbers.
  private func number(_ text: String, _ name: String, isBound: Bool) throws(ModelError) -> Value {
    var text = text
    // The default of an attribute whose type was Boolean before.
    if !isBound, PlainNumber.real(text) == nil, let flag = PlainNumber.boolean(text) {
      fields.remark("\(text) is no number and means \(flag ? 1 : 0)", name)
      text = flag ? "1" : "0"
    }
    if let range = type.integerRange {
      guard let value = PlainNumber.integer(text) else {
        throw fields.error(.invalidValue, "\(QuotedText.of(text)) is no whole number; use digits such as 0 or -3", name)
      }
      guard isBound || range.contains(value) else {
        throw fields.error(
          .invalidValue,
          "\(value) is out of the range of \(type.rawValue); use \(range.lowerBound) to \(range.upperBound)", name)
      }
      return .integer(value)
    }
    if type == .decimal, let value = PlainNumber.decimal(text) { return .decimal(value) }
    if type != .decimal, let value = PlainNumber.real(text), type == .double || Float(value).isFinite {
      return .real(value)
    }
    throw fields.error(
      .invalidValue, "\(QuotedText.of(text)) is no number of the type \(type.rawValue); use digits such as 0 or -1.5",
      name)
  }

  private func boolean(_ text: String, _ name: String) throws(ModelError) -> Value {
    if let value = PlainNumber.boolean(text) { return .boolean(value) }
    // The default of an attribute whose type was a number before.
    guard let number = PlainNumber.real(text) else {
      throw fields.error(.invalidValue, "\(QuotedText.of(text)) is neither YES nor NO", name)
    }
    fields.remark("\(text) is neither YES nor NO and means \(number == 0 ? "NO" : "YES")", name)
    return .boolean(number != 0)
  }

  private func isAbove(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left > right
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)): left > right
    case (.decimal(let left), .decimal(let right)): left > right
    default: false
    }
  }

  private func noteUnused(_ names: [String]) {
    for name in names where fields.text(name) != nil {
      fields.remark("the value has no effect on an attribute of the type \(type.rawValue)", name)
    }
  }
}
