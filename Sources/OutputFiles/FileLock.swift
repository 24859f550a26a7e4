import Glibc

/// A lock on a file or a folder, held until the value is deinitialized or the process ends.
///
/// The lock is on the file itself and leaves no other file behind. Other programs can still open, read and write the
/// file.
package final class FileLock: Sendable {
  private let descriptor: CInt

  private init(_ descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    // A child process that is being started holds a copy of the descriptor until it executes its program. Closing the
    // descriptor alone would leave the lock in place until then.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The kinds of locks: one process holds an exclusive lock, several hold a shared one.
  package enum Kind: Sendable {
    case exclusive
    case shared
  }

  /// The outcome of an attempt to lock.
  package enum Outcome: Sendable {
    case locked(FileLock)
    /// The lock is already held, by another process or elsewhere in this one.
    case held
    /// The file cannot be opened, for the reason that `errno` gave.
    case failed(CInt)
  }

  /// Locks the file or folder at `path` without waiting.
  ///
  /// On a file system without locks, the lock counts as free.
  package static func lock(_ path: String, as kind: Kind = .exclusive) -> Outcome {
    while true {
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return .failed(errno) }
      let operation = (kind == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
      if flock(descriptor, operation) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        return .held
      }
      // Another file may have taken the name since it was opened.
      if names(path, descriptor: descriptor) { return .locked(FileLock(descriptor)) }
      close(descriptor)
    }
  }

  /// Calls `body` while the file or folder at `path` is locked, unless it is locked already or cannot be opened.
  package static func whileLocked<Failure: Error>(
    _ path: String, body: () throws(Failure) -> Void
  ) throws(Failure) {
    guard case .locked(let lock) = lock(path) else { return }
    // The end of the scope does not keep a lock: without a use after `body`, it could be free before `body` begins.
    try withExtendedLifetime(lock) { () throws(Failure) in try body() }
  }

  /// Locks a file that this process has just created and continues to write through `descriptor`.
  ///
  /// - Returns: False if another process took the file for abandoned, and locked or removed it first.
  static func lock(_ descriptor: CInt, madeAt path: String) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    return names(path, descriptor: descriptor)
  }

  /// Returns true if `path` is the name of the open file.
  private static func names(_ path: String, descriptor: CInt) -> Bool {
    var (named, open) = (stat(), stat())
    guard stat(path, &named) == 0, fstat(descriptor, &open) == 0 else { return false }
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino
  }
}
