import Foundation
import Subprocess
import SystemPackage

/// Starts the program on an input and checks how it ends.
struct FuzzProgram {
  let program: String
  /// The folder of the input. The program runs in its folder `work`, and uses `temporary` for temporary files.
  let path: String

  /// The largest number of lines on standard error that counts as a message.
  private static let largestLineCount = 12

  /// Runs the program. Returns a description of its misbehaviour, or nil if it ended as it should.
  func finding(_ input: FuzzInput) async throws -> String? {
    let outcome = try await Program.run(
      .path("/bin/sh"),
      [
        "-c", #"cd "$1/work" && export TMPDIR="$1/temporary" && shift && exec timeout -s KILL 60 "$@""#, "sh", path,
        program,
      ]
        + input.arguments)
    guard [0, 1, 2, 64].contains(outcome.status) else {
      return "status \(outcome.status), \(outcome.errors.first ?? "without a message")"
    }
    guard outcome.errors.count <= Self.largestLineCount else {
      return "\(outcome.errors.count) lines on standard error"
    }
    if outcome.status != 0, outcome.status != 2, outcome.errors.isEmpty, outcome.output.isEmpty {
      return "status \(outcome.status) without a word"
    }
    if let flaw = outcome.errors.lazy.compactMap({ FuzzReading.flaw(ofLine: $0) }).first { return flaw }
    let isTable = input.arguments.contains("csv")
    let control = outcome.output.unicodeScalars.first { $0.value < 32 && $0 != "\n" && $0 != "\t" || $0 == "\u{7f}" }
    if !isTable, let control { return "control character \(control.value) on standard output" }
    return try strayFile(input)
  }

  /// Returns a description of the first file that the program wrote to a wrong place, or nil if all places are right.
  private func strayFile(_ input: FuzzInput) throws -> String? {
    let manager = FileManager.default
    let root = try manager.contentsOfDirectory(atPath: path).sorted()
    guard root == ["temporary", "work"] else { return "files beside its folder: \(root)" }
    let temporary = try manager.contentsOfDirectory(atPath: "\(path)/temporary")
    guard temporary.isEmpty else { return "temporary files left: \(temporary)" }
    // Random flags may name any file in the folder.
    guard input.reader != .flags else { return nil }
    let known: Set = [
      "out", "out.html", "out.yaml", "run", "other", "sweep", "baseline", "profile.yaml", "table.yaml",
      "topology.yaml", "measurements.csv", "feed.json", "feed.jsonl", "feed.geojson",
      "map.yaml", "claims.yaml", "killed", "answer", "App.xcdatamodel", "stackbench.yaml", "store.sqlite",
      "predicate.txt",
    ]
    let others = try manager.contentsOfDirectory(atPath: "\(path)/work").filter { !known.contains($0) }
    return others.isEmpty ? nil : "files that nobody asked for: \(others)"
  }
}
