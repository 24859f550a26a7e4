import Foundation
import Metrics

/// A judgement of one stack by Apple's bands, and of its data by the model.
struct StackJudgement: Sendable {
  let summary: Summary
  let scale: HitchScale
  /// The band of the hitch time, or nil if hitches were not measured.
  let band: HitchBand?
  /// The number of hangs of 250 ms or more, or nil if hangs were not measured.
  let hangCount: Int?
  /// True if the import never appears on screen, although the import of another stack of the run does.
  let showsNothing: Bool
  /// The number of hangs longer than 500 ms, or nil if the stalls are not known.
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

  /// True if the stack does all the work that the others are measured by. It is easier to show no rows, or wrong ones.
  var isWhole: Bool { shortcomings.isEmpty }

  /// A phrase for each part of the work that the stack does not do, although its data verified.
  private var shortcomings: [String] {
    let defects = RunPage.toleratedDefects(of: summary)
    return (showsNothing ? ["never shows the imported rows"] : [])
      + (defects.isEmpty ? [] : ["shows defects that are expected of it: \(defects.joined(separator: ", "))"])
  }

  /// A phrase for each reason why the stack is unacceptable; empty if it is acceptable.
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

  /// A phrase for each fault that does not make the stack unacceptable, but deserves attention.
  var warnings: [String] {
    var warnings = shortcomings
    if let band, !band.isUnacceptable, band != .good { warnings.append(hitchText(band)) }
    if let hangCount, hangCount > (longHangCount ?? 0), longHangCount != nil || !isLongestAboveLimit {
      warnings.append("\(Self.counted(hangCount - (longHangCount ?? 0), "hang")) of 250 to 500 ms")
    }
    return warnings
  }

  /// True if the longest wait of any tick exceeds the limit. It is used if the stalls are not known.
  private var isLongestAboveLimit: Bool {
    (summary.measures.stallNanosecondsMaximum ?? 0) > HangLimit.long
  }

  private func hitchText(_ band: HitchBand) -> String {
    let ratio = MeasureText.of(Double(summary.measures.hitchMicrosecondsPerSecond ?? 0), in: .microsecondsPerSecond)
    return "hitches \(ratio): \(band.rawValue), \(scale.range(of: band))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
