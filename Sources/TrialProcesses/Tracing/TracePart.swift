import Foundation
import MachineCore
import OutputFiles

/// A value in the `args` of a trace event.
enum TraceValue: Hashable, Sendable {
  case text(String)
  case number(Int64)
  case flag(Bool)
}

/// One event in the format that Chrome's and Perfetto's trace viewers read.
struct TraceEvent: Sendable {
  /// The phases of the format that are used here, with the letters that the format gives them.
  enum Phase: String, Sendable {
    case begin = "B"
    case end = "E"
    /// A slice with its duration.
    case complete = "X"
    case instant = "i"
    case metadata = "M"
    /// The start of a flow, which leads from the surrounding slice to the slice around the end with the same
    /// identifier.
    case flowStart = "s"
    case flowEnd = "f"
    /// A change of counters: each argument is a number, the counter's value from this instant on.
    case counter = "C"
  }

  var phase: Phase
  var name: String?
  var track: Int
  var start: Instant
  var duration: TimeSpan?
  var arguments: [(String, TraceValue)]
  /// The identifier of a flow, which is the same at both ends and unique in the whole trace.
  var flow: Int64?

  init(
    _ phase: Phase, _ name: String? = nil, track: Int, at start: Instant = Instant(nanoseconds: 0),
    lasting duration: TimeSpan? = nil, _ arguments: [(String, TraceValue)] = [], flow: Int64? = nil
  ) {
    self.flow = flow
    self.phase = phase
    self.name = name
    self.track = track
    self.start = start
    self.duration = duration
    self.arguments = arguments
  }
}

/// The events of one process in a trace, written to a file as they occur: one event a line, with commas between them.
///
/// At most one buffer is held in memory. Keys are always in the same order, and times are exact decimals in
/// microseconds.
final class TracePart {
  private let path: String
  private let process: Int
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var isFirst = true

  private static let bufferSize = 1 << 18

  /// Creates the file of a part.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - process: The number that the writer gives the process; each part has a different one.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  init(path: String, process: Int) throws(FileError) {
    self.path = path
    self.process = process
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else {
      throw FileError(writing: path, errno)
    }
    self.handle = handle
    buffer.reserveCapacity(Self.bufferSize + 4_096)
  }

  /// Writes an event.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  func write(_ event: TraceEvent) throws(FileError) {
    if !isFirst { append(",\n") }
    isFirst = false
    append("{\"ph\":\"")
    append(event.phase.rawValue)
    append("\",\"pid\":\(process),\"tid\":\(event.track)")
    if event.phase != .metadata {
      append(",\"ts\":")
      appendMicroseconds(event.start.nanoseconds)
    }
    if let duration = event.duration {
      append(",\"dur\":")
      appendMicroseconds(duration.nanoseconds)
    }
    if event.phase == .instant { append(",\"s\":\"t\"") }
    if let flow = event.flow { append(",\"cat\":\"flow\",\"id\":\(flow)") }
    // The end is bound to the slice around it, not to the next one.
    if event.phase == .flowEnd { append(",\"bp\":\"e\"") }
    if let name = event.name {
      append(",\"name\":")
      appendQuoted(name)
    }
    if !event.arguments.isEmpty { append(event.arguments) }
    append("}")
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the events that are still in memory and closes the file. This must be the last call.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  func close() throws(FileError) {
    try flush()
    do {
      try handle.close()
    } catch {
      throw FileError(writing: path, what: "cannot be closed", FileReason.code(of: error) ?? EIO)
    }
  }

  private func flush() throws(FileError) {
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      throw FileError(writing: path, FileReason.code(of: error) ?? EIO)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

// MARK: - JSON

extension TracePart {
  private func append(_ text: String) {
    buffer.append(contentsOf: text.utf8)
  }

  private func append(_ arguments: [(String, TraceValue)]) {
    append(",\"args\":{")
    for (index, (key, value)) in arguments.enumerated() {
      if index > 0 { append(",") }
      appendQuoted(key)
      append(":")
      switch value {
      case .text(let text): appendQuoted(text)
      case .number(let number): append("\(number)")
      case .flag(let flag): append(flag ? "true" : "false")
      }
    }
    append("}")
  }

  /// Appends a time in microseconds, the unit of the format. The nanoseconds are its decimals, if there are any.
  private func appendMicroseconds(_ nanoseconds: Int64) {
    let rest = abs(nanoseconds % 1_000)
    if nanoseconds < 0 && nanoseconds > -1_000 { append("-") }
    append("\(nanoseconds / 1_000)")
    if rest != 0 { append(".\(String(1_000 + rest).dropFirst())") }
  }

  private func appendQuoted(_ text: String) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0..<0x20:
        append("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
