import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// A comparison of two programs on one machine, whose trials take turns: A B, B A, A B, …
///
/// Disturbances of the machine (other processes, heat, a full disk) thus affect both sides of a pair alike. The side
/// that begins changes from trial to trial.
///
/// Each side executes `run --take-turns` with its own program, since this interface stays compatible between versions.
/// The interface between a run and its child processes does not.
package struct LiveComparison: Sendable {
  /// The two arguments as the user gave them: revisions, or paths of programs.
  let sides: [String]
  /// The number of pairs of each stack.
  let pairs: Int
  /// The number of trials of each stack on either side of a pair.
  let trialsPerSide: Int
  /// The number of stacks that `runFlags` ask for.
  let stackCount: Int
  /// The arguments of `run` for both sides. They are texts, since each side is a separate program.
  let runFlags: [String]
  /// The words of the command line that sentences on the results use.
  let words: CommandWords
  let progress: any ProgressDisplay

  package init(
    sides: [String], pairs: Int, trialsPerSide: Int, stackCount: Int, runFlags: [String], words: CommandWords,
    progress: any ProgressDisplay
  ) {
    self.sides = sides
    self.pairs = pairs
    self.trialsPerSide = trialsPerSide
    self.stackCount = stackCount
    self.runFlags = runFlags
    self.words = words
    self.progress = progress
  }

  /// Builds the revisions, runs all trials, and removes every file that it made.
  ///
  /// - Parameter folder: The folder in which the private folder for builds and results is made.
  /// - Returns: The results of both sides, with one trial for each stack and pair.
  /// - Throws: `RunFailure` if a side is neither a revision nor a program, or if a build or a trial fails;
  ///   `CancellationError` if the task is cancelled.
  package func run(in folder: OutputFolder) async throws -> (first: ComparedResult, second: ComparedResult) {
    let scratch = try ScratchFolder(in: folder.path)
    let git = ForeignProgram("git", scratch: scratch.path)
    let builder = RevisionBuilder(scratch: scratch.path, git: git)
    do {
      var compared: [ComparedProgram] = []
      for side in sides { compared.append(try await ComparedProgram(side, git: git)) }
      let paths = try await programs(compared, builder: builder)
      let titles = LiveComparison.titles(of: compared)
      let trials = InterleavedTrials(
        sides: zip(titles, paths).map {
          InterleavedTrials.Side(title: $0, program: ForeignProgram($1, scratch: scratch.path))
        }, pairs: pairs, trialsPerSide: trialsPerSide, stackCount: stackCount, runFlags: runFlags,
        scratch: scratch.path, words: words)
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

  /// Returns the paths of both sides' programs, which are built if necessary. If both sides are the same program, the
  /// paths are equal.
  private func programs(
    _ sides: [ComparedProgram], builder: RevisionBuilder
  ) async throws -> [String] {
    progress.show("building \(sides[0].title)")
    let first = try await builder.program(of: sides[0], place: "program-a")
    if sides[0].isSame(as: sides[1]) { return [first, first] }
    progress.show("building \(sides[1].title)")
    return [first, try await builder.program(of: sides[1], place: "program-b")]
  }

  /// Returns the titles of both sides. If they are equal, one gets the suffix A and the other the suffix B.
  private static func titles(of sides: [ComparedProgram]) -> [String] {
    let titles = sides.map(\.title)
    return titles[0] == titles[1] ? ["\(titles[0]), A", "\(titles[1]), B"] : titles
  }
}
