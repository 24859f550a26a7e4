import Foundation
import Reporting

/// The folder that the gate compares with: one folder for each run, and beside them what its gate runs and tolerates.
struct GateBaseline: Sendable {
  static let standardFolder = "Results/baseline"

  let path: String

  func folder(of run: GateRun) -> ResultsFolder { ResultsFolder(path: "\(path)/\(run.name)") }

  /// The results of each run; nil for one that the baseline does not have.
  ///
  /// - Throws: `CommandFailure` with status 1 where there is no baseline at all, or one of a later version; with 64 where
  ///   a file is damaged, naming it and the line.
  func results(of runs: [GateRun]) throws -> [GateResults?] {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isThere || isFolder.boolValue else {
      throw CommandFailure.usage("--baseline \(path): not a folder; use one that 'make baseline' has made")
    }
    let missing = runs.map { GateResults.isMissing(from: folder(of: $0)) }
    guard missing.contains(false) else {
      if !GateResults.isMissing(from: ResultsFolder(path: path)) {
        throw CommandFailure.failed(
          "--baseline \(path): holds the results of one run, not a baseline, which has a folder for each of the gate's "
            + "runs; use the one that 'make baseline' has made")
      }
      throw CommandFailure.failed(
        "--baseline \(path): no baseline yet; make one with 'make baseline' "
          + "(stackbench gate --record --baseline \(path))")
    }
    return try zip(runs, missing).map { run, isMissing in isMissing ? nil : try results(of: run) }
  }

  private func results(of run: GateRun) throws -> GateResults {
    do {
      return try GateResults(reading: folder(of: run))
    } catch {
      if error.code == .newerSchema {
        throw CommandFailure.failed("\(error); use that version, or record the baseline anew with 'make baseline'")
      }
      throw CommandFailure.usage("\(error); restore it, or record the baseline anew with 'make baseline'")
    }
  }

  /// The noise of each run; none of a run that the baseline does not have.
  ///
  /// - Throws: `CommandFailure` with status 64 for a damaged file, naming it and the line.
  func noise(of runs: [GateRun]) throws -> [GateNoise] {
    try runs.map { run in
      do {
        return try GateNoise(reading: folder(of: run))
      } catch {
        throw CommandFailure.usage("\(error); restore it, or record the baseline anew with 'make baseline'")
      }
    }
  }

  /// The runs that the baseline has and the gate does not know, in the order of their names.
  func foreignRuns(besides runs: [GateRun]) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in
      !runs.contains { $0.name == name } && !GateResults.isMissing(from: ResultsFolder(path: "\(path)/\(name)"))
    }.sorted()
  }
}

// MARK: - Recording

extension GateBaseline {
  /// Replaces what the baseline holds by what the runs came to, and removes runs that are no longer among them; none is
  /// touched unless all can be written.
  ///
  /// - Parameters:
  ///   - noise: How much chance moves the measures of each run.
  ///   - results: The results of each run.
  ///   - output: The folder with a folder of results for each run.
  /// - Throws: `CommandFailure` with status 64 if the baseline cannot be written.
  func replace(by plan: GatePlan, _ noise: [GateNoise], results: [GateResults?], in output: String) throws {
    var staged: [AtomicFile] = []
    do {
      for (place, run) in plan.runs.enumerated() {
        let folder = folder(of: run)
        try folder.prepare()
        let fresh = ResultsFolder(path: "\(output)/\(run.name)")
        for name in GateResults.fileNames where FileManager.default.fileExists(atPath: fresh.path(of: name)) {
          let data = try Data(contentsOf: URL(fileURLWithPath: fresh.path(of: name)))
          staged.append(try AtomicFile(staging: data, for: folder.path(of: name)))
        }
        guard plan.draws > 0, let results = results[place] else { continue }
        staged.append(
          try noise[place].file(
            for: folder.path(of: GateNoise.fileName), of: results, tolerances: plan.tolerances, pairs: plan.draws))
      }
      for file in staged { try file.commit() }
      if plan.draws == 0 {
        for run in plan.runs {
          for name in [DrawTable.fileName, GateNoise.fileName] {
            try? FileManager.default.removeItem(atPath: folder(of: run).path(of: name))
          }
        }
      }
    } catch let error as ReportingError {
      throw CommandFailure.usage("\(error); use a folder that is there and writable")
    } catch {
      throw CommandFailure.failed("\(output): the results cannot be read back: \(error.localizedDescription)")
    }
    for name in foreignRuns(besides: plan.runs) {
      let folder = ResultsFolder(path: "\(path)/\(name)")
      for file in GateResults.fileNames + [GateNoise.fileName] {
        try? FileManager.default.removeItem(atPath: folder.path(of: file))
      }
      rmdir(folder.path)
    }
  }
}
