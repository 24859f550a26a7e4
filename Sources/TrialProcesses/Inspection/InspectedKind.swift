import Foundation
import MachineCore
import OutputFiles

/// The kinds of files that can be inspected.
package enum InspectedKind: String, Hashable, Sendable {
  /// A model of Core Data: a folder `.xcdatamodeld` or `.xcdatamodel`, or the file `contents` in it.
  case model
  /// A store of Core Data in an SQLite file.
  case store
  /// A feed: records as JSON.
  case feed

  /// The number of bytes that show the kind of a file.
  private static let sampleByteCount = 4_096
  private static let storeEndings = ["sqlite", "sqlite3", "sqlitedb", "db", "store", "storedata"]
  private static let feedEndings = ["json", "jsonl", "ndjson", "geojson"]

  /// Finds the kind of a file or folder by its contents. The name decides only what an error says.
  ///
  /// - Parameter path: The path of the file or folder.
  /// - Throws: `FileError` if there is no such file, if it cannot be read, or if it is of no known kind.
  package init(of path: String) throws(FileError) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      self = try Self.kind(ofFolder: path)
    } else {
      self = try Self.kind(ofFile: path)
    }
  }

  private static func ending(_ path: String) -> String {
    URL(fileURLWithPath: path).pathExtension.lowercased()
  }

  // MARK: Folders

  private static func kind(ofFolder path: String) throws(FileError) -> InspectedKind {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw FileError(reading: path, EACCES)
    }
    // Folders with these endings are models even if they are incomplete: the model's reader says what is missing.
    if ["xcdatamodeld", "xcdatamodel", "momd"].contains(ending(path)) { return .model }
    let isModel = names.contains { ["contents", "elements", ".xccurrentversion"].contains($0) }
    if isModel || names.contains(where: { ending($0) == "xcdatamodel" }) { return .model }
    throw FileError(
      .otherKind, path: path,
      message: "is a folder without a model; use a folder .xcdatamodeld or .xcdatamodel, the file of a store, or a feed"
    )
  }

  // MARK: Files

  private static func kind(ofFile path: String) throws(FileError) -> InspectedKind {
    let bytes = try SourceFile(path).prefix(sampleByteCount)
    guard !bytes.isEmpty else {
      throw FileError(.malformed, path: path, message: "is empty; use a model, the file of a store, or a feed")
    }
    if bytes.starts(with: StoreCopy.signature) { return .store }
    // Property lists and compiled models are models of earlier Xcodes or of built apps.
    if bytes.starts(with: Array("bplist".utf8)) { return .model }
    if isText(bytes) {
      if isWebPage(bytes) {
        throw FileError(
          .otherKind, path: path, message: "is an HTML page, as servers send in place of a feed that failed; \(known)")
      }
      let first = firstCharacter(of: bytes)
      if first == UInt8(ascii: "<") { return .model }
      if let first, "[{\"-".utf8.contains(first) || (48...57).contains(first) { return .feed }
    }
    // The feed's reader says what is wrong with such a file, and where.
    if feedEndings.contains(ending(path)) { return .feed }
    throw FileError(.otherKind, path: path, message: otherKind(bytes, ending: ending(path)))
  }

  private static let known = "use a model (XML), the file of a store (SQLite) or a feed (JSON)"

  private static func otherKind(_ bytes: [UInt8], ending: String) -> String {
    if isText(bytes) {
      let text = String(decoding: bytes.prefix(80), as: UTF8.self)
      return "is a text that begins with \"\(QuotedText.of(text.prefix(20)))\"; \(known)"
    }
    return storeEndings.contains(ending) ? StoreCopy.notADatabase : "is a file of an unknown kind; \(known)"
  }

  /// Returns true if a text begins as an HTML document does. A model is XML of another document type.
  private static func isWebPage(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased().drop {
      $0.isWhitespace || $0 == "\u{feff}"
    }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  /// Returns the first character of a text after a byte order mark and white space, in UTF-8, UTF-16 or UTF-32, or nil
  /// if the sample ends before.
  private static func firstCharacter(of bytes: [UInt8]) -> UInt8? {
    let marks: [UInt8] = [0xef, 0xbb, 0xbf, 0xfe, 0xff, 0x00, 0x20, 0x09, 0x0a, 0x0d]
    return bytes.first { !marks.contains($0) }
  }

  /// Returns true if the bytes are those of a text: they have no control characters except white space, or begin with
  /// the byte order mark of UTF-16 or UTF-32.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xfe, 0xff], [0xff, 0xfe], [0x00, 0x00, 0xfe, 0xff]]
    return marks.contains { bytes.starts(with: $0) } || bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) }
  }
}
