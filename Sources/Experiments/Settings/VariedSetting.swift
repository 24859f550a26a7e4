import TrialProcesses

/// A setting and the values that a sweep gives it, in their order.
package struct VariedSetting: Hashable, Sendable {
  /// The name without dashes.
  package var name: String
  /// The values as they were given.
  var values: [String]

  init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }

  /// Reads `NAME=V,V,…`; a comma inside a value has a backslash before it. The values are not looked at.
  ///
  /// - Throws: `OptionValue.Refusal`.
  package init(argument: String) throws(OptionValue.Refusal) {
    guard let split = argument.firstIndex(of: "=") else {
      throw OptionValue.Refusal(description: "without values; use FLAG=VALUE,VALUE,… as in batch-size=100,500")
    }
    let flag = argument[..<split]
    let name = flag.hasPrefix("--") ? String(flag.dropFirst(2)) : String(flag)
    guard !name.isEmpty, !name.hasPrefix("-") else {
      throw OptionValue.Refusal(description: "names no flag; use FLAG=VALUE,VALUE,… as in batch-size=100,500")
    }
    let values = VariedSetting.values(in: argument[argument.index(after: split)...])
    guard !values.contains(""), Set(values).count == values.count else {
      throw OptionValue.Refusal(description: "not a list of different values; use \(name)=VALUE,VALUE,…")
    }
    self.init(name: name, values: values)
  }

  private static func values(in text: Substring) -> [String] {
    var values = [""]
    var isEscaped = false
    for character in text {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "," where !isEscaped: values.append("")
      default:
        // A backslash that escapes nothing is one.
        if isEscaped && character != "," && character != "\\" { values[values.count - 1].append("\\") }
        values[values.count - 1].append(character)
        isEscaped = false
      }
    }
    if isEscaped { values[values.count - 1].append("\\") }
    return values
  }
}

// MARK: - Meaning

extension VariedSetting {
  /// The names that completions offer.
  package static var suggested: [String] { SettingTable.standard.settings(for: .variation).map(\.name) }

  /// Returns the values with their types. A value such as `all` becomes several.
  ///
  /// - Throws: `VariationError` for a setting that cannot be varied; `RunFailure` with status 64 for a value that it refuses.
  func typedValues(_ table: SettingTable) throws -> [GivenValue] {
    if let setting = table[name], !setting.uses.contains(.variation) { throw refusal }
    let values = try values.flatMap { try table.value(of: name, from: $0).parts }
    return values.reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }

  private var refusal: VariationError {
    VariationError(setting: name, message: "cannot be varied; use a flag that changes what a trial does")
  }
}

/// The reason for which settings cannot be varied together.
package struct VariationError: Error, Hashable, Sendable {
  /// The name of the setting, or nil if the reason concerns all of them.
  package var setting: String?
  /// A text that names the mistake and what would be right.
  package var message: String
}
