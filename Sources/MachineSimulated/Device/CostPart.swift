import MachineCore

/// One part of the cost of one kind of work, such as `rowStepped.cpuPerByte`.
package struct CostPart: Hashable, Sendable, Codable {
  package var kind: Work.Kind
  package var component: CostComponent

  package init(_ kind: Work.Kind, component: CostComponent) {
    self.kind = kind
    self.component = component
  }

  /// Every part of every kind, in the order of the kinds and of their components.
  package static let all = Work.Kind.allCases.flatMap { kind in
    kind.costComponents.map { CostPart(kind, component: $0) }
  }

  /// The parts that are paid with a core, in the same order; devices can take them from a reference.
  package static let cpu = all.filter(\.component.isCPU)

  /// The part's name in files and tables: the kind and the component, with a dot between them.
  package var name: String { "\(kind.name).\(component.rawValue)" }

  /// Returns the part with the name, or nil if no kind of work has it.
  package static func named(_ name: String) -> CostPart? {
    all.first { $0.name == name }
  }
}

// MARK: - Coding

/// A part encodes as its name.
extension CostPart {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let part = CostPart.named(name) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(name) is not a part of a cost")
    }
    self = part
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension CostTable {
  package subscript(_ part: CostPart) -> Entry? {
    get { self[part.kind, part.component] }
    set { self[part.kind, part.component] = newValue }
  }
}
