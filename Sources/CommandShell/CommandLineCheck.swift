import Foundation
import Glibc
import TrialProcesses

/// Checks that the command line can be read as the user typed it.
enum CommandLineCheck {
  /// The reason why the command line cannot be read, or nil if it can be read.
  static var failure: RunFailure? { missingProcessFiles ?? unreadableArgument }

  /// Opens each standard descriptor that is closed. Otherwise a file could receive its number, and printed text would
  /// be written to that file.
  ///
  /// The descriptor is read-only, so that writing to it fails as it does for a closed one.
  static func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// The failure if `/proc` is not mounted, or nil. A Swift program reads its arguments from there, and this program
  /// also finds its executable there.
  private static var missingProcessFiles: RunFailure? {
    guard access("/proc/self/cmdline", R_OK) != 0 || access("/proc/self/exe", F_OK) != 0 else { return nil }
    return .failed(
      "/proc: is not mounted; the program finds its arguments and its own file there: mount -t proc proc /proc")
  }

  /// The failure for the first argument that is not valid UTF-8, or nil. Swift repairs such an argument, and the result
  /// would name another file.
  private static var unreadableArgument: RunFailure? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      if String(validating: bytes, as: UTF8.self) == nil {
        return .usage("argument \(index), \(escaped(bytes)): is not valid UTF-8; use names of files in UTF-8")
      }
    }
    return nil
  }

  /// The reason why relative paths cannot be resolved, or nil if they can be resolved.
  static var unreadableWorkingFolder: RunFailure? {
    guard let path = getcwd(nil, 0) else {
      return .usage("the working folder: \(String(cString: strerror(errno))); use an existing one")
    }
    defer { free(path) }
    let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    return .usage("the working folder \(escaped(bytes)): is not valid UTF-8; use one whose path is in UTF-8")
  }

  /// Returns the bytes as text. Each byte that is not a printable ASCII character is written in hexadecimal digits, as
  /// in `\xFF`.
  private static func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      (0x20..<0x7f).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
    }.joined()
  }
}
