import MachineCore
import MachineSimulated
import OrderedCollections
import Reporting

/// The text that `stackbench profiles NAME` prints for a profile, with all its constants.
package struct ProfileSheet {
  private let profile: Profile

  package init(profile: Profile) {
    self.profile = profile
  }

  package var text: String {
    ([heading, yardstick, hardware, era, speed, "", groups, costs, "", notes] as [String?]).compactMap(\.self)
      .joined(separator: "\n")
  }

  private var heading: String {
    "\(profile.name): \(profile.title) (version \(profile.version))\n  \(profile.description)"
  }

  private var yardstick: String? {
    profile.yardstick.map { "  measured at a yardstick of \(FigureText.short(Double($0) / 1_000_000)) ms" }
  }

  private var hardware: String {
    let hardware = profile.hardware
    let quantum = FigureText.short(Double(hardware.quantum.nanoseconds) / 1_000_000)
    let rank = hardware.favoursMain ? "main first" : "main like other threads"
    let cold = FigureText.short(Double(hardware.coldAfter.nanoseconds) / 1_000)
    let start = hardware.coldAfter > .zero ? ", cold after \(cold) µs of sleep" : ""
    return "  \(hardware.cores) cores, \(rank), quantum \(quantum) ms\(start), \(hardware.refreshRate) Hz\n"
      + "    \(hardware.source)"
  }

  private var era: String {
    let era = profile.era
    let pool = era.connectionPool == 1 ? "serial coordinator" : "\(era.connectionPool) connections"
    let deleting = era.shouldDeleteInaccessibleFaults ? "become deleted objects" : "are errors"
    let batches = era.batchSizeIgnoredInChildren ? "ignore batch sizes" : "honour batch sizes"
    return """
        \(pool), journal \(era.journalMode), synchronous \(era.synchronous), full flush \(era.fullfsync ? "on" : "off")
        faults without a row \(deleting); child contexts \(batches)
          \(era.source)
      """
  }

  /// The speed, or nil if the profile has no speed or no reference.
  private var speed: String? {
    guard let speed = profile.speed, let reference = profile.reference else { return nil }
    let shape = profile.shape.map { ", shaped by \($0)" } ?? ""
    return """
        costs of \(reference)\(shape)
        \(FigureText.short(speed.value)) ns an instruction (\(ConstantTable.range(speed)))
          \(speed.source)
      """
  }

  private var groups: String? {
    guard !profile.groups.isEmpty else { return nil }
    return ConstantTable.text(of: groupLines, first: "group", second: "costs", unit: "times", sources: sources) + "\n"
  }

  /// The table of all costs of the profile, with the speed and the factors applied.
  private var costs: String {
    ConstantTable.text(of: costLines, first: "work", second: "cost", unit: "ns", sources: sources)
  }

  /// The sources to which the numbers in the tables refer.
  private var notes: String {
    sources.enumerated().map { "\($0.offset + 1) \($0.element)" }.joined(separator: "\n")
  }

  private var sources: OrderedSet<String> { OrderedSet((groupLines + costLines).map(\.constant.source)) }

  private var groupLines: [ConstantTable.Line] {
    profile.groups.map { .init(first: $0.name, second: $0.title, constant: $0.factor) }
  }

  private var costLines: [ConstantTable.Line] {
    CostPart.all.compactMap { part in
      profile.cost(part.kind, part.component).map { cost in
        var constant = cost
        if profile.prices[part]?.isScaled == true {
          constant.source += profile.groups.isEmpty ? ", times the speed" : ", times the factors and the speed"
        }
        return .init(first: part.kind.name, second: part.component.rawValue, constant: constant)
      }
    }
  }
}
