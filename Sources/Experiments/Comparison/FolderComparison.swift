import Foundation
import Metrics
import Reporting
import TrialProcesses

/// Two folders that runs have written.
package struct FolderComparison: Sendable {
  /// The folders as they were given: two, or one that is compared with the result before it.
  let paths: [String]
  /// The words that name what else can be compared, behind a comma, or an empty text.
  let alternative: String

  package init(paths: [String], alternative: String = "") {
    self.paths = paths
    self.alternative = alternative
  }

  /// The folder that is compared where none is given.
  package static let standardFolder = "Results/latest"

  /// Reads both.
  ///
  /// - Throws: `RunFailure` with status 64 for what is no result, for a folder before which there is none, and for
  ///   results of unlike runs.
  package func results() throws -> (first: ComparedResult, second: ComparedResult) {
    let last = paths.last ?? FolderComparison.standardFolder
    let second = try FolderComparison.result(last, alternative: alternative)
    var first: ComparedResult
    if paths.count > 1 {
      first = try FolderComparison.result(paths[0], alternative: alternative)
    } else {
      first = try FolderComparison.result(try PreviousResult.path(before: last))
      first.origin = "the result before it"
    }
    let refusal = ComparedResult.refusal(
      first, second, standardFlags: StandardFlags.like(first.manifest))
    if let refusal { throw RunFailure.usage(refusal) }
    return (first, second)
  }

  /// Reads one.
  ///
  /// - Parameter alternative: what else would be right in place of a folder.
  /// - Throws: `RunFailure` with status 64, naming the file and, in a table, the line.
  package static func result(_ path: String, alternative: String = "") throws -> ComparedResult {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw RunFailure.usage("\(path): no folder; use one that 'stackbench run' wrote\(alternative)")
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
      let result = try ComparedResult(folder: path, roles: SettingTable.standard.roles)
      guard !result.trials.isEmpty else {
        throw RunFailure.usage("\(folder.path(of: TrialTable.fileName)): holds no trial; run it again")
      }
      return result
    } catch let error as ReportingError {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
  }
}
