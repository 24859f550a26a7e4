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
    partialPath = Self.partialPath(of: path)
    do {
      try contents.write(to: URL(fileURLWithPath: partialPath))
    } catch {
      try? FileManager.default.removeItem(atPath: partialPath)
      throw ReportingError(.unwritable, path: path, message: "cannot be written: \(Self.reason(of: error))")
    }
  }

  /// The same with contents that come piece by piece and are never all in memory.
  ///
  /// - Throws: what `body` throws; `ReportingError` with code `unwritable`. Nothing is left behind then.
  package init(for path: String, writing body: (Growing) throws(ReportingError) -> Void) throws(ReportingError) {
    self.path = path
    partialPath = Self.partialPath(of: path)
    do throws(ReportingError) {
      let growing = try Growing(path: path, partialPath: partialPath)
      try body(growing)
      try growing.close()
    } catch {
      try? FileManager.default.removeItem(atPath: partialPath)
      throw error
    }
  }

  /// A file under its temporary name, while it is written.
  package final class Growing {
    private let path: String
    private let handle: FileHandle

    fileprivate init(path: String, partialPath: String) throws(ReportingError) {
      self.path = path
      guard FileManager.default.createFile(atPath: partialPath, contents: nil),
        let handle = FileHandle(forWritingAtPath: partialPath)
      else {
        throw ReportingError(
          .unwritable, path: path, message: "cannot be written: \(String(cString: strerror(errno)))")
      }
      self.handle = handle
    }

    /// - Throws: `ReportingError` with code `unwritable`.
    package func append(_ piece: Data) throws(ReportingError) {
      do {
        try handle.write(contentsOf: piece)
      } catch {
        throw ReportingError(.unwritable, path: path, message: "cannot be written: \(AtomicFile.reason(of: error))")
      }
    }

    fileprivate func close() throws(ReportingError) {
      do {
        try handle.close()
      } catch {
        throw ReportingError(.unwritable, path: path, message: "cannot be written: \(AtomicFile.reason(of: error))")
      }
    }
  }

  private static func partialPath(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let name = ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).partial"
    return url.deletingLastPathComponent().appendingPathComponent(name).path
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
