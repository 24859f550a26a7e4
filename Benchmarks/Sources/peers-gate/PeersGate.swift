import Foundation
import MachineCore

/// Runs one case of the engine twice. Valgrind counts the instructions of the second run between the start and the stop
/// of its stopwatch; the first run does what happens only once in a process. `.ci/peers-gate` compares the counts.
///
/// Usage: `peers-gate` prints the names of all cases, `peers-gate CASE FOLDER` runs a case on stores in a folder.
@main
struct PeersGate {
  // Not `async`: its main thread would end in a way that Valgrind does not survive.
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { return print(BenchmarkCase.allCases.map(\.rawValue).joined(separator: "\n")) }
    guard arguments.count == 3, let benchmark = BenchmarkCase(rawValue: arguments[1]) else {
      FileHandle.standardError.write(Data("error: usage: peers-gate [CASE FOLDER]\n".utf8))
      exit(64)
    }
    let templates = StoreTemplates(rowCount: 2_000, in: arguments[2])
    let items = try templates.items(for: benchmark)
    for isCounting in [false, true] {
      Stopwatch.isCounting = isCounting
      let assignment = Assignment(benchmark: benchmark, path: try templates.copy(for: benchmark), items: items)
      let stack = try EngineStack(assignment)
      // The machine's own thread has started then, and does not start while the case is counted.
      stack.machine.mainQueue.sync {}
      _ = try EngineRun(stack: stack, assignment: assignment).sample()
      try stack.close()
    }
  }
}
