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
    while getline(&line, &capacity, file) >= 0, let line {
      body(String(cString: line).filter { !$0.isNewline })
    }
  }

  /// Writes a line to a descriptor. Blocks until all of it is written. It has no effect if the other end is closed.
  static func write(_ line: [UInt8], to descriptor: CInt) {
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
