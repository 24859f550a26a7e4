import Foundation
import Metrics

/// One stack held against Apple's bands, and its data against the model.
struct StackJudgement: Sendable {
  let summary: Summary
  let scale: HitchScale
  /// nil where hitches were not measured.
  let band: HitchBand?
  /// How many frames hung, 250 ms or more; nil where that was not measured.
  let hangCount: Int?
  /// Whether the import never comes on screen, though that of another stack of the run does.
  let showsNothing: Bool
  /// How many of these lasted longer than 500 ms; nil where the stalls are not known.
  let longHangCount: Int?

  init(_ summary: Summary, of result: ReportedResult) {
    self.summary = summary
    scale = result.hitchScale
    band = summary.measures.hitchMicrosecondsPerSecond.map(result.hitchScale.band)
    hangCount = summary.measures.hangsCount.map { Int($0) }
    showsNothing =
      summary.measures.timeToVisibleNanosecondsMaximum == nil
      && result.trials.contains { $0.measures.timeToVisibleNanosecondsMaximum != nil }
    longHangCount = result.hangs(of: summary.identity).map { hangs in
      hangs.count { $0.duration.nanoseconds > HangLimit.long }
    }
  }

  var name: String { summary.identity.name }
  var isVerified: Bool { summary.measures.verified == 1 }
  var isAcceptable: Bool { objections.isEmpty }

  /// Whether it does all that the others are measured by: what shows nothing, or wrong rows, has it easy.
  var isWhole: Bool { shortcomings.isEmpty }

  /// What it leaves undone although its data verified, a phrase each.
  private var shortcomings: [String] {
    let defects = RunPage.toleratedDefects(of: summary)
    return (showsNothing ? ["never shows what it imports"] : [])
      + (defects.isEmpty ? [] : ["shows defects that it tolerates: \(defects.joined(separator: ", "))"])
  }

  /// Why the stack is unacceptable, a phrase each; none if it is not.
  var objections: [String] {
    var objections: [String] = []
    if !isVerified { objections.append("its data did not verify") }
    if let band, band.isUnacceptable { objections.append(hitchText(band)) }
    if let longHangCount, longHangCount > 0 {
      objections.append("\(Self.counted(longHangCount, "hang")) longer than 500 ms")
    } else if longHangCount == nil, let hangCount, hangCount > 0, isLongestAboveLimit {
      objections.append("\(Self.counted(hangCount, "hang")), the longest above 500 ms")
    }
    return objections
  }

  /// What is short of that and still deserves an eye, a phrase each.
  var warnings: [String] {
    var warnings = shortcomings
    if let band, !band.isUnacceptable, band != .good { warnings.append(hitchText(band)) }
    if let hangCount, hangCount > (longHangCount ?? 0), longHangCount != nil || !isLongestAboveLimit {
      warnings.append("\(Self.counted(hangCount - (longHangCount ?? 0), "hang")) of 250 to 500 ms")
    }
    return warnings
  }

  /// Where no stalls are known, the longest wait of any tick stands for them.
  private var isLongestAboveLimit: Bool {
    (summary.measures.stallNanosecondsMaximum ?? 0) > HangLimit.long
  }

  private func hitchText(_ band: HitchBand) -> String {
    let ratio = MeasureText.of(Double(summary.measures.hitchMicrosecondsPerSecond ?? 0), .microsecondsPerSecond)
    return "hitches \(ratio): \(band.rawValue), \(scale.range(of: band))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
