import Foundation

/// A file that appears under its name whole, or not at all.
///
/// Staged under a temporary name beside its own, so that the rename stays within one file system. Stage all files of a
/// result first and commit them after: then nothing is replaced unless everything could be written.
package final class AtomicFile {
  package let path: String
  private let partialPath: String
  private var isCommitted = false

  /// Writes `contents` under the temporary name; call `commit` to give the file its own.
  ///
  /// - Throws: `ReportingError` with code `unwritable`; nothing is left behind then.
  package init(staging contents: Data, for path: String) throws(ReportingError) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    let name = ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).partial"
    partialPath = url.deletingLastPathComponent().appendingPathComponent(name).path
    do {
      try contents.write(to: URL(fileURLWithPath: partialPath))
    } catch {
      try? FileManager.default.removeItem(atPath: partialPath)
      throw ReportingError(.unwritable, path: path, message: "cannot be written: \(Self.reason(of: error))")
    }
  }

  /// Removes what was staged and not committed.
  deinit {
    if !isCommitted { try? FileManager.default.removeItem(atPath: partialPath) }
  }

  /// Replaces the file of this name, if there is one.
  ///
  /// - Throws: `ReportingError` with code `unwritable`.
  package func commit() throws(ReportingError) {
    guard rename(partialPath, path) == 0 else {
      throw ReportingError(.unwritable, path: path, message: "cannot be replaced: \(String(cString: strerror(errno)))")
    }
    isCommitted = true
  }

  /// Writes `contents` to the file at `path`.
  ///
  /// - Throws: `ReportingError` with code `unwritable`.
  package static func write(_ contents: Data, to path: String) throws(ReportingError) {
    try AtomicFile(staging: contents, for: path).commit()
  }

  /// What the system says, in one line.
  static func reason(of error: any Error) -> String {
    if let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError {
      return String(cString: strerror(posix.code.rawValue))
    }
    if (error as? CocoaError)?.code == .fileReadNoSuchFile { return String(cString: strerror(ENOENT)) }
    return error.localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
