import Foundation
import MachineCore

/// A value that a store keeps in a separate file. Rows contain a reference to it instead of its bytes.
///
/// A save creates it from bytes that are too many for a table, and a store creates it when it reads a reference to a
/// file. The file is read when the bytes are first needed; they stay mapped from then on, for as long as any row has
/// the value. The store calls ``detach()`` before it removes a file, so that rows which are still in use keep their
/// value. Rows share these objects, and any thread can call them.
package final class ExternalData: Sendable {
  private let state: Guarded<State>

  private struct State {
    /// The bytes, or nil if there is a file and they have not been needed yet.
    var bytes: Data?
    /// The file, or nil if no store has the value.
    var file: (any ExternalFile)?
  }

  /// Creates a value that no store has yet.
  package init(_ bytes: Data) {
    state = Guarded(State(bytes: bytes))
  }

  /// Creates the value of an existing file.
  package init(_ file: any ExternalFile) {
    state = Guarded(State(file: file))
  }

  /// The file that contains the bytes, or nil if no store has them.
  package var file: (any ExternalFile)? { state.withLock { $0.file } }

  /// Returns the bytes. The first call reads the file and blocks on the disk. O(1) at all times, because the bytes are
  /// mapped.
  ///
  /// - Throws: `.externalDataUnreadable` with the path if the file is missing or cannot be read.
  package func bytes() throws(PersistenceError) -> Data {
    let (known, file) = state.withLock { ($0.bytes, $0.file) }
    if let known { return known }
    // The lock is not held here, because a machine may run other tasks while a file is read.
    guard let file else { return Data() }
    let bytes = try file.read()
    return state.withLock { state in
      if let known = state.bytes { return known }
      state.bytes = bytes
      return bytes
    }
  }

  /// Records that a store has the value in this file from now on, and forgets the bytes.
  package func settle(in file: any ExternalFile) {
    state.withLock { $0 = State(file: file) }
  }

  /// Maps the bytes if they were not mapped, because the file is about to be removed. A value that cannot be read keeps
  /// its file, so that later reads fail with its name.
  package func detach() {
    guard (try? bytes()) != nil else { return }
    state.withLock { $0.file = nil }
  }

  /// Returns true if the value has these bytes, and false if it differs or cannot be read.
  func holds(_ other: Data) -> Bool {
    (try? bytes()) == other
  }

  /// Returns true if two values have the same file or the same bytes. Values in two files are different, even if the
  /// contents are equal, because a merge of many objects must not read all files.
  static func areSame(_ left: ExternalData, _ right: ExternalData) -> Bool {
    if left === right { return true }
    if let path = left.file?.path, let other = right.file?.path { return path == other }
    guard let bytes = try? right.bytes() else { return false }
    return left.holds(bytes)
  }
}

/// A file, separate from the store's database, that contains one value. It does not change after it was written.
package protocol ExternalFile: Sendable {
  var path: String { get }

  /// Returns the value, mapped if the system can do that. Blocks on the disk.
  ///
  /// - Throws: `.externalDataUnreadable` with the path.
  func read() throws(PersistenceError) -> Data
}
