import Foundation
import Metrics

/// The tables of verdicts: one table of all stacks if the terminal has room for it, or else one for each stack.
///
/// Each measure has the same unit in all tables, which its title names.
extension ComparisonPage {
  var verdicts: [Page.Section] {
    let parts = comparison.stacks.map { stack in
      let judged = comparison.judged.filter { $0.topology == stack.topology }
      return Page.Section("\(stack.topology), \(count(stack))", [.table(table(of: judged, isNamed: false))])
    }
    guard comparison.stacks.count > 1 else { return parts }
    return [
      Page.Section([.fitting(table(of: comparison.judged, isNamed: true), above: PageText(counts), otherwise: parts)])
    ]
  }

  private func table(of judged: [Comparison.Judged], isNamed: Bool) -> PageTable {
    typealias Column = PageColumn<(index: Int, judged: Comparison.Judged)>
    let scales = MeasureScale.scales(of: comparison)
    func scale(_ row: (index: Int, judged: Comparison.Judged)) -> MeasureScale? { scales[row.judged.primary] }
    let name = Column("topology") { row in
      let isFirst = row.index == 0 || judged[row.index - 1].topology != row.judged.topology
      return isFirst ? row.judged.topology : ""
    }
    let columns = [
      Column("measure") { $0.judged.primary.title(in: scale($0)) },
      Column("before", .right) { scale($0)?.text($0.judged.firstMedian) ?? "" },
      Column("after", .right) { scale($0)?.text($0.judged.secondMedian) ?? "" },
      Column("change", .right) { ChangeText($0.judged).cell },
      Column(cells: "verdict") {
        PageTable.Cell(parts: FloorText.verdict(of: $0.judged), tone: $0.judged.verdict.tone)
      },
    ]
    // Exact results do not depend on chance.
    let chance = [
      Column("95 % interval", .right) { ChangeText($0.judged).interval ?? "too few trials" },
      Column("p", .right) { $0.judged.correctedProbability.map { String(format: "%.3f", $0) } ?? "-" },
    ]
    return PageTable(
      of: Array(judged.enumerated().map { (index: $0.offset, judged: $0.element) }), keyCount: isNamed ? 2 : 1,
      (isNamed ? [name] : []) + columns + (comparison.design == .exact ? [] : chance))
  }

  /// The sentence above the table of all stacks, with the number of trials or pairs of each stack.
  private var counts: String {
    let texts = comparison.stacks.map(count)
    guard Set(texts).count > 1 else {
      return comparison.design == .paired
        ? "\(texts[0]) of each stack" : texts[0].replacing(" each", with: " of each stack in each result")
    }
    return zip(comparison.stacks, texts).map { "\($0.topology): \($1)" }.joined(separator: "; ")
  }

  private func count(_ stack: Comparison.Stack) -> String {
    let (first, second) = (stack.firstCount, stack.secondCount)
    switch comparison.design {
    case .paired: return "\(first) pair\(first == 1 ? "" : "s")"
    case .unpaired, .exact:
      return first == second ? "\(first) trial\(first == 1 ? "" : "s") each" : "\(first) and \(second) trials"
    }
  }
}

extension Verdict {
  fileprivate var tone: Page.Tone? {
    switch self {
    case .worse: .bad
    case .better: .good
    default: nil
    }
  }
}
