import Foundation
import Harness
import MachineSimulated
import Metrics
import Reporting

/// `stackbench validate --published …`: runs all rows of one or more published tables.
struct PublishedValidation: Sendable {
  /// In the order in which they are printed, each with the device that its rows run on.
  private let tables: [(table: PublishedTable, profile: Profile)]
  /// Whether all shipped tables were asked for, so that a summary belongs to them.
  private let isWhole: Bool
  private let seed: UInt64
  private let output: String?
  private let isJSON: Bool
  private let isQuiet: Bool
  private let scratchParent: String

  /// The text for standard output, and whether every required order came out.
  struct Report: Sendable {
    var text: String
    var passed: Bool
  }

  /// - Throws: `CommandFailure` for a table or a profile that cannot be read, and for flags that contradict each other.
  init(_ name: String, _ flags: ValidationFlags) throws(CommandFailure) {
    if flags.trials != nil {
      throw .usage("--trials: concerns live runs; leave it out beside --published \(name)")
    }
    if flags.rows != nil {
      throw .usage("--rows: a published table says how many objects; leave it out beside --published \(name)")
    }
    var tables: [(table: PublishedTable, profile: Profile)] = []
    for table in try PublishedLibrary.tables(named: name) {
      do throws(CommandFailure) {
        tables.append((table, try ProfileLibrary.profile(named: flags.profile ?? table.profile)))
      } catch {
        throw flags.profile == nil ? .usage("\(table.name): profile: \(error.message)") : error
      }
    }
    self.tables = tables
    isWhole = name == PublishedLibrary.allName
    seed = flags.seed
    output = flags.output.map(ValidateCommand.absolutePath)
    isJSON = flags.format == "json"
    isQuiet = flags.quiet
    scratchParent = ValidateCommand.absolutePath(flags.scratch ?? FileManager.default.temporaryDirectory.path)
  }

  /// Runs all rows and writes the files that were asked for. The text is printed whole even if an order is missed.
  ///
  /// - Throws: `CommandFailure` of a row that failed, or of an output folder that cannot be written; `CancellationError`
  ///   when interrupted.
  func run() async throws -> Report {
    let folder = try output.map { try OutputFolder($0, flag: "--output") }
    let progress = ProgressLine(isQuiet: isQuiet)
    defer { progress.clear() }
    do {
      let compared = try await compare(progress)
      if let folder { try write(compared.map(\.comparison), to: folder) }
      return Report(
        text: try isJSON ? json(compared) : text(compared.map(\.comparison)),
        passed: compared.allSatisfy(\.comparison.passed))
    } catch {
      folder?.removeIfUnused()
      throw error
    }
  }

  /// A table with what its rows measured.
  private struct Compared {
    var table: PublishedTable
    /// For each row, one measurement for each figure.
    var measurements: [[PublishedMeasurement]]
    var comparison: PublishedComparison
  }

  private func compare(_ progress: ProgressLine) async throws -> [Compared] {
    let scratch = try ScratchFolder(in: scratchParent)
    defer { scratch.remove() }
    let jobs = tables.flatMap { table, profile in
      table.rows.indices.map { PublishedRun.Job(table: table, row: $0, profile: profile) }
    }
    let run = PublishedRun(seed: seed, children: try Children(scratch: scratch))
    var measurements = try await run.measurements(of: jobs, progress: progress)[...]
    return tables.map { table, profile in
      let own = Array(measurements.prefix(table.rows.count))
      measurements = measurements.dropFirst(table.rows.count)
      return Compared(
        table: table, measurements: own, comparison: table.comparison(with: own, profile: profile.name))
    }
  }
}

// MARK: - Results

extension PublishedValidation {
  private func text(_ comparisons: [PublishedComparison]) -> String {
    let reports = comparisons.map { PublishedReport($0, usesColour: StandardOutput.showsColour).text }
    let summary = isWhole ? [PublishedSummaryText.text(of: PublishedSummary(comparisons))] : []
    return (reports + summary).joined(separator: "\n")
  }

  private func json(_ compared: [Compared]) throws -> String {
    if isWhole { return try JSONText.text(of: PublishedDocument(compared.map(\.comparison))) }
    switch compared[0].table.name {
    case "kugler-2013":
      return try JSONText.text(of: ShootoutComparison(compared[0].table, compared[0].comparison))
    case "anchor-iphone-6":
      return try JSONText.text(
        of: AnchorComparison(compared[0].table, compared[0].comparison, compared[0].measurements))
    default: return try JSONText.text(of: compared[0].comparison)
    }
  }

  private func write(_ comparisons: [PublishedComparison], to folder: OutputFolder) throws {
    let files = [
      ("published.csv", PublishedTables.csv(of: comparisons).text),
      ("published.md", PublishedTables.markdown(of: comparisons)),
    ]
    do throws(ReportingError) {
      var staged: [AtomicFile] = []
      for (name, text) in files {
        staged.append(try AtomicFile(staging: Data(text.utf8), for: "\(folder.path)/\(name)"))
      }
      for file in staged { try file.commit() }
    } catch {
      throw CommandFailure.usage("\(error)")
    }
  }
}
