import Foundation
import OutputFiles

/// A whole run as Chrome trace events, which Perfetto opens; each topology is one process in it.
package enum TraceFile {
  private static let opening = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
  private static let separator = ",\n"
  private static let closing = "\n]}\n"
  private static let pieceSize = 1 << 20

  /// Writes the trace that joins the parts that children wrote with `TracePart`.
  ///
  /// The parts are read and written in pieces, so that a long trace is never in memory as a whole.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`, or `unreadable` for a part that cannot be read.
  package static func write(joining parts: [String], to path: String) throws(FileError) {
    try AtomicFile(for: path) { file throws(FileError) in
      try file.append(Data(opening.utf8))
      for (index, part) in parts.enumerated() {
        if index > 0 { try file.append(Data(separator.utf8)) }
        guard let source = FileHandle(forReadingAtPath: part) else { throw FileError(reading: part, errno) }
        defer { try? source.close() }
        while let piece = try next(of: source, part) {
          try file.append(piece)
        }
      }
      try file.append(Data(closing.utf8))
    }.commit()
  }

  /// Returns the next piece of a file, or nil at the end of the file.
  private static func next(of source: FileHandle, _ path: String) throws(FileError) -> Data? {
    do {
      guard let piece = try source.read(upToCount: pieceSize), !piece.isEmpty else { return nil }
      return piece
    } catch {
      throw FileError(.unreadable, path: path, message: "cannot be read: \(FileReason.text(of: error, at: path))")
    }
  }
}
