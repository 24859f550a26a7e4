import Glibc

/// Reads and writes lines of text at descriptors.
enum Lines {
  /// Calls a closure with each line that arrives at a descriptor, without its line break, until the other end is closed.
  /// Blocks until then, and closes the descriptor.
  static func each(of descriptor: CInt, _ body: (String) -> Void) {
    guard let file = fdopen(descriptor, "r") else {
      close(descriptor)
      return
    }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer {
      free(line)
      fclose(file)
    }
    while case let count = getline(&line, &capacity, file), count >= 0 {
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      let length = (bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } ?? -1) + 1
      body(String(decoding: bytes[..<length], as: UTF8.self))
    }
  }

  /// Writes a line to a descriptor. Blocks until all of it is written. It has no effect if the other end is closed.
  static func write(_ line: [UInt8], to descriptor: CInt) {
    write(line) { Glibc.write(descriptor, $0, $1) }
  }

  /// Writes a line by calls of `write`, which takes bytes and their number and returns as the system's function does.
  static func write(_ line: [UInt8], by write: (UnsafeRawPointer?, Int) -> Int) {
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write($0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
