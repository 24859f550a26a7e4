import Foundation
import Reporting
import TrialProcesses

/// An answer that is kept in each format in which it can be printed: what `advise` or `compare` says.
package enum PrintedAnswer: String, CaseIterable, Sendable {
  case advice
  case comparison

  /// The formats, each with the ending of its file; the first is always there.
  private static let endings = [("json", "json"), ("text", "txt"), ("markdown", "md")]

  var fileNames: [String] { PrintedAnswer.endings.map { "\(rawValue).\($0.1)" } }

  package static var formats: [String] { endings.map(\.0) }

  /// Makes the folder of an answer that is to be kept, or returns nil if it is only printed.
  ///
  /// - Throws: `RunFailure` with status 64 if nothing can be written there.
  package static func folder(_ given: String?, flag: String) throws -> OutputFolder? {
    guard let path = given.map(WorkingFolder.absolutePath) else { return nil }
    try StoredResult.checkThatItCanBeMoved(from: path, flag: flag)
    return try OutputFolder(path, flag: flag, files: Set(allCases.flatMap(\.fileNames)))
  }

  /// Writes the answer in all formats, in place of the result that the folder holds, which is moved aside.
  ///
  /// - Parameter text: Returns the answer in the format of a name.
  /// - Returns: Where the earlier result is now, or nil if there was none.
  /// - Throws: `RunFailure`, and what `text` throws.
  package func write(to folder: OutputFolder, text: (_ format: String) throws -> String) throws -> String? {
    let texts = try PrintedAnswer.formats.map(text)
    let own = EarlierFiles(isReplaced: { [fileNames] in fileNames.contains($0) }, marks: [fileNames[0]])
    do {
      return try folder.replace(StoredResult.keeping(in: folder.path) ?? own) { path in
        for (name, text) in zip(fileNames, texts) { try AtomicFile.write(Data(text.utf8), to: "\(path)/\(name)") }
      }
    } catch {
      throw RunFailure.unexpected(error, "the \(rawValue) cannot be written: ", in: folder.path)
    }
  }

  /// Returns the answer that the folder at `path` holds.
  ///
  /// - Parameter format: One of `formats`.
  /// - Throws: `RunFailure` with status 64 if it cannot be read.
  package func text(in path: String, format: String) throws -> String {
    let index = PrintedAnswer.formats.firstIndex(of: format) ?? 0
    let file = "\(path)/\(fileNames[index])"
    guard let data = FileManager.default.contents(atPath: file), let text = String(validating: data, as: UTF8.self)
    else {
      throw RunFailure.usage("\(file): cannot be read as text; use another format, or make the \(rawValue) again")
    }
    return text
  }
}
