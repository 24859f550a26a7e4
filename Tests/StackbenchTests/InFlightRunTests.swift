import Foundation
import TestSupport
import Testing

/// Tests of `--in-flight` on the command line.
@Suite struct InFlightRunTests {
  @Test func `a run with computations prints a sentence for each stack`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Program.run([
      "run", "--machine", "simulated", "--draws", "0", "--rows", "300", "--existing-rows", "60", "--batch-size", "50",
      "--in-flight", "none", "--topology", "worker-merge", "--topology", "all-main", "--output",
      "\(folder.path)/results",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("worker-merge/notification: 1 computation, 1 failed; 1 deleted row came back; a deletion took"))
    #expect(words.contains("all-main: 1 computation, 1 applied; a deletion took"))
  }

  @Test func `a sweep over the policies has a column for each end`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Program.run([
      "sweep", "--vary", "in-flight=off,modal", "--topology", "worker-merge", "--rows", "300", "--existing-rows", "60",
      "--batch-size", "50", "--output", "\(folder.path)/sweep",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let titles = ["started", "applied", "failed", "discarded", "cancelled", "restored", "wait p50 ms", "wait max ms"]
    for title in titles { #expect(outcome.output.contains(" \(title)"), "\(title)") }
    let csv = try String(contentsOfFile: "\(folder.path)/sweep/sweep.csv", encoding: .utf8)
    let lines = csv.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let place = try #require(lines.first?.firstIndex(of: "in_flight_started_count"))
    #expect(lines.dropFirst().map { [$0[0], $0[place]] } == [["off", ""], ["modal", "1"]])
  }
}
