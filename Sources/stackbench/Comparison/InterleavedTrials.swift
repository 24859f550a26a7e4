import Foundation
import Metrics
import Reporting

/// The trials of two programs in turns.
struct InterleavedTrials: Sendable {
  struct Side: Sendable {
    var title: String
    var program: ForeignProgram
  }

  /// Two.
  let programs: [Side]
  let pairs: Int
  /// Of each stack on either side of a pair.
  let trialsPerSide: Int
  let runFlags: [String]
  let scratch: String

  /// Runs each side once without counting it, then all pairs; a pair's second side is the next one's first.
  ///
  /// - Throws: `CommandFailure` for the first trial that fails, naming its side; `CancellationError`.
  func run(_ progress: ProgressLine) async throws -> [ComparedResult] {
    for side in programs {
      // Whatever is read for the first time, the program itself before all, is read now.
      progress.show("\(side.title), warming up")
      _ = try await result(of: side, pair: 0)
    }
    let timeLeft = TimeLeft(trials: pairs)
    var results: [[ComparedResult]] = [[], []]
    for pair in 1...pairs {
      progress.show("pair \(pair) of \(pairs)\(timeLeft.text(done: pair - 1))")
      for place in pair % 2 == 1 ? [0, 1] : [1, 0] {
        results[place].append(try await result(of: programs[place], pair: pair))
      }
    }
    return results.map(InterleavedTrials.joined)
  }

  /// One `run`, with what stands for its trials of each stack.
  private func result(of side: Side, pair: Int) async throws -> ComparedResult {
    let folder = "\(scratch)/results"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ended = try await side.program.run(
      ["run"] + runFlags + ["--trials", "\(trialsPerSide)", "--idle-seconds", "1", "--quiet", "--output", folder])
    guard ended.status == 0 else {
      let complaint = ended.complaint ?? "ended with status \(ended.status) and said nothing"
      throw CommandFailure(ExitStatus(rawValue: ended.status) ?? .failed, "\(side.title): \(complaint)")
    }
    do {
      var result = try ComparedResult(folder: folder)
      result.title = side.title
      result.trials = TrialRecord.lowerMedians(of: result.trials)
      for index in result.trials.indices { result.trials[index].identity.trial = pair }
      return result
    } catch {
      throw CommandFailure.failed("\(side.title): its results cannot be read: \(error)")
    }
  }

  /// One result with the trials of all; its manifest is the first's, with the idle ticks of the run in the middle.
  private static func joined(_ results: [ComparedResult]) -> ComparedResult {
    var joined = results[0]
    joined.trials = results.flatMap(\.trials)
    let idle = results.compactMap(\.manifest.idleTicks).sorted {
      $0.latenessNanosecondsP99 < $1.latenessNanosecondsP99
    }
    if !idle.isEmpty { joined.manifest.idleTicks = idle[(idle.count - 1) / 2] }
    return joined
  }
}
