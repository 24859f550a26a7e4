import MachineCore
import MachineSimulated
import OrderedCollections
import Reporting

/// What `stackbench profiles NAME` prints: one profile whole.
struct ProfileSheet {
  var profile: Profile

  private struct Line {
    let work: String
    let component: String
    let constant: ProfileConstant
    let source: String
  }

  var text: String {
    ([heading, yardstick, hardware, era, scale, "", costs] as [String?]).compactMap(\.self).joined(separator: "\n")
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
    let rank = hardware.favoursMain ? "main first" : "main as the rest"
    let handOver = FigureText.short(Double(hardware.handOver.nanoseconds) / 1_000)
    let waking = hardware.handOver > .zero ? ", \(handOver) µs to wake a thread" : ""
    return "  \(hardware.cores) cores, \(rank), quantum \(quantum) ms\(waking), \(hardware.refreshRate) Hz\n"
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

  private var scale: String? {
    guard let scale = profile.cpuScale else { return nil }
    return """
        CPU scale \(FigureText.short(scale.value)) (\(range(scale)))
          \(scale.source)
      """
  }

  /// Every constant as it is here, the scale applied, then the sources that its number points to.
  private var costs: String {
    let sources = OrderedSet(lines.map(\.source))
    let table = TerminalTable<Line> { line in
      [
        TerminalCell(title: "work", value: line.work),
        TerminalCell(title: "cost", value: line.component),
        TerminalCell(title: "ns", value: FigureText.short(line.constant.value), align: .right),
        TerminalCell(title: "range", value: range(line.constant), align: .right),
        TerminalCell(title: "source", value: "\((sources.firstIndex(of: line.source) ?? 0) + 1)", align: .right),
      ]
    }
    let notes = sources.enumerated().map { "\($0.offset + 1) \($0.element)" }
    return (table.lines(for: lines) + [""] + notes).joined(separator: "\n")
  }

  private var lines: [Line] {
    Work.Kind.allCases.flatMap { kind in
      kind.costComponents.compactMap { component in
        profile.cost(kind, component).map { constant in
          let isScaled = profile.prices[kind, component]?.isScaled == true
          return Line(
            work: kind.name, component: component.rawValue, constant: constant,
            source: isScaled ? "\(constant.source), times the CPU scale" : constant.source)
        }
      }
    }
  }

  private func range(_ constant: ProfileConstant) -> String {
    "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))"
  }
}
