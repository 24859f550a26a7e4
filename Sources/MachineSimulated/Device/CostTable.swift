import MachineCore

/// A table with an optional entry for each part of the cost of each kind of work.
///
/// It encodes as an object of objects, keyed by kind and component. Kinds without entries are left out, as are entries
/// for components that a kind does not have.
package struct CostTable<Entry: Hashable & Sendable & Codable>: Hashable, Sendable {
  // The entries form a row for each kind, in the order of the kinds.
  private var entries: [Entry?]

  package init() {
    entries = Array(repeating: nil, count: Work.Kind.allCases.count * CostComponent.allCases.count)
  }

  package subscript(_ kind: Work.Kind, _ component: CostComponent) -> Entry? {
    get { entries[CostTable.index(of: kind, component: component)] }
    set { entries[CostTable.index(of: kind, component: component)] = newValue }
  }

  private static func index(of kind: Work.Kind, component: CostComponent) -> Int {
    let column =
      switch component {
      case .cpu: 0
      case .cpuPerByte: 1
      case .storage: 2
      case .storagePerByte: 3
      case .latency: 4
      }
    return Int(kind.rawValue) * CostComponent.allCases.count + column
  }
}

// MARK: - Coding

extension CostTable: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let kinds = try decoder.container(keyedBy: Name.self)
    for key in kinds.allKeys {
      guard let kind = Work.Kind.named(key.stringValue) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: kinds, debugDescription: "not a kind of work")
      }
      let components = try kinds.nestedContainer(keyedBy: Name.self, forKey: key)
      for component in kind.costComponents {
        self[kind, component] = try components.decodeIfPresent(
          Entry.self, forKey: Name(stringValue: component.rawValue))
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var kinds = encoder.container(keyedBy: Name.self)
    for kind in Work.Kind.allCases {
      let given = kind.costComponents.filter { self[kind, $0] != nil }
      guard !given.isEmpty else { continue }
      var components = kinds.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: kind.name))
      for component in given {
        try components.encode(self[kind, component], forKey: Name(stringValue: component.rawValue))
      }
    }
  }
}
