import MachineCore
import MachineSimulated

/// The lines of YAML that the writers of profiles, references and shapes have in common.
enum YAMLText {
  /// Returns the fields of a constant, without the braces around them.
  static func fields(_ constant: ProfileConstant, valueKey: String = "value") -> String {
    "\(valueKey): \(constant.value.plainText), low: \(constant.low.plainText), high: \(constant.high.plainText), "
      + "source: \(quoted(constant.source))"
  }

  /// Returns a text in double quotes, with its quotes and backslashes escaped. YAML reads it in the same way as JSON.
  static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }

  /// Returns the lines of the key `costs`: the kinds of work that have a component in the table, in their order.
  static func costs(_ table: CostTable<ProfileConstant>) -> [String] {
    var lines: [String] = []
    for kind in Work.Kind.allCases {
      let given = kind.costComponents.compactMap { component in
        table[kind, component].map { "    \(component.rawValue): {\(fields($0))}" }
      }
      if !given.isEmpty { lines += ["  \(kind.name):"] + given }
    }
    return lines.isEmpty ? ["costs: {}"] : ["costs:"] + lines
  }
}
