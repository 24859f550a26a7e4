import Foundation
import OutputFiles

/// The first difference between two results that should come from equal runs.
package struct ResultsDifference: Hashable, Sendable, CustomStringConvertible {
  package var fileName: String
  /// The line and column of a table, or the line and byte of another file; empty if a whole file is missing.
  package var place: String
  package var first: String
  package var second: String

  package var description: String {
    ([fileName] + (place.isEmpty ? [] : [place])).joined(separator: ", ") + ": \(first), then \(second)"
  }
}

// MARK: - Folders

extension ResultsDifference {
  /// Finds the first difference between two folders of results.
  ///
  /// Every file of `second` is compared, byte for byte, with the file in `first` that has the same name, in the order
  /// of the names. Manifests also contain times, so only their fingerprints are compared.
  ///
  /// `first` may hold further files, such as charts of an earlier run.
  ///
  /// - Returns: The first difference, or nil if there is no difference.
  /// - Throws: `FileError` with code `unreadable` or `malformed`.
  package static func between(
    _ first: ResultsFolder, and second: ResultsFolder
  ) throws(FileError) -> ResultsDifference? {
    for name in try second.fileNames() where name != Manifest.fileName {
      guard let before = FileManager.default.contents(atPath: first.path(of: name)) else {
        return ResultsDifference(fileName: name, place: "", first: "missing", second: "present")
      }
      guard let after = FileManager.default.contents(atPath: second.path(of: name)) else {
        throw FileError(.unreadable, path: second.path(of: name), message: "cannot be read")
      }
      if before != after { return try between(before, and: after, fileName: name) }
    }
    return between(try first.manifest(), and: try second.manifest())
  }

  /// Compares the trials' fingerprints, and returns the first difference or nil.
  static func between(_ first: Manifest, and second: Manifest) -> ResultsDifference? {
    let before = first.simulatedTrials ?? []
    let after = second.simulatedTrials ?? []
    func difference(_ place: String, first: String, second: String) -> ResultsDifference {
      ResultsDifference(fileName: Manifest.fileName, place: place, first: first, second: second)
    }
    guard before.count == after.count else {
      return difference("simulated_trials", first: "\(before.count) trials", second: "\(after.count)")
    }
    guard let (before, after) = zip(before, after).first(where: { $0.fingerprint != $1.fingerprint }) else {
      return nil
    }
    let name = [before.topology, before.variant].compactMap(\.self).joined(separator: "/")
    let number = before.draw.map { "draw \($0)" } ?? "trial \(before.trial)"
    return difference("fingerprint of \(name), \(number)", first: before.fingerprint, second: after.fingerprint)
  }
}

// MARK: - Files

extension ResultsDifference {
  /// Returns the first difference between two files that are not equal.
  static func between(
    _ first: Data, and second: Data, fileName: String
  ) throws(FileError) -> ResultsDifference {
    guard fileName.hasSuffix(".csv") else { return bytes(first: first, second: second, fileName: fileName) }
    let before = try CSV(parsing: String(decoding: first, as: UTF8.self), path: fileName)
    let after = try CSV(parsing: String(decoding: second, as: UTF8.self), path: fileName)
    return cells(first: before, second: after, fileName: fileName)
      ?? bytes(first: first, second: second, fileName: fileName)
  }

  private static func cells(first: CSV, second: CSV, fileName: String) -> ResultsDifference? {
    let rows = zip([first.header] + first.records, [second.header] + second.records)
    for (line, (before, after)) in rows.enumerated() {
      guard let column = before.indices.first(where: { !after.indices.contains($0) || before[$0] != after[$0] }) else {
        if before.count < after.count {
          return ResultsDifference(
            fileName: fileName, place: "line \(line + 1)", first: "\(before.count) fields", second: "\(after.count)")
        }
        continue
      }
      let name = first.header.indices.contains(column) ? first.header[column] : "\(column + 1)"
      return ResultsDifference(
        fileName: fileName, place: "line \(line + 1), column \(name)", first: shown(before[column]),
        second: after.indices.contains(column) ? shown(after[column]) : "no field")
    }
    guard first.records.count != second.records.count else { return nil }
    let line = min(first.records.count, second.records.count) + 2
    return ResultsDifference(
      fileName: fileName, place: "line \(line)", first: "\(first.records.count) rows", second: "\(second.records.count)"
    )
  }

  private static func shown(_ field: String) -> String { field.isEmpty ? "nothing" : field }

  private static func bytes(first: Data, second: Data, fileName: String) -> ResultsDifference {
    let place = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let offset = place ?? min(first.count, second.count)
    let line = first.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    func byte(_ data: Data) -> String {
      data.count > offset ? "byte \(data[data.startIndex + offset])" : "the end"
    }
    return ResultsDifference(
      fileName: fileName, place: "line \(line), byte \(offset)", first: byte(first), second: byte(second))
  }
}

extension ResultsFolder {
  /// Returns the names of the files in the folder, sorted and without hidden files.
  fileprivate func fileNames() throws(FileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw FileError(.unreadable, path: path, message: "cannot be read: \(FileReason.text(of: error, at: path))")
    }
  }
}
