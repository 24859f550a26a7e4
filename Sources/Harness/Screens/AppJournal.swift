import Foundation
import Glibc
import MachineCore
import Metrics
import Workloads

/// A file of the facts that an app has shown to its user, and of the commits that have returned, which remains when the
/// process is killed.
///
/// Each fact is one line. One `write` passes it to the kernel before the call returns; from then on it survives the end
/// of the process, but not a power cut. Thread-safe; blocks on the write.
package final class AppJournal: Sendable {
  package enum Fact: Codable, Hashable, Sendable {
    /// The measured window starts, at w₀.
    case windowStart(at: Instant)
    case arrived(payload: Int)
    /// A frame that shows all of a payload reaches the display at this tick.
    case shown(payload: Int, at: Instant)
    case acknowledged(edit: Int, entity: Int, key: Key)
    /// The COMMIT that completes a payload in the store has returned.
    case committed(payload: Int)
    /// The COMMIT that holds an edit has returned.
    case editCommitted(edit: Int)
    case died(at: Instant)
    /// A round of a soak has ended.
    case soaked(SoakSample)
  }

  /// The key of a row in a fact.
  package enum Key: Codable, Hashable, Sendable {
    case integer(Int64)
    case string(String)
    /// The values of several attributes, of one that is neither an integer nor a string, or a primary key, in binary
    /// form.
    case values(Data)

    init(_ key: RecordKey) {
      switch key {
      case .integer(let value): self = .integer(value)
      case .string(let value): self = .string(value)
      case .values, .storeRow: self = .values(key.binary)
      }
    }

    var recordKey: RecordKey {
      switch self {
      case .integer(let value): .integer(value)
      case .string(let value): .string(value)
      case .values(let data): RecordKey(binary: data) ?? .values([.binary(data)])
      }
    }
  }

  private let descriptor: CInt
  private let state = Guarded(State())

  private struct State {
    var failure: POSIXError?
    /// True once the app has died. The machine of a simulation continues after that, but its facts are not written.
    var isDead = false
  }

  /// Creates the journal and its file.
  ///
  /// - Throws: `POSIXError` if the file exists or cannot be created.
  init(writingTo path: String) throws {
    descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit {
    close(descriptor)
  }

  /// The reason why a fact could not be written, or nil if all were written.
  var failure: POSIXError? { state.withLock { $0.failure } }

  func write(_ fact: Fact) {
    guard var line = try? JSONEncoder().encode(fact) else { trapMisuse("\(fact) cannot be encoded") }
    line.append(UInt8(ascii: "\n"))
    state.withLock { [line] state in
      guard !state.isDead else { return }
      if case .died = fact { state.isDead = true }
      let code = CompleteWrite.write(line, to: descriptor)
      guard code != 0, state.failure == nil else { return }
      state.failure = POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
  }

  /// Returns the facts in a file, without a last line that is incomplete because the process died. A file that does not
  /// exist, because the process died before it made the file, has no facts.
  ///
  /// - Throws: The error of reading the file, or `DamagedLine`.
  package static func facts(in path: String) throws -> [Fact] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    let end = text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
    return try text[..<end].split(separator: UInt8(ascii: "\n")).enumerated().map { place, line in
      guard let fact = try? JSONDecoder().decode(Fact.self, from: line) else {
        throw DamagedLine(description: "\(path):\(place + 1): is not a line of a trial's journal")
      }
      return fact
    }
  }

  /// The error that is thrown for a line that cannot be read.
  package struct DamagedLine: Error, CustomStringConvertible {
    package let description: String
  }
}
