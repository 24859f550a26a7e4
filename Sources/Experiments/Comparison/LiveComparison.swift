import Foundation
import Metrics
import Reporting
import TrialProcesses

/// Two programs on one machine, their trials in turns: A B, B A, A B, …
///
/// What the machine does meanwhile (other processes, heat, a full disk) hits both sides of a pair alike, and which side
/// goes first changes from trial to trial. Each side is a `run --take-turns` of its own program: between versions that is
/// a contract, which what passes between a run and its children is not.
package struct LiveComparison: Sendable {
  /// The two arguments as given.
  let sides: [String]
  let pairs: Int
  /// Of each stack on either side of a pair.
  let trialsPerSide: Int
  /// How many stacks `runFlags` ask for.
  let stackCount: Int
  /// The arguments of `run` for both sides, which are programs of their own.
  let runFlags: [String]
  let progress: any ProgressDisplay

  package init(
    sides: [String], pairs: Int, trialsPerSide: Int, stackCount: Int, runFlags: [String], progress: any ProgressDisplay
  ) {
    self.sides = sides
    self.pairs = pairs
    self.trialsPerSide = trialsPerSide
    self.stackCount = stackCount
    self.runFlags = runFlags
    self.progress = progress
  }

  /// Builds what is to be built and runs all trials; what it made is gone when it ends.
  ///
  /// - Parameter folder: where programs are built and stores lie.
  /// - Throws: `RunFailure`; `CancellationError` when interrupted.
  package func run(in folder: OutputFolder) async throws -> (first: ComparedResult, second: ComparedResult) {
    let scratch = try ScratchFolder(in: folder.path)
    let git = ForeignProgram(named: "git", scratch: scratch.path)
    let builder = RevisionBuilder(scratch: scratch.path, git: git)
    do {
      var compared: [ComparedProgram] = []
      for side in sides { compared.append(try await ComparedProgram(side, git: git)) }
      let paths = try await programs(compared, builder)
      let titles = LiveComparison.titles(of: compared)
      let trials = InterleavedTrials(
        sides: zip(titles, paths).map {
          InterleavedTrials.Side(title: $0, program: ForeignProgram(path: $1, scratch: scratch.path))
        }, pairs: pairs, trialsPerSide: trialsPerSide, stackCount: stackCount, runFlags: runFlags,
        scratch: scratch.path)
      let results = try await trials.run(progress)
      progress.clear()
      await builder.forget()
      scratch.remove()
      return results
    } catch {
      progress.clear()
      await builder.forget()
      scratch.remove()
      throw error
    }
  }

  /// Where both sides' programs lie; one place if they are the same.
  private func programs(
    _ sides: [ComparedProgram], _ builder: RevisionBuilder
  ) async throws -> [String] {
    progress.show("building \(sides[0].title)")
    let first = try await builder.program(of: sides[0], place: "program-a")
    if sides[0].isSame(as: sides[1]) { return [first, first] }
    progress.show("building \(sides[1].title)")
    return [first, try await builder.program(of: sides[1], place: "program-b")]
  }

  /// Told apart even where both are called the same.
  private static func titles(of sides: [ComparedProgram]) -> [String] {
    let titles = sides.map(\.title)
    return titles[0] == titles[1] ? ["\(titles[0]), A", "\(titles[1]), B"] : titles
  }
}
