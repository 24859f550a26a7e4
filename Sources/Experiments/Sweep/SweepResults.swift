import Foundation
import OutputFiles
import Reporting
import Topologies
import TrialProcesses

/// The results of a sweep, which its table and its charts show.
package struct SweepResults: Sendable {
  /// The results in the order of the plan, at most one for each trial.
  let results: [TrialResult]
  /// The number of trials in the plan.
  let count: Int

  /// Checks that the results belong together.
  ///
  /// - Parameters:
  ///   - results: The results in the order of the plan.
  ///   - path: The folder or plan that messages name.
  /// - Throws: `RunFailure` with status 64 if there are no results, a trial has two, or they belong to different plans.
  package init(of results: [TrialResult], in path: String) throws {
    guard let first = results.first else {
      throw RunFailure.usage(
        "\(path): holds no result of a sweep's trial; "
          + "use the folder that stackbench trial wrote to")
    }
    if let other = results.first(where: { $0.trial.plan != first.trial.plan }) {
      throw RunFailure.usage(
        "\(path): holds results of two plans, trials \(first.trial.index) and \(other.trial.index); "
          + "use a folder for each")
    }
    for (one, next) in zip(results, results.dropFirst()) where one.trial.index == next.trial.index {
      throw RunFailure.usage("\(path): holds two results of trial \(one.trial.index); remove one of them")
    }
    let flags = first.trial.varied.map(\.flag)
    let other = results.first { $0.trial.count != first.trial.count || $0.trial.varied.map(\.flag) != flags }
    if let other {
      throw RunFailure.usage(
        "\(path): the results of trials \(first.trial.index) and \(other.trial.index) have different numbers of trials "
          + "or different flags; remove the wrong one and run its trial again")
    }
    self.results = results
    count = first.trial.count
  }

  private var rows: [SweepTable.Row] {
    results.map { SweepTable.Row(values: $0.trial.varied.map(\.value), record: $0.record) }
  }

  /// The name of the first stack that the user has described, or nil if all are known.
  package var ownStack: String? {
    results.lazy.map(\.record.identity.name).first { Topology.named($0) == nil }
  }

  /// Returns the page with the table, which has a row for each point of the grid and each stack. The other stacks are
  /// compared with the stack named `reference`, if it is not nil.
  package func page(reference: String? = nil) -> SweepPage {
    let flags = results[0].trial.varied.map(\.flag)
    let settings = results[0].trial.arguments.compactMap { word -> (String, String)? in
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !flags.contains(String(parts[0])) else { return nil }
      return (String(parts[0]), String(parts[1]))
    }
    return SweepPage(
      flags: flags, rows: rows, settings: Dictionary(settings) { first, _ in first }, reference: reference)
  }

  /// The rows of `sweep.csv`.
  var csv: CSV { SweepTable.csv(flags: results[0].trial.varied.map(\.flag), rows: rows) }

  /// The command that runs the sweep again, with the values that the results have.
  var command: String {
    let flags = results[0].trial.varied.map(\.flag)
    let varied = flags.indices.map { index -> (name: String, value: String?) in
      var values: [String] = []
      for result in results {
        let value = result.trial.argument(of: flags[index]) ?? result.trial.varied[index].value
        if !values.contains(value) { values.append(value) }
      }
      let list = values.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }.joined(separator: ",")
      return (name: "--vary", value: "\(flags[index])=\(list)")
    }
    let common = results[0].trial.arguments.compactMap { word -> (name: String, value: String?)? in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !flags.contains(where: { SettingFlag.named($0) == parts[0] }) else { return nil }
      return (name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    return PrintedCommand("stackbench sweep", options: varied + common).text
  }

  /// The complaints about existing results, one line each.
  package var complaints: [String] { results.compactMap(\.complaint) }

  /// Returns a line that names the first trials without a result, or nil if all trials have one.
  ///
  /// The line names trials by number, and also by title if `plan` is not nil.
  package func missing(from plan: SweepPlan?) -> String? {
    let found = Set(results.map(\.trial.index))
    let missing = (1...count).filter { !found.contains($0) }
    guard !missing.isEmpty else { return nil }
    let shown = missing.prefix(SweepResults.shownCount).map { index in
      plan.map { "\(index) (\($0.trials[index - 1].title))" } ?? "\(index)"
    }
    let more = missing.count > shown.count ? " and \(missing.count - shown.count) more" : ""
    return "\(missing.count) of \(count) rows missing: trial\(missing.count == 1 ? "" : "s") "
      + shown.joined(separator: "; ") + more
  }

  /// The largest number of missing trials that the line names.
  private static let shownCount = 10

  private func charts(of path: String) -> SweepCharts {
    // A chart of drawn devices does not have the device with the profile's own values.
    let drawn = results.filter { $0.trial.draw != nil }
    let charted = drawn.isEmpty ? results : drawn
    return SweepCharts(
      flags: results[0].trial.varied.map(\.flag),
      rows: charted.map { SweepTable.Row(values: $0.trial.varied.map(\.value), record: $0.record) },
      day: SweepFolder(path: path).newestDay)
  }

  /// Writes the charts as files, and returns their number.
  func writeCharts(of path: String, to target: String, as form: ChartForm, in scratch: ScratchFolder) async throws
    -> Int
  {
    let measures = SweepTable.differingMeasures(of: rows)
    try await charts(of: path).write(measures, to: target, as: form, in: scratch)
    return measures.count
  }

  /// Writes the table, then the charts.
  ///
  /// - Returns: A message for the user that names the files.
  /// - Throws: `RunFailure` if a file cannot be written or gnuplot fails; `CancellationError`.
  package func write(to output: OutputFolder) async throws -> String {
    let file = "\(output.path)/\(SweepTable.fileName)"
    do {
      try AtomicFile.write(Data(csv.text.utf8), to: file)
    } catch {
      throw RunFailure.unexpected(error, "the table cannot be written: ", in: output.path)
    }
    let drawn = try await charts(of: output.path).draw(SweepTable.differingMeasures(of: rows), to: output)
    return "\(results.count) of \(count) trials: \(WorkingFolder.shown(file))\n\(drawn)\n"
  }
}
