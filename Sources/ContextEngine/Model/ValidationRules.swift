import Foundation
import MachineCore

/// The rules that an attribute's value must satisfy in addition to its type. A rule that is nil allows every value.
///
/// The rules are checked when a context saves and by `ManagedObject.validateValue(_:at:)`, but never when the attribute
/// is set. An attribute without a value satisfies every rule; `AttributeDescription.isOptional` decides whether it may
/// lack one.
public struct ValidationRules: Hashable, Sendable {
  /// The least number or date, inclusive, or nil if there is no lower bound.
  public var minimum: Value?
  /// The greatest number or date, inclusive, or nil if there is no upper bound.
  public var maximum: Value?
  /// The least length of a string in UTF-16 code units, as Core Data counts, or nil if there is no lower bound.
  public var minimumLength: Int?
  /// The greatest length of a string in UTF-16 code units, as Core Data counts, or nil if there is no upper bound.
  public var maximumLength: Int?
  /// A regular expression that the whole string must match.
  public var pattern: String?

  /// Creates rules. A rule that is left out allows every value.
  public init(
    minimum: Value? = nil, maximum: Value? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
    pattern: String? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
  }

  /// The rules that allow every value.
  public static let none = ValidationRules()

  var isEmpty: Bool { self == .none }

  /// Returns the reason why the rules make no sense for an attribute of a type, or nil if they do make sense.
  func defect(for type: AttributeType) -> String? {
    let bounds = [minimum, maximum].compactMap { $0 }
    if let bound = bounds.first(where: { !type.admits($0) || $0.isNull }) {
      return "its bound \(bound) is not of its type \(type)"
    }
    if !bounds.isEmpty, type == .boolean || type == .string { return "values of type \(type) have no bounds" }
    if minimumLength != nil || maximumLength != nil || pattern != nil, type != .string {
      return "lengths and patterns are for strings, and its type is \(type)"
    }
    if let minimum, let maximum, Value.compare(minimum, maximum) > 0 { return "its minimum is above its maximum" }
    if let minimumLength, let maximumLength, minimumLength > maximumLength {
      return "its minimum length is above its maximum length"
    }
    if let pattern, CompiledPattern(pattern) == nil { return "its pattern \(pattern) is not a regular expression" }
    return nil
  }
}

/// A regular expression that is compiled once and matched against whole strings.
struct CompiledPattern: Sendable {
  private let expression: NSRegularExpression

  /// Compiles a regular expression. Returns nil if the text is not a valid one. O(length).
  init?(_ pattern: String) {
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else { return nil }
    self.expression = expression
  }

  func matches(_ string: String) -> Bool {
    expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
  }
}
