import CLinux
import Foundation

/// An open folder, whose entries are listed and renamed by the bytes of their names.
///
/// A name need not be text, and Foundation changes one that is not.
package final class FolderEntries {
  let path: String
  private let descriptor: CInt

  /// Opens a folder.
  ///
  /// - Throws: `FileError` with code `unwritable` if the folder cannot be opened.
  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(writing: path, what: "cannot be opened", errno) }
  }

  deinit {
    close(descriptor)
  }

  /// The name of an entry, ended by a zero.
  struct Name: Comparable {
    let bytes: [CChar]

    init(bytes: [CChar]) {
      self.bytes = bytes
    }

    init(_ text: String) {
      bytes = Array(text.utf8CString)
    }

    /// The name as text, or nil if it is not valid UTF-8.
    var text: String? { String(validating: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    static func < (one: Name, other: Name) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
  }

  /// The names of all entries, hidden ones included, in the order of their bytes.
  var names: [Name] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [Name] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { start in
          Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
        }
      }
      if name != Name(".").bytes, name != Name("..").bytes { names.append(Name(bytes: name)) }
    }
    return names.sorted()
  }

  /// Returns the kind of an entry, one of `S_IFREG` and its like, or nil if the entry does not exist. Links are not
  /// followed.
  func kind(of name: Name) -> mode_t? {
    var status = stat()
    return fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns a description of an entry that a file cannot replace, or nil if the entry is a file or does not exist.
  func obstacle(_ name: Name) -> String? { kind(of: name).flatMap(Self.noun) }

  /// Moves an entry into another folder of the same file system, where it replaces a file of the same name.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  func move(_ name: Name, to other: FolderEntries) throws(FileError) {
    guard renameat(descriptor, name.bytes, other.descriptor, name.bytes) == 0 else {
      throw FileError(writing: "\(path)/\(name.text ?? "?")", what: "cannot be moved to \(other.path)", errno)
    }
  }

  /// Moves an entry into another folder, or returns false if that folder already has an entry of the same name.
  func moveIfMissing(_ name: Name, to other: FolderEntries) throws(FileError) -> Bool {
    if other.kind(of: name) != nil { return false }
    try move(name, to: other)
    return true
  }

  /// Removes a file or a link, but not a folder.
  func remove(_ name: Name) {
    unlinkat(descriptor, name.bytes, 0)
  }
}

// MARK: - Kinds of entries

extension FolderEntries {
  /// Returns the words for an entry of a kind, or nil for a regular file.
  package static func noun(of kind: mode_t) -> String? {
    switch kind {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFLNK: "a link"
    case S_IFIFO: "a FIFO"
    case S_IFCHR, S_IFBLK: "a device"
    default: "a socket"
    }
  }

  /// Returns the kind of the entry at a path, one of `S_IFREG` and its like, or nil if it does not exist. Links are not
  /// followed.
  package static func kind(at path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns the sorted paths of the entries of a kind in a folder whose names meet a condition.
  package static func paths(in folder: String, of kind: mode_t, where isNamed: (String) -> Bool) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter(isNamed).sorted().map { "\(folder)/\($0)" }.filter { self.kind(at: $0) == kind }
  }
}

/// System calls that change names in one step.
enum Renaming {
  /// Exchanges the names of two files or folders; returns 0 or, for a failure, `errno`.
  static func exchange(_ one: String, with other: String) -> CInt {
    renameat2(AT_FDCWD, one, AT_FDCWD, other, CUnsignedInt(STACKBENCH_RENAME_EXCHANGE)) == 0 ? 0 : errno
  }

  /// Renames a folder to an unused name; returns 0 or, for a failure, `errno`.
  static func renameFolder(_ path: String, toUnused other: String) -> CInt {
    if renameat2(AT_FDCWD, path, AT_FDCWD, other, CUnsignedInt(STACKBENCH_RENAME_NOREPLACE)) == 0 { return 0 }
    guard errno == EINVAL || errno == ENOSYS else { return errno }
    // If the file system does not support this, an empty folder reserves the name and is replaced by the rename.
    guard mkdir(other, S_IRWXU) == 0, rename(path, other) == 0 else { return errno }
    return 0
  }
}
