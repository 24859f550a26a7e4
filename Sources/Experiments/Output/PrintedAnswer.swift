import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// An answer of `advise` or `compare`, which is stored in each format in which it can be printed.
package enum PrintedAnswer: String, CaseIterable, Sendable {
  case advice
  case comparison

  /// The formats, each with the extension of its file. A folder with an answer always has the first file.
  private static let endings: [(format: OutputFormat, ending: String)] = [
    (.json, "json"), (.text, "txt"), (.markdown, "md"),
  ]

  var fileNames: [String] { PrintedAnswer.endings.map { "\(rawValue).\($0.ending)" } }

  package static var formats: [OutputFormat] { endings.map(\.format) }

  /// Makes the folder for an answer that is stored.
  ///
  /// - Parameters:
  ///   - given: The path of the folder, or nil if the answer is only printed.
  ///   - flag: The flag that named the folder, with which messages begin.
  /// - Returns: The folder, or nil if the answer is only printed.
  /// - Throws: `RunFailure` with status 64 if the folder cannot be written to or its result cannot be moved aside; with
  ///   status 1 while another command writes to it, or if the disk is full.
  package static func folder(_ given: String?, flag: String) throws -> OutputFolder? {
    guard let path = given.map(WorkingFolder.absolutePath) else { return nil }
    try StoredResult.checkThatItCanBeMoved(from: path, flag: flag)
    return try OutputFolder(path, flag: flag, files: Set(allCases.flatMap(\.fileNames)))
  }

  /// Writes the answer in all formats. A result that the folder holds is moved aside.
  ///
  /// - Parameters:
  ///   - folder: The folder for the files.
  ///   - text: Returns the answer in a format.
  /// - Returns: The path to which the earlier result was moved, or nil if no result was moved.
  /// - Throws: `RunFailure` if the answer cannot be written, and any error that `text` throws.
  package func write(to folder: OutputFolder, text: (_ format: OutputFormat) throws -> String) throws -> String? {
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

  /// Returns the answer that the folder at `path` holds in a format. A format that is not among `formats` gives the
  /// first of them.
  ///
  /// - Throws: `RunFailure` with status 64 if the answer's file cannot be read, or is not whole.
  package func text(in path: String, format: OutputFormat) throws -> String {
    let index = PrintedAnswer.formats.firstIndex(of: format) ?? 0
    let file = "\(path)/\(fileNames[index])"
    guard let data = FileManager.default.contents(atPath: file), let text = String(validating: data, as: UTF8.self)
    else {
      throw RunFailure.usage("\(file): cannot be read as text; use another format, or make the \(rawValue) again")
    }
    let isWhole = text.hasSuffix("\n") && (index > 0 || (try? JSONSerialization.jsonObject(with: data)) != nil)
    guard isWhole else {
      throw RunFailure.usage("\(file): is damaged or cut off; use another format, or make the \(rawValue) again")
    }
    return text
  }
}
