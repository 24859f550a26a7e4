import MachineCore
import MachineSimulated

extension YAMLMapping {
  static let constantKeys = ["value", "low", "high", "source"]

  /// The valid range of a profile's factors and speed, from a millionth to a million. A number outside it is taken for
  /// a typing error.
  static let factorLimits = 0.000_001...1_000_000.0

  /// Returns the constant that the mapping describes: a value with its bounds and its source.
  ///
  /// - Throws: `YAMLError` if a part is missing or out of range, or if the value does not lie between the bounds.
  func constant(valueKey: String = "value", in range: ClosedRange<Double>) throws(YAMLError) -> ProfileConstant {
    let constant = ProfileConstant(
      value: try number(valueKey, in: range), low: try number("low", in: range), high: try number("high", in: range),
      source: try text("source"))
    guard constant.low <= constant.value, constant.value <= constant.high else {
      let range = "\(constant.low.plainText) to \(constant.high.plainText)"
      throw error(valueKey, "\(constant.value.plainText) does not lie in \(range); use low ≤ \(valueKey) ≤ high")
    }
    return constant
  }

  /// Returns the factor in the mapping at `key`.
  func factor(_ key: String) throws(YAMLError) -> ProfileConstant {
    try mapping(key, keys: YAMLMapping.constantKeys).constant(in: YAMLMapping.factorLimits)
  }

  /// Returns the costs in the mapping at `costs`: kinds of work with the parts of their costs.
  func costs() throws(YAMLError) -> CostTable<ProfileConstant> {
    var table = CostTable<ProfileConstant>()
    let mapping = try mapping("costs", keys: Work.Kind.allCases.map(\.name))
    for kind in Work.Kind.allCases where mapping.has(kind.name) {
      let components = kind.costComponents
      let parts = try mapping.mapping(kind.name, keys: components.map(\.rawValue))
      for component in components where parts.has(component.rawValue) {
        let limit = component.isPerByte ? ProfileDeclaration.byteCostLimit : ProfileDeclaration.costLimit
        let constant = try parts.mapping(component.rawValue, keys: YAMLMapping.constantKeys)
        table[kind, component] = try constant.constant(in: 0...limit)
      }
    }
    return table
  }
}
