import CLinux
import Glibc

/// Shared locks on a store's files, by which SQLite in other processes leaves the files as they are.
///
/// The locks are on the bytes that SQLite itself locks (sqlite.org/lockingv3.html, sqlite.org/walformat.html), they need
/// no permission to write, and they change no byte. They belong to the open files, so they end with the last reference
/// to these.
enum StoreLocks {
  /// The first of the bytes at which SQLite locks a database.
  private static let pendingByte = 0x4000_0000
  private static let sharedStart = pendingByte + 2
  private static let sharedCount = 510
  /// The byte of the log's index that a process locks to copy the log into the database.
  private static let checkpointByte = 121

  /// Locks a database as a reader does. While the lock is set, no process writes to a database with a rollback journal,
  /// changes the journal mode, or removes a write-ahead log.
  ///
  /// - Returns: False if another process has a lock that excludes this one. The result is true without a lock if the
  ///   file system has no such locks. The same holds for the other functions.
  static func lockDatabase(_ file: SourceFile) -> Bool {
    guard set(F_RDLCK, from: pendingByte, count: 1, in: file) else { return false }
    defer { _ = set(F_UNLCK, from: pendingByte, count: 1, in: file) }
    return set(F_RDLCK, from: sharedStart, count: sharedCount, in: file)
  }

  /// Locks the index of a write-ahead log. While the lock is set, no process copies the log into the database, and thus
  /// no process begins the log anew unless it was copied completely before. Commits go on.
  static func lockCheckpoints(_ index: SourceFile) -> Bool {
    set(F_RDLCK, from: checkpointByte, count: 1, in: index)
  }

  private static func set(_ type: CInt, from start: Int, count: Int, in file: SourceFile) -> Bool {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start)
    lock.l_len = off_t(count)
    while fcntl(file.descriptor, CInt(STACKBENCH_F_OFD_SETLK), &lock) != 0 {
      if errno != EINTR { return ![EAGAIN, EACCES].contains(errno) }
    }
    return true
  }
}
