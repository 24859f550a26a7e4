import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The folder of a baseline, with which the gate compares results.
///
/// It contains one folder for each run, and may contain the file of a ``GatePlan``.
package struct GateBaseline: Sendable {
  package static let standardFolder = "Results/baseline"
  /// The name of the folder beside a plan that is not in the folder of its baseline.
  package static let folderBesidePlan = "gate-baseline"

  /// The path of the folder in messages.
  let path: String
  /// The absolute path of the folder.
  private let location: String

  /// The words by which messages name the baseline and the ways to record one.
  let words: Words

  /// Creates a value for the baseline in the folder at `path`, which may be missing. Messages name the baseline and the
  /// ways to record one by `words`.
  package init(path: String, words: Words) {
    self.path = path
    location = WorkingFolder.absolutePath(path)
    self.words = words
  }

  /// The words by which messages name the baseline and the ways to record one.
  package struct Words: Sendable {
    /// The flag that names the folder.
    let flag: String
    /// The short command that records a baseline.
    let recording: String
    /// The command that records a baseline, or nil if that is the short one.
    let program: String?

    package init(flag: String, recording: String, program: String? = nil) {
      self.flag = flag
      self.recording = recording
      self.program = program
    }
  }

  func folder(of run: GateRun) -> ResultsFolder { ResultsFolder(path: "\(location)/\(run.name)") }

  /// Returns an error with the path of its file as the user names the folder.
  private func shown(_ error: FileError) -> String {
    let text = "\(error)"
    return text.hasPrefix(location) ? path + text.dropFirst(location.count) : text
  }

  /// Returns the results of each run, or nil for a run that the baseline does not have and for a live run.
  ///
  /// There need not be a baseline if all runs have limits.
  ///
  /// - Throws: `RunFailure` with status 1 if there is no baseline, or if a later version of the program wrote it; with
  ///   status 64 if the path is not a folder, or if a file is damaged, with the file and the line in the message.
  package func results(of runs: [GateRun]) throws -> [GateResults?] {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: location, isDirectory: &isFolder)
    guard !isThere || isFolder.boolValue else {
      throw RunFailure.usage("\(words.flag) \(path): not a folder; use one that \(words.recording) has made")
    }
    let missing = runs.map { $0.isLive || GateResults.isMissing(from: folder(of: $0)) }
    guard missing.contains(false) || runs.allSatisfy({ !$0.limits.isEmpty }) else {
      if !GateResults.isMissing(from: ResultsFolder(path: location)) {
        throw RunFailure.failed(
          "\(words.flag) \(path): holds the results of one run, not a baseline, which has a folder for each of the "
            + "gate's runs; use the one that \(words.recording) has made")
      }
      throw RunFailure.failed(
        "\(words.flag) \(path): no baseline yet; make one with \(words.recording)"
          + (words.program.map { " (\($0))" } ?? ""))
    }
    return try zip(runs, missing).map { run, isMissing in isMissing ? nil : try results(of: run) }
  }

  private func results(of run: GateRun) throws -> GateResults {
    do throws(FileError) {
      return try GateResults(reading: folder(of: run))
    } catch {
      if error.code == .newerSchema {
        throw RunFailure.failed(
          "\(shown(error)); use that version, or record the baseline again with \(words.recording)")
      }
      throw RunFailure.usage("\(shown(error)); restore it, or record the baseline again with \(words.recording)")
    }
  }

  /// Returns the noise of each run. The noise is empty for a run without a file of it.
  ///
  /// - Throws: `RunFailure` with status 64 if a file is damaged, with the file and the line in the message.
  func noise(of runs: [GateRun]) throws -> [GateNoise] {
    try runs.map { run in
      do throws(FileError) {
        return try GateNoise(reading: folder(of: run))
      } catch {
        throw RunFailure.usage("\(shown(error)); restore it, or record the baseline again with \(words.recording)")
      }
    }
  }

  /// Returns the names of the runs that the baseline has in addition to `runs`, in ascending order.
  func foreignRuns(besides runs: [GateRun]) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: location)) ?? []
    return names.filter { name in
      !runs.contains { $0.name == name } && !GateResults.isMissing(from: ResultsFolder(path: "\(location)/\(name)"))
    }.sorted()
  }
}

// MARK: - Recording

extension GateBaseline {
  /// The names of the files that the baseline has for each run.
  private static let fileNames = Set(GateResults.fileNames + [GateNoise.fileName])

  /// Makes the folder of the baseline if it is missing, and locks it.
  ///
  /// - Throws: `RunFailure` with status 64 if the baseline cannot be written there; with status 1 if another command
  ///   writes there, or if the disk is full.
  func folder(for plan: GatePlan) throws -> OutputFolder {
    let folder = try OutputFolder(location, flag: words.flag)
    do throws(FileError) {
      for run in plan.runs { try StagedFolder.check(Self.fileNames, in: self.folder(of: run).path) }
    } catch {
      throw RunFailure.usage("\(words.flag) \(error); move it away, or use another folder")
    }
    return folder
  }

  /// Replaces all runs of the baseline at once by the results of the plan's runs.
  ///
  /// Runs that the plan does not have are removed from the baseline. All other files stay.
  ///
  /// - Parameters:
  ///   - target: The baseline's folder.
  ///   - plan: The plan whose runs were simulated.
  ///   - noise: The noise of each run, in the order of the plan. It is written only if the plan has draws.
  ///   - results: The results of each run, in the order of the plan.
  ///   - output: The folder with a folder of results for each run, from which the files are copied.
  /// - Throws: `RunFailure` if the results cannot be read back, or if the baseline cannot be written.
  func replace(
    in target: OutputFolder, by plan: GatePlan, _ noise: [GateNoise], results: [GateResults?], from output: String
  ) throws {
    let earlier = EarlierFiles(
      isReplaced: Self.fileNames.contains, marks: [Manifest.fileName],
      folders: Set(plan.runs.map(\.name) + foreignRuns(besides: plan.runs)))
    do {
      _ = try target.replace(earlier) { path in
        for (place, run) in plan.runs.enumerated() {
          let folder = ResultsFolder(path: "\(path)/\(run.name)")
          try folder.prepare()
          try copy(from: ResultsFolder(path: "\(output)/\(run.name)"), to: folder)
          guard plan.draws > 0, let results = results[place] else { continue }
          try noise[place].file(
            for: folder.path(of: GateNoise.fileName), of: results, tolerances: run.tolerances ?? plan.tolerances,
            pairs: plan.draws
          ).commit()
        }
      }
    } catch let error as FileError {
      throw RunFailure.unwritable(error, advice: "use an existing folder that is writable")
    }
  }

  /// Copies those files of a run's results that a baseline contains.
  private func copy(from fresh: ResultsFolder, to folder: ResultsFolder) throws {
    for name in GateResults.fileNames where FileManager.default.fileExists(atPath: fresh.path(of: name)) {
      let data: Data
      do {
        data = try Data(contentsOf: URL(fileURLWithPath: fresh.path(of: name)))
      } catch {
        throw RunFailure.failed("\(fresh.path): the results cannot be read back: \(error.localizedDescription)")
      }
      try AtomicFile.write(data, to: folder.path(of: name))
    }
  }
}
