import Workloads

/// A conversion from a JSON value to the value of an attribute, for values that a JSON decoder does not make.
enum Conversion: CaseIterable {
  case text, integer, double, float, decimal, boolean, date, seconds, milliseconds, uuid, url, data, textData

  /// Creates the conversion to a type, or nil if a JSON decoder makes the values.
  ///
  /// - Parameters:
  ///   - type: The type of the attribute.
  ///   - dateForm: The form of dates, or nil to recognise it from each value.
  ///   - forms: The forms of the values, or nil if they have the form that the type has in JSON.
  init?(
    _ type: ValueType, dateForm: FeedMapping.DateForm?, from forms: ValueForms?
  ) {
    let direct: ValueForms =
      switch type {
      case .string, .uri: [.string]
      case .integer16, .integer32, .integer64: [.integer]
      case .double, .float, .decimal: [.integer, .number]
      case .boolean: [.boolean]
      case .date, .uuid, .binary, .transformable: []
      }
    if let forms, !forms.isEmpty {
      guard !forms.isSubset(of: direct) else { return nil }
    } else {
      guard [.date, .decimal].contains(type) else { return nil }
    }
    self.init(always: type, dateForm)
  }

  /// Creates the conversion to a type from values of any form.
  init(always type: ValueType, _ dateForm: FeedMapping.DateForm?) {
    switch type {
    case .string: self = .text
    case .integer16, .integer32, .integer64: self = .integer
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .boolean: self = .boolean
    case .date:
      switch dateForm {
      case .iso8601, .rfc822, nil: self = .date
      case .seconds: self = .seconds
      case .milliseconds: self = .milliseconds
      }
    case .binary: self = .data
    case .transformable: self = .textData
    case .uuid: self = .uuid
    case .uri: self = .url
    }
  }

  /// The expression of the function that converts a value.
  var function: String {
    switch self {
    case .integer: "{ $0.integer() }"
    case .float: "{ $0.double.map(Float.init) }"
    case .seconds: "{ $0.double.map(Date.init(timeIntervalSince1970:)) }"
    case .milliseconds: "{ $0.double.map { Date(timeIntervalSince1970: $0 / 1_000) } }"
    case .textData: "{ $0.text.map { Data($0.utf8) } }"
    case .text, .double, .decimal, .boolean, .date, .uuid, .url, .data: "\\.\(self)"
    }
  }
}
