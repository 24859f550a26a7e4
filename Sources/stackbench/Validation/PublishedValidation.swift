import Foundation
import MachineCore
import MachineSimulated
import Metrics
import Reporting

/// `stackbench validate --published TABLE`: runs all its rows.
struct PublishedValidation: Sendable {
  private let table: PublishedTable
  private let profile: Profile
  private let objectCount: Int
  private let seed: UInt64
  private let isJSON: Bool
  private let isQuiet: Bool
  private let scratchParent: String

  /// What standard output gets, and whether every required order came out.
  struct Report: Sendable {
    var text: String
    var passed: Bool
  }

  /// - Throws: `CommandFailure` for a profile that cannot be read and flags that contradict each other.
  init(_ table: PublishedTable, _ flags: ValidationFlags) throws(CommandFailure) {
    if let flag = [("--trials", flags.trials != nil), ("--output", flags.output != nil)].first(where: \.1)?.0 {
      throw .usage("\(flag): concerns live runs; leave it out beside --published \(table.rawValue)")
    }
    guard !flags.fit else { throw .usage("--fit: not available; leave it out") }
    self.table = table
    profile = try ProfileLibrary.profile(named: flags.profile ?? table.profileName)
    objectCount = flags.rows ?? table.objectCount
    seed = flags.seed
    isJSON = flags.format == "json"
    isQuiet = flags.quiet
    scratchParent = ValidateCommand.absolutePath(flags.scratch ?? FileManager.default.temporaryDirectory.path)
  }

  /// Nothing is left behind. Status and text do not depend on each other: a table that fails is printed whole.
  ///
  /// - Throws: `CommandFailure` of a row that failed; `CancellationError` when interrupted.
  func run() async throws -> Report {
    let scratch = try ScratchFolder(in: scratchParent)
    let progress = ProgressLine(isQuiet: isQuiet)
    defer {
      progress.clear()
      scratch.remove()
    }
    let run = PublishedRun(table: table, objectCount: objectCount, seed: seed, children: try Children(scratch: scratch))
    return try report(try await run.figures(of: table.rows, on: [profile], progress: progress)[0])
  }

  private func report(_ figures: [[ChildPublishedCommand.Figures]]) throws -> Report {
    let usesColour = StandardOutput.showsColour
    switch table {
    case .kugler2013:
      let comparison = PublishedComparison(
        kugler2013: zip(PublishedFigures.kugler2013, figures).map { published, phases in
          PublishedComparison.Row(published, total: phases[0].total, mainCPU: phases[0].mainCPU)
        })
      return Report(
        text: isJSON
          ? try JSONText.text(of: comparison)
          : PublishedReport(comparison, profile: profile.name, usesColour: usesColour).text,
        passed: comparison.passed)
    case .anchorIPhone6:
      let comparison = AnchorComparison(
        rows: zip(AnchorComparison.Phase.allCases, figures[0]).map { phase, figures in
          AnchorComparison.Row(phase, total: figures.total, cpu: figures.cpu, mainCPU: figures.mainCPU)
        })
      return Report(
        text: isJSON
          ? try JSONText.text(of: comparison)
          : AnchorReport(comparison, profile: profile.name, usesColour: usesColour).text,
        passed: true)
    }
  }
}
