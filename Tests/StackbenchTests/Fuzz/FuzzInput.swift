import Foundation
import MachineCore

/// One input of a fuzzer: files, some of them damaged, and their reader.
struct FuzzInput {
  /// The readers of files and command lines.
  enum Reader: String, CaseIterable, Codable {
    case comparison
    case run
    case report
    case gate
    case plan
    case sweep
    case gatePlan
    case profile
    case topology
    case publishedTable
    case claims
    case measurements
    case feed
    case map
    case killed
    case answer
    case model
    case settings
    case store
    case predicate
    case flags
  }

  let number: Int
  let reader: Reader
  /// The files of the input, by their path in its folder.
  private(set) var files: [String: Data]
  /// The words of the command line, without the name of the program.
  private(set) var arguments: [String] = []
  /// True if the program itself is started.
  let startsProgram: Bool
  private(set) var notes: [String] = []

  /// The number of inputs of which one starts the program.
  private static let programPeriod = 7

  /// Makes a random input. The same seed and number make it again.
  init(seed: UInt64, number: Int, corpus: FuzzCorpus) {
    self.number = number
    var random = SeededRandom(seed: seed, stream: "input \(number)")
    reader = Reader.allCases[random.below(Reader.allCases.count)]
    startsProgram = number % Self.programPeriod == 0
    var damage = Damage(random: random)
    files = corpus.files(of: reader)
    if reader == .flags {
      arguments = FlagWords.commandLine(&damage.random)
    } else {
      // One or two files are damaged or removed. The others must exist unchanged.
      let names = files.keys.sorted()
      for _ in 0...damage.random.below(2) {
        let name = names[damage.random.below(names.count)]
        if damage.random.below(40) == 0 {
          files[name] = nil
        } else if let data = files[name] {
          files[name] = damage.damaged(data, named: name)
        }
      }
      arguments = FlagWords.commandLine(of: reader, &damage.random)
    }
    notes = damage.notes
  }

  /// Makes an input of bytes that a coverage-guided fuzzer chose. The bytes of command lines have a word in each line.
  init(_ file: GuidedFile, bytes: Data) {
    // The formats in which a reader prints take turns over the numbers.
    number = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff }
    reader = file.reader
    startsProgram = false
    if let path = file.path {
      files = [path: bytes]
    } else {
      files = [:]
      arguments = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  /// A description of the input for findings.
  var description: String {
    let way = startsProgram ? "stackbench \(arguments.map(\.debugDescription).joined(separator: " "))" : "\(reader)"
    return String(([way] + notes).joined(separator: "; ").prefix(1_500))
  }
}
