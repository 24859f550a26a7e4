import Glibc
import MachineCore

extension AsyncStream<String> {
  /// The lines that come through a descriptor, as they come, without their ends; over when the other end is closed.
  ///
  /// A thread of its own reads and closes the descriptor: whoever waits costs no CPU, and stops at once when its task is
  /// cancelled.
  init(linesOf descriptor: CInt) {
    let (stream, continuation) = AsyncStream.makeStream()
    _ = OwnThread {
      defer { continuation.finish() }
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
        continuation.yield(String(cString: line).filter { !$0.isNewline })
      }
    }
    self = stream
  }

  /// The next line; nil at the end, and where the task was cancelled.
  func next() async -> String? {
    var iterator = makeAsyncIterator()
    return await iterator.next()
  }
}
