import Experiments
import Foundation
import Harness
import MachineSimulated
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// Runs all rows of one or more published tables, as `stackbench validate --published …` does.
package struct PublishedValidation: Sendable {
  /// The tables in the order in which they are printed, each with the devices on which its rows run.
  private let tables: [(table: PublishedTable, profiles: [Profile])]
  /// True if all shipped tables were selected, so that a summary and the constraints are printed.
  private let isWhole: Bool
  private let request: ValidationRequest

  /// The text for standard output, with a flag that is true if every required order holds.
  package struct Report: Sendable {
    package var text: String
    package var passed: Bool
  }

  /// Creates a run of the tables that a value of `--published` names.
  ///
  /// - Throws: `RunFailure` if a table or a profile cannot be read.
  package init(_ name: String, request: ValidationRequest) throws(RunFailure) {
    var tables: [(table: PublishedTable, profiles: [Profile])] = []
    for table in try PublishedLibrary.tables(named: name) {
      var profiles: [Profile] = []
      for row in table.rows.indices {
        do throws(RunFailure) {
          profiles.append(try UserInput.profile(named: request.profile ?? table.profile(ofRow: row)))
        } catch {
          throw request.profile == nil ? .usage("\(table.name): profile: \(error.message)") : error
        }
      }
      tables.append((table, profiles))
    }
    self.tables = tables
    isWhole = name == PublishedNames.all
    self.request = request
  }

  private func makeScratch() throws -> ScratchFolder {
    try ScratchFolder(in: request.scratch ?? FileManager.default.temporaryDirectory.path)
  }

  /// Runs all rows and writes the requested files. The text is complete even if a required order does not hold.
  ///
  /// - Throws: `RunFailure` if a row fails or the output folder cannot be written; `CancellationError` if the run is
  ///   interrupted.
  package func run(_ progress: any ProgressDisplay) async throws -> Report {
    let folder = try request.output.map { try OutputFolder($0, flag: "--output", files: PublishedValidation.fileNames) }
    defer { progress.clear() }
    do {
      if request.fits { return try await fitted(progress: progress, folder: folder) }
      let compared = try await compare(tables, progress: progress)
      let constraints = isWhole ? try ConstraintLibrary.results(on: tables.flatMap(\.profiles)) : []
      if let folder { try write(compared.map(\.comparison), constraints: constraints, to: folder) }
      return Report(
        text: try request.isJSON
          ? json(compared, constraints: constraints) : text(compared.map(\.comparison), constraints: constraints),
        passed: compared.allSatisfy(\.comparison.passed))
    } catch {
      folder?.removeIfUnused()
      throw error
    }
  }

  /// A table with the measurements of its rows.
  private struct Compared {
    var table: PublishedTable
    /// The measurements of each row, one for each figure.
    var measurements: [[PublishedMeasurement]]
    var comparison: PublishedComparison
  }

  /// Fits the shape and the devices, runs all rows on the fitted devices, and writes the requested files.
  private func fitted(progress: any ProgressDisplay, folder: OutputFolder?) async throws -> Report {
    let scratch = try makeScratch()
    defer { scratch.remove() }
    let run = PublishedRun(seed: request.seed, children: Children(scratch: scratch))
    let outcome = try await ShapeFitRun(tables.map(\.table), run: run).outcome(progress: progress)
    let compared = try await compare(
      tables.map { ($0.table, $0.profiles.map { outcome.devices[$0.name] ?? $0 }) }, progress: progress)
    let constraints = try ConstraintLibrary.results(on: outcome.devices.values.sorted { $0.name < $1.name })
    if let folder {
      try write(compared.map(\.comparison), constraints: constraints, profiles: outcome.files, to: folder)
    }
    return Report(
      text: text(compared.map(\.comparison), constraints: constraints) + "\n" + outcome.text,
      passed: compared.allSatisfy(\.comparison.passed))
  }

  private func compare(
    _ tables: [(table: PublishedTable, profiles: [Profile])], progress: any ProgressDisplay
  ) async throws -> [Compared] {
    let scratch = try makeScratch()
    defer { scratch.remove() }
    let jobs = tables.flatMap { table, profiles in
      profiles.enumerated().map { PublishedRun.Job(table: table, row: $0, profile: $1) }
    }
    let run = PublishedRun(seed: request.seed, children: Children(scratch: scratch))
    var measurements = try await run.measurements(of: jobs, progress: progress)[...]
    return tables.map { table, profiles in
      let own = Array(measurements.prefix(table.rows.count))
      measurements = measurements.dropFirst(table.rows.count)
      let devices = profiles.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      return Compared(
        table: table, measurements: own,
        comparison: table.comparison(with: own, profile: devices.joined(separator: ", ")))
    }
  }
}

// MARK: - Results

extension PublishedValidation {
  private func text(_ comparisons: [PublishedComparison], constraints: [ConstraintResult] = []) -> String {
    let page = PublishedPage(comparisons, hasSummary: isWhole, constraints: constraints).page
    return TerminalPage(page, usesColour: request.usesColour).text
  }

  private func json(_ compared: [Compared], constraints: [ConstraintResult]) throws -> String {
    let first = compared[0]
    return try JSONText.text(
      of: isWhole
        ? PublishedComparison.json(compared.map(\.comparison), constraints: constraints)
        : first.table.json(of: first.comparison, measurements: first.measurements))
  }

  private static let fileNames: Set<String> = ["published.csv", "published.md"]

  private func write(
    _ comparisons: [PublishedComparison], constraints: [ConstraintResult] = [],
    profiles: [(name: String, text: String)] = [], to folder: OutputFolder
  ) throws {
    let files =
      [
        ("published.csv", PublishedFigureTable.csv(of: comparisons).text),
        (
          "published.md",
          MarkdownPage(
            PublishedPage(comparisons, hasSummary: true, constraints: constraints, listsSources: true).page, level: 1
          ).text
        ),
      ] + profiles
    let names = PublishedValidation.fileNames.union(profiles.map(\.name))
    do {
      _ = try folder.replace(EarlierFiles(isReplaced: names.contains, marks: ["published.csv"])) { path in
        for (name, text) in files { try AtomicFile.write(Data(text.utf8), to: "\(path)/\(name)") }
      }
    } catch let error as FileError {
      throw RunFailure.unwritable(error, advice: "use an existing folder that is writable")
    }
  }
}
