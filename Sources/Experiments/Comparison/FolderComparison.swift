import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// The comparison of two folders of results.
package struct FolderComparison: Sendable {
  /// The paths of the folders as they were given.
  ///
  /// Two folders are compared with each other. One folder, or `standardFolder` if there is no path, is compared with
  /// the result that it held before.
  let paths: [String]
  /// The end of an error message that names another way to compare. It begins with a comma, or is empty if there is no
  /// other way.
  let alternative: String
  /// The words of the command line that sentences on the results use.
  let words: CommandWords

  package init(paths: [String], alternative: String = "", words: CommandWords) {
    self.paths = paths
    self.words = words
    self.alternative = alternative
  }

  /// The folder that is compared if no folder is given.
  package static let standardFolder = "Results/latest"

  /// Reads both results.
  ///
  /// - Throws: `RunFailure` with status 64 if a folder holds no valid result, if no earlier result of a single folder
  ///   is kept, or if the results are of unlike runs.
  package func results() throws -> (first: ComparedResult, second: ComparedResult) {
    let last = paths.last ?? FolderComparison.standardFolder
    let second = try FolderComparison.result(last, alternative: alternative, words: words)
    var first: ComparedResult
    if paths.count > 1 {
      first = try FolderComparison.result(paths[0], alternative: alternative, words: words)
    } else {
      first = try FolderComparison.result(try PreviousResult.path(before: last), words: words)
      first.origin = "the result before it"
    }
    let refusal = ComparedResult.refusal(
      first, second, standardFlags: StandardFlags.like(first.manifest))
    if let refusal { throw RunFailure.usage(refusal) }
    return (first, second)
  }

  /// Reads the result in a folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - alternative: The end of the message about a path that is not a folder, which names what else the user can
  ///     give. It begins with a comma, or is empty.
  ///   - words: The words of the command line that sentences on the result use.
  /// - Returns: The result, which has at least one trial.
  /// - Throws: `RunFailure` with status 64 if the folder holds no valid result. The message names the file and, in a
  ///   table, the line.
  package static func result(
    _ path: String, alternative: String = "", words: CommandWords
  ) throws -> ComparedResult {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw RunFailure.usage("\(path): not a folder; use one that 'stackbench run' wrote\(alternative)")
    }
    let folder = ResultsFolder(path: path)
    let there = { (name: String) in FileManager.default.fileExists(atPath: folder.path(of: name)) }
    if !there(Manifest.fileName), !there(TrialTable.fileName) {
      throw RunFailure.usage("\(path): holds no results; use a folder that 'stackbench run' wrote")
    }
    if there(KilledTable.fileName), !there(TrialTable.fileName) {
      throw RunFailure.usage(
        "\(path): its apps were killed, which leaves no measures; use a run without \(SettingFlag.of(\.killAt))")
    }
    do {
      let result = try ComparedResult(folder: path, roles: SettingTable.standard.roles(words))
      guard !result.trials.isEmpty else {
        throw RunFailure.usage("\(folder.path(of: TrialTable.fileName)): holds no trial; run it again")
      }
      return result
    } catch let error as FileError {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
  }
}
