import Foundation
import MachineCore

/// The default value and the validation rules of an attribute, read by its type.
///
/// Values that do not fit the type's kind are left over from another type. They have no effect in Core Data, and the
/// reader remarks on them.
struct AttributeValues {
  typealias Value = ModelDocument.Value

  let fields: ElementFields
  let declaredType: ModelDocument.AttributeType

  private var type: ValueType? { declaredType.valueType }

  /// Returns the default value. A text that is no value of the type is remarked on and has no effect.
  func defaultValue() -> Value? {
    let isDate = type == .date
    noteUnused([isDate ? "defaultValueString" : "defaultDateTimeInterval"])
    let name = isDate ? "defaultDateTimeInterval" : "defaultValueString"
    guard let text = fields.text(name), !(isDate && text.isEmpty) else { return nil }
    switch type {
    case .string: return .string(text)
    case .binary, .transformable, nil:
      noteUnused([name])
      return nil
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date, .uuid, .uri:
      if let value = defaultValue(text, name: name) { return value }
      let quoted = text.isEmpty ? "an empty text" : QuotedText.of(text)
      fields.remark("\(quoted) is no value of the type \(declaredType.rawValue) and has no effect", name: name)
      return nil
    }
  }

  private func defaultValue(_ text: String, name: String) -> Value? {
    switch type {
    case .boolean: boolean(text, name: name)
    case .date: PlainNumber.real(text).map(Value.date)
    case .uuid: UUID(uuidString: text).map(Value.uuid)
    case .uri: URL(string: text).map(Value.uri)
    default: text.isEmpty ? nil : try? number(text, name: name, isBound: false)
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
        name: type == .date ? "minDateTimeInterval" : "minValueString")
    }
    return bounds
  }

  /// Returns the bounds of a string's length.
  func lengths() throws(ModelError) -> (minimum: Int?, maximum: Int?) {
    guard type == .string else { return (nil, nil) }
    let (minimum, maximum) = (try fields.count("minValueString"), try fields.count("maxValueString"))
    if let minimum, let maximum, minimum > maximum {
      throw fields.error(
        .invalidValue, "the minimum length \(minimum) is above the maximum length \(maximum)", name: "minValueString")
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
      throw fields.error(.invalidValue, "\(QuotedText.of(text)) is no regular expression", name: name)
    }
    return text
  }
}

// MARK: - Numbers

extension AttributeValues {
  private func bound(_ name: String) throws(ModelError) -> Value? {
    guard let text = fields.filledText(name) else { return nil }
    return try number(text, name: name, isBound: true)
  }

  /// Returns a number of the type. A bound may exceed the range of a type of whole numbers.
  private func number(_ text: String, name: String, isBound: Bool) throws(ModelError) -> Value {
    var text = text
    // The default of an attribute whose type was Boolean before.
    if !isBound, PlainNumber.real(text) == nil, let flag = PlainNumber.boolean(text) {
      fields.remark("\(text) is no number and means \(flag ? 1 : 0)", name: name)
      text = flag ? "1" : "0"
    }
    if let range = type?.integerRange {
      guard let value = PlainNumber.integer(text) else {
        throw fields.error(
          .invalidValue, "\(QuotedText.of(text)) is no whole number; use digits such as 0 or -3", name: name)
      }
      guard isBound || range.contains(value) else {
        throw fields.error(
          .invalidValue,
          "\(value) is out of the range of \(declaredType.rawValue); use \(range.lowerBound) to \(range.upperBound)",
          name: name
        )
      }
      return .integer(value)
    }
    if type == .decimal, let value = PlainNumber.decimal(text) { return .decimal(value) }
    if type != .decimal, let value = PlainNumber.real(text), type == .double || Float(value).isFinite {
      return .real(value)
    }
    throw fields.error(
      .invalidValue,
      "\(QuotedText.of(text)) is no number of the type \(declaredType.rawValue); use digits such as 0 or -1.5",
      name: name)
  }

  private func boolean(_ text: String, name: String) -> Value? {
    if let value = PlainNumber.boolean(text) { return .boolean(value) }
    // The default of an attribute whose type was a number before.
    guard let number = PlainNumber.real(text) else { return nil }
    fields.remark("\(text) is neither YES nor NO and means \(number == 0 ? "NO" : "YES")", name: name)
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
      fields.remark("the value has no effect on an attribute of the type \(declaredType.rawValue)", name: name)
    }
  }
}
