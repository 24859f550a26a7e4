import Foundation
import Glibc
import MachineCore

/// Reads and writes lines of text at descriptors.
enum Lines {
  /// Calls a closure with each line that arrives at a descriptor, without its line break, until the other end is closed.
  /// Blocks until then, and closes the descriptor.
  static func each(of descriptor: CInt, _ body: (String) -> Void) {
    // `getline` would lock its file while it waits, and a call of `fflush(nil)` on another thread would wait as long.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer {
      buffer.deallocate()
      close(descriptor)
    }
    var line: [UInt8] = []
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line += rest[..<end]
        body(text(of: line))
        line.removeAll(keepingCapacity: true)
        rest = rest[(end + 1)...]
      }
      line += rest
    }
    if !line.isEmpty { body(text(of: line)) }
  }

  private static func text(of line: [UInt8]) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
  }

  /// Writes a line to a descriptor. Blocks until all of it is written. It has no effect if the other end is closed.
  static func write(_ line: [UInt8], to descriptor: CInt) {
    write(line) { Glibc.write(descriptor, $0, $1) }
  }

  /// Writes a line by calls of `write`, which takes bytes and their number and returns as the system's function does.
  static func write(_ line: [UInt8], by write: (UnsafeRawPointer?, Int) -> Int) {
    _ = CompleteWrite.write(line + [UInt8(ascii: "\n")], by: write)
  }

  /// Returns a value that can always be encoded as a line of JSON, such as one of integers and strings.
  static func json(_ value: some Encodable) -> [UInt8] {
    guard let data = try? JSONEncoder().encode(value) else { fatalError("\(type(of: value)) cannot be encoded") }
    return Array(data)
  }
}
