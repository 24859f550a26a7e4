import Foundation
import Glibc
import MachineCore
import TestSupport
import Testing

/// Tests with damaged files and random command lines. The program must use each input or refuse it in one line, and the
/// process must never crash.
///
/// The inputs are made from a seed. Most are read in child processes of this test, so that a trap ends only the child.
/// One in seven starts the program. `make fuzz` runs more inputs.
@Suite(.serialized) struct FuzzTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["STACKBENCH_FUZZ_\(name)"].flatMap { Int($0) }
  }

  private static let count = number("INPUTS") ?? 60
  private static let first = number("FIRST") ?? 1
  private static let seed = UInt64(number("SEED") ?? 1)
  /// The number of processes that run at the same time.
  private static let width = 2
  private static let batchSize = 100

  @Test func `every random input is accepted or refused in one line`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let program = ProcessInfo.processInfo.environment["STACKBENCH_FUZZ_BINARY"] ?? Program.path
    let corpusPath = "\(path)/corpus"
    try FileManager.default.createDirectory(atPath: corpusPath, withIntermediateDirectories: true)
    let corpus = try await FuzzCorpus.make(in: corpusPath, program: program)
    let last = Self.first + Self.count - 1
    let starts = Array(stride(from: Self.first, through: last, by: Self.batchSize))
    await withTaskGroup { group in
      for lane in 0..<Self.width {
        group.addTask {
          for (index, start) in starts.enumerated() where index % Self.width == lane {
            await Self.run(
              FuzzBatch(
                corpus: corpus, program: program, seed: Self.seed, first: start,
                last: min(last, start + Self.batchSize - 1), path: "\(path)/batch-\(start)"))
          }
        }
      }
    }
    // The folder is removed with its object.
    withExtendedLifetime(folder) {}
  }

  /// Runs a batch in a child process. If an input ends the process, the rest of the batch runs in another one.
  private static func run(_ whole: FuzzBatch) async {
    var batch = whole
    while batch.first <= batch.last {
      try? FileManager.default.createDirectory(atPath: batch.path, withIntermediateDirectories: true)
      let ended = await #expect(processExitsWith: .success) { [batch = batch as FuzzBatch] in
        try await batch.run()
      }
      for finding in batch.findings { Issue.record("\(finding)") }
      guard ended == nil, let number = batch.lastNumber else { break }
      let input = FuzzInput(seed: batch.seed, number: number, corpus: batch.corpus)
      Issue.record("\(batch.name(of: number)): the process ended: \(input.description)")
      batch.first = number + 1
    }
    try? FileManager.default.removeItem(atPath: whole.path)
  }
}

/// A range of inputs that one process reads.
struct FuzzBatch: Codable, Sendable {
  var corpus: FuzzCorpus
  var program: String
  var seed: UInt64
  var first: Int
  var last: Int
  /// The folder of the process.
  var path: String

  /// The largest number of seconds for an input, after which a signal ends the process.
  private static let secondsPerInput: UInt32 = 90

  private var numberFile: String { "\(path)/number" }
  private var findingsFile: String { "\(path)/findings" }

  /// The number of the input that the process read last, or nil if it did not read any.
  var lastNumber: Int? { (try? String(contentsOfFile: numberFile, encoding: .utf8)).flatMap { Int($0) } }

  var findings: [String] {
    let text = (try? String(contentsOfFile: findingsFile, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Returns the name of an input, with the command that reads it again.
  func name(of number: Int) -> String { "input \(number) (.ci/fuzz BINARY 1 \(seed) \(number))" }

  func run() async throws {
    signal(SIGALRM, SIG_DFL)
    try? FileManager.default.removeItem(atPath: findingsFile)
    let reading = try FuzzReading(path: "\(path)/input/work", corpus: corpus)
    for number in first...last {
      try Data("\(number)".utf8).write(to: URL(fileURLWithPath: numberFile))
      alarm(Self.secondsPerInput)
      let input = FuzzInput(seed: seed, number: number, corpus: corpus)
      let folder = "\(path)/input"
      let work = "\(folder)/work"
      for name in [work, "\(folder)/temporary"] {
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
      }
      try write(input, to: work)
      let finding =
        input.startsProgram
        ? try await FuzzProgram(program: program, path: folder).finding(input)
        : reading.finding(input)
      if let finding { try note("\(name(of: number)): \(finding): \(input.description)") }
      try FileManager.default.removeItem(atPath: folder)
    }
    alarm(0)
  }

  private func write(_ input: FuzzInput, to folder: String) throws {
    for (name, data) in input.files {
      let file = URL(fileURLWithPath: "\(folder)/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
    // A command line also needs the files with which the damaged ones are compared.
    guard input.startsProgram else { return }
    switch input.reader {
    case .comparison:
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/other", withDestinationPath: "\(corpus.path)/run")
    case .gate:
      try FileManager.default.copyItem(
        atPath: "\(corpus.path)/baseline/gate.yaml", toPath: "\(folder)/baseline/gate.yaml")
    default: break
    }
  }

  private func note(_ finding: String) throws {
    let line = Data((finding.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n").utf8)
    let known = FileManager.default.contents(atPath: findingsFile) ?? Data()
    try (known + line).write(to: URL(fileURLWithPath: findingsFile))
  }
}
