import Glibc
import Topologies
import YAMLReading

/// A topology in a file of the user.
package enum TopologyFile {
  /// The endings of the files' names.
  package static let endings = ["yaml", "yml"]
  /// The largest size of a file, in bytes. A file with all keys has a tenth of it.
  private static let largestSize = 65_536

  /// Returns true if a text has the form of a path and not of a stack's name.
  package static func isPath(_ text: String) -> Bool {
    endings.contains { text.lowercased().hasSuffix(".\($0)") } || ["/", "./", "../"].contains { text.hasPrefix($0) }
  }

  /// Reads the topology in a file. If the file gives no ID, the ID is the file's name without its ending.
  ///
  /// - Throws: `YAMLError` that names the file, and the line and the key if they are known.
  package static func topology(at path: String) throws(YAMLError) -> Topology {
    let bytes = try contents(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLError(.malformedText, "not UTF-8 text; use YAML", place: path)
    }
    return try TopologyReader(place: path, standardID: standardID(of: path)).topology(from: text)
  }

  private static func standardID(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let ending = endings.first { name.lowercased().hasSuffix(".\($0)") }
    return ending.map { String(name.dropLast($0.count + 1)) } ?? name
  }
}

// MARK: - Reading

extension TopologyFile {
  private static func contents(of path: String) throws(YAMLError) -> [UInt8] {
    func failure(_ message: String) -> YAMLError {
      YAMLError(.malformedText, "\(message); use the path of a topology in YAML", place: path)
    }
    // Without O_NONBLOCK, the call would wait for a writer of a FIFO.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("cannot be read: it is \(kind(status.st_mode))") }
    var bytes = [UInt8](repeating: 0, count: largestSize + 1)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
      guard read >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
      if read == 0 { break }
      count += read
    }
    guard count <= largestSize else { throw failure("larger than \(largestSize) bytes") }
    return Array(bytes.prefix(count))
  }

  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
