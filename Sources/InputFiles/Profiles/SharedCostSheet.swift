import MachineSimulated
import OrderedCollections

/// The text that `stackbench profiles NAME` prints for a reference or a shape, the costs or factors that devices share.
package struct SharedCostSheet {
  private let heading: String
  private let description: String
  private let lines: [ConstantTable.Line]
  private let titles: (first: String, second: String, unit: String)
  /// The lines before the sources.
  private let remarks: [String]

  package init(_ reference: CostReference) {
    heading = "\(reference.name): \(reference.title) (version \(reference.version))"
    description = reference.description
    lines = CostPart.cpu.compactMap { part in
      reference.costs[part].map { .init(first: part.kind.name, second: part.component.rawValue, constant: $0) }
    }
    titles = ("work", "cost", "instructions")
    remarks = []
  }

  package init(_ shape: CostShape) {
    heading = "\(shape.name): \(shape.title) (version \(shape.version))"
    description = shape.description
    lines = shape.groups.map { .init(first: $0.name, second: $0.title, constant: $0.factor) }
    titles = ("group", "costs", "times")
    remarks = shape.groups.map { "\($0.name): \($0.parts.map(\.name).joined(separator: ", "))" } + [""]
  }

  package var text: String {
    let sources = OrderedSet(lines.map(\.constant.source))
    let table = ConstantTable.text(
      of: lines, first: titles.first, second: titles.second, unit: titles.unit, sources: sources)
    let notes = sources.enumerated().map { "\($0.offset + 1) \($0.element)" }
    return ([heading, "  \(description)", "", table, ""] + remarks + notes).joined(separator: "\n")
  }
}
