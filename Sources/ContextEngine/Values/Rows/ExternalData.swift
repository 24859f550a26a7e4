import Foundation
import MachineCore

/// A value that a store keeps in a file of its own: what rows hold in the place of its bytes.
///
/// Made from bytes when a save finds them too many for a table, or by a store that reads a reference to a file. The file is
/// read when somebody asks for the bytes and not before; they stay mapped from then on, for as long as any row has the
/// value. Before its file is removed, whoever removes it calls ``detach()``, so that rows which are still in use keep what
/// they had. Shared by rows and callable from any thread.
package final class ExternalData: Sendable {
  private let state: Guarded<State>

  private struct State {
    /// Nil until they are needed, where there is a file.
    var bytes: Data?
    /// Nil while no store has the value.
    var file: (any ExternalFile)?
  }

  /// A value that no store has yet.
  package init(_ bytes: Data) {
    state = Guarded(State(bytes: bytes))
  }

  /// The value of a file that exists.
  package init(_ file: any ExternalFile) {
    state = Guarded(State(file: file))
  }

  /// Where the bytes are kept; nil while no store has them.
  package var file: (any ExternalFile)? { state.withLock { $0.file } }

  /// The bytes. Blocks on the disk the first time. O(1) then and later, as they are mapped.
  ///
  /// - Throws: `.externalDataUnreadable` with the path where the file is gone or cannot be read.
  package func bytes() throws(PersistenceError) -> Data {
    let (known, file) = state.withLock { ($0.bytes, $0.file) }
    if let known { return known }
    // Without the lock, since a machine may let others run while a file is read.
    guard let file else { return Data() }
    let bytes = try file.read()
    return state.withLock { state in
      if let known = state.bytes { return known }
      state.bytes = bytes
      return bytes
    }
  }

  /// Takes note that a store has the value now, in this file.
  package func settle(in file: any ExternalFile) {
    state.withLock { $0 = State(file: file) }
  }

  /// Takes note that the file is about to go: the bytes are mapped if they were not. One that cannot be read any more keeps
  /// its file's name, with which reading it fails.
  package func detach() {
    guard (try? bytes()) != nil else { return }
    state.withLock { $0.file = nil }
  }

  /// Whether the value has these bytes; false where it cannot be read.
  func holds(_ other: Data) -> Bool {
    (try? bytes()) == other
  }

  /// Whether two values are the same: one file, or the same bytes. Two files are two values, whatever is in them: a merge of
  /// many objects must not read them all.
  static func areSame(_ left: ExternalData, _ right: ExternalData) -> Bool {
    if left === right { return true }
    if let path = left.file?.path, let other = right.file?.path { return path == other }
    guard let bytes = try? right.bytes() else { return false }
    return left.holds(bytes)
  }
}

/// A file beside a store that has one value. Never changed once it is written.
package protocol ExternalFile: Sendable {
  var path: String { get }

  /// The value, mapped where the system can do that. Blocks on the disk.
  ///
  /// - Throws: `.externalDataUnreadable` with the path.
  func read() throws(PersistenceError) -> Data
}
