import MachineCore

extension AsyncStream<String> {
  /// Makes a stream of the lines that arrive at a descriptor, without line breaks. It ends when the other end is
  /// closed.
  ///
  /// A separate thread reads and closes the descriptor. A task that waits for a line uses no CPU, and stops at once
  /// when it is cancelled.
  package init(linesOf descriptor: CInt) {
    let (stream, continuation) = AsyncStream.makeStream()
    _ = OwnThread {
      Lines.each(of: descriptor) { continuation.yield($0) }
      continuation.finish()
    }
    self = stream
  }

  /// Returns the next line, or nil at the end of the stream or if the task is cancelled.
  package func next() async -> String? {
    var iterator = makeAsyncIterator()
    return await iterator.next()
  }
}
