import TrialProcesses

/// A setting and the values that a sweep gives it, in their order.
package struct VariedSetting: Hashable, Sendable {
  /// The name without dashes.
  package var name: String
  /// The texts of the values, as they were given.
  var values: [String]

  init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }

  /// Reads a text of the form `NAME=V,V,…`. A comma inside a value has a backslash before it. The values are not
  /// checked against the setting.
  ///
  /// - Throws: `OptionValue.Refusal` if the text has another form, or contains an empty value or a value twice.
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
        // A backslash before any other character is an ordinary character.
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
  /// The names of settings that completions offer.
  package static var suggested: [String] { SettingTable.standard.settings(for: .variation).map(\.name) }

  /// Returns the values with their types, each once. A value such as `all` becomes several values.
  ///
  /// - Throws: `VariationError` for a setting that cannot be varied; `RunFailure` with status 64 for a value that it
  ///   refuses.
  func typedValues(_ table: SettingTable) throws -> [GivenValue] {
    if let setting = table[name], !setting.uses.contains(.variation) { throw refusal }
    let values = try values.flatMap { try table.value(of: name, from: $0).parts }
    let distinct = values.reduce(into: [GivenValue]()) { values, value in
      if !values.contains(value) { values.append(value) }
    }
    for (index, value) in distinct.enumerated() where distinct[..<index].contains(where: { $0.text == value.text }) {
      throw VariationError(
        setting: name, message: "\(value.text) is the name of two different values; use different names")
    }
    return distinct
  }

  private var refusal: VariationError {
    VariationError(setting: name, message: "cannot be varied; use a flag that changes what a trial does")
  }
}

/// An error about settings that cannot be varied or that contradict each other.
package struct VariationError: Error, Hashable, Sendable {
  /// The name of the setting, or nil if the error concerns all varied settings.
  package var setting: String?
  /// A text that describes the mistake and how to correct it.
  package var message: String
}
