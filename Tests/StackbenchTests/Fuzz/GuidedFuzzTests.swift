import Foundation
import Glibc
import TestSupport
import Testing

/// Tests with inputs that a coverage-guided fuzzer has found, and the fuzzer itself. `make fuzz` runs it, in a build
/// with libFuzzer and the address sanitizer.
@Suite struct GuidedFuzzTests {
  private static let corpus = Repository.root.appendingPathComponent("Tests/StackbenchTests/FuzzCorpus")

  @Test func `each input of the corpus is accepted or refused in one line`() async throws {
    let folder = try TemporaryFolder()
    var counts: [String: Int] = [:]
    let valid = try await FuzzCorpus.make(in: folder.path, program: Program.path)
    for file in GuidedFile.all {
      let inputs = "\(Self.corpus.path)/\(file.name)"
      let reading = try GuidedReading(of: file, in: "\(folder.path)/\(file.name).inputs", valid)
      for name in try FileManager.default.contentsOfDirectory(atPath: inputs).sorted() {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(inputs)/\(name)"))
        #expect(reading.finding(bytes) == nil, "\(file.name)/\(name)")
        counts[file.name, default: 0] += 1
      }
    }
    #expect(Set(counts.keys) == Set(GuidedFile.all.map(\.name)))
  }

  #if COVERAGE_GUIDED
    private static func variable(_ name: String) -> String? {
      ProcessInfo.processInfo.environment["STACKBENCH_FUZZ_\(name)"]
    }

    /// Writes the valid files, and a corpus of one valid input for each file, into a folder.
    @Test(.enabled(if: variable("MAKE") != nil)) func `the fuzzer's valid files can be written`() async throws {
      let path = try #require(Self.variable("MAKE"))
      try FileManager.default.createDirectory(atPath: "\(path)/valid", withIntermediateDirectories: true)
      let valid = try await FuzzCorpus.make(in: "\(path)/valid", program: Program.path)
      for file in GuidedFile.all {
        try FileManager.default.createDirectory(
          atPath: "\(path)/seeds/\(file.name)", withIntermediateDirectories: true)
        try GuidedReading.seed(of: file, valid).write(to: URL(fileURLWithPath: "\(path)/seeds/\(file.name)/valid"))
      }
    }

    /// Runs libFuzzer on one file. It ends the process, with a status other than 0 if it has found something.
    @Test(.enabled(if: variable("FILE") != nil)) func `the fuzzer finds no input that is read wrongly`() throws {
      let file = try #require(GuidedFile.all.first { $0.name == Self.variable("FILE") })
      let valid = FuzzCorpus(path: "\(try #require(Self.variable("VALID")))")
      Self.reading = try GuidedReading(of: file, in: try #require(Self.variable("WORK")), valid)
      let words = ["fuzz"] + (Self.variable("ARGUMENTS") ?? "").split(separator: " ").map(String.init)
      var count = CInt(words.count)
      var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: words.count + 1)
      for (index, word) in words.enumerated() { arguments?[index] = strdup(word) }
      arguments?[words.count] = nil
      _ = runDriver(&count, &arguments) { bytes, count in
        if let finding = Self.reading?.finding(Data(UnsafeRawBufferPointer(start: bytes, count: count))) {
          FileHandle.standardError.write(Data("finding: \(finding)\n".utf8))
          abort()
        }
        return 0
      }
    }

    private nonisolated(unsafe) static var reading: GuidedReading?
  #endif
}

#if COVERAGE_GUIDED
  /// The entry of libFuzzer.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ readInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt
#endif

/// Reads one file again and again, with other bytes each time, among files that stay valid.
private struct GuidedReading {
  private let file: GuidedFile
  private let path: String
  private let reading: FuzzReading

  /// The largest number of seconds of the processor's time for an input. The fuzzer's build is more than ten times as
  /// slow as a release build.
  private static let secondsPerInput = 10.0

  /// Copies the valid files that are read with the file into a folder.
  init(of file: GuidedFile, in path: String, _ valid: FuzzCorpus) throws {
    self.file = file
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, data) in valid.files(of: file.reader) {
      let url = URL(fileURLWithPath: "\(path)/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
    reading = try FuzzReading(path: path, corpus: valid)
  }

  static func seed(of file: GuidedFile, _ valid: FuzzCorpus) -> Data {
    guard let path = file.path else { return Data("run\n--rows\n5\n--topology\nthree-tier".utf8) }
    return valid.files(of: file.reader)[path] ?? Data()
  }

  /// Returns a description of the misbehaviour, or nil if the bytes were read or refused correctly.
  func finding(_ bytes: Data) -> String? {
    let start = Self.processorSeconds
    do {
      if let name = file.path { try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    } catch {
      return "\(error)"
    }
    if let finding = reading.finding(FuzzInput(file, bytes: bytes)) { return finding }
    let seconds = Self.processorSeconds - start
    return seconds > Self.secondsPerInput ? "reading took \(seconds) s of the processor's time" : nil
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
