import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The folder that collects the results of a plan, one file for each trial, from any number of processes.
package struct SweepFolder: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package var planPath: String { "\(path)/\(SweepFiles.plan)" }

  private func resultPath(_ index: Int) -> String { "\(path)/\(SweepFiles.result(index))" }
}

// MARK: - Results

extension SweepFolder {
  /// Returns all results in the folder, in the order of the plan.
  ///
  /// - Throws: `RunFailure` with status 64 that names the file, if a file is damaged.
  package func results() throws -> [TrialResult] {
    try resultNames.map { name in
      let file = "\(path)/\(name)"
      return try SweepFolder.result(in: file)
    }.sorted { $0.trial.index < $1.trial.index }
  }

  /// Reads the result of a trial, and checks its figures and its place in the plan.
  ///
  /// - Throws: `RunFailure` with status 64 that names the file, if a file is damaged.
  private static func result(in file: String) throws -> TrialResult {
    let hint = "remove it and run its trial again"
    guard let data = FileManager.default.contents(atPath: file) else {
      throw RunFailure.usage("\(file): cannot be read; \(hint)")
    }
    do throws(FileError) {
      let result = try StoredJSON.decode(TrialResult.self, from: data, path: file, expected: "the result of a trial")
      if let flaw = result.trial.flaw { throw FileError(.malformed, path: file, message: flaw) }
      return result
    } catch {
      throw RunFailure.usage("\(error); \(hint)")
    }
  }

  /// Returns the result of a trial, or nil if the trial has no result.
  ///
  /// - Throws: `RunFailure` with status 64 if the file is damaged or belongs to another plan.
  package func result(of trial: PlannedTrial) throws -> TrialResult? {
    let file = resultPath(trial.index)
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    let result = try SweepFolder.result(in: file)
    guard result.trial == trial else {
      throw RunFailure.usage(
        "\(file): belongs to another plan; remove the results of that plan, or use another folder")
    }
    return result
  }

  /// Writes the file of a result in one step, so that an incomplete file is never visible.
  ///
  /// - Throws: `RunFailure` if the file cannot be written.
  package func write(_ result: TrialResult) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try AtomicFile.write(try encoder.encode(result), to: resultPath(result.trial.index))
    } catch {
      throw RunFailure.unexpected(error, "the result cannot be written: ", in: path)
    }
  }

  private var resultNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter(SweepFiles.isResult).sorted()
  }

  /// The day on which the newest result was written, as in `2026-07-29`, or nil if the folder has no results.
  var newestDay: String? {
    let days = resultNames.compactMap { name in
      (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.modificationDate]) as? Date
    }
    return days.max().map(EarlierFiles.Keeping.day(of:))
  }
}

// MARK: - The plan

extension SweepFolder {
  /// Prepares the folder for the results of `plan`. Results of the same plan stay, and any other result is moved aside.
  ///
  /// - Parameters:
  ///   - plan: The plan of the sweep.
  ///   - output: The same folder, locked for this command.
  ///   - startsAnew: True to remove a sweep that the folder holds, even if it has the same plan.
  /// - Returns: The path to which another result was moved, or nil if no result was moved.
  /// - Throws: `RunFailure` if the other result cannot be moved or the plan cannot be written.
  package func take(_ plan: SweepPlan, in output: OutputFolder, startsAnew: Bool) throws -> String? {
    let isOwn = FileManager.default.contents(atPath: planPath) == Data(plan.text.utf8)
    if isOwn, !startsAnew { return nil }
    if startsAnew { SweepCharts.remove(from: path) }
    let own = EarlierFiles(
      isReplaced: { SweepFiles.isResult($0) || SweepFiles.fixed.contains($0) },
      marks: SweepFiles.fixed)
    do {
      let isSweep = StoredResult.kind(in: path) == .sweep
      let earlier = startsAnew && isSweep ? own : StoredResult.keeping(in: path) ?? own
      return try output.replace(earlier) { try SweepFolder.write(plan, to: "\($0)/\(SweepFiles.plan)") }
    } catch {
      throw RunFailure.unexpected(error, "the plan cannot be written: ", in: path)
    }
  }

  /// The names of a sweep's files, except for the files of its trials.
  package static let fileNames = SweepFiles.fixed

  package static func write(_ plan: SweepPlan, to file: String) throws {
    do throws(FileError) {
      try AtomicFile.write(Data(plan.text.utf8), to: file)
    } catch {
      throw RunFailure.unwritable(error, advice: "use an existing folder that is writable")
    }
  }
}
