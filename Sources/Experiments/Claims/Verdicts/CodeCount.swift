import Topologies

/// The counts of a stack's description and of its code for Core Data.
struct CodeCount {
  private let topology: Topology

  init(of topology: Topology) { self.topology = topology }

  subscript(part: Operand.CodePart) -> Int {
    switch part {
    case .contexts: topology.contexts.count
    case .rules: topology.rules.count
    case .lines: WiringCode(standard: topology).codeLineCount
    case .setUpLines: WiringCode(standard: topology).setUpLineCount
    }
  }
}
