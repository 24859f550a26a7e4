import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// Finds the previous result of a folder among the results that were moved aside from it.
enum PreviousResult {
  /// Returns the path of the run that the folder at `path` held before its present result.
  ///
  /// If `path` is the folder of a result that has been moved aside, the function returns the one that was moved from
  /// the same folder before it.
  ///
  /// - Parameter path: The folder as it was given.
  /// - Returns: A path in the form of the given one: absolute, or relative to the working folder if the result lies
  ///   below it.
  /// - Throws: `RunFailure` with status 64 if there is no earlier run.
  static func path(before path: String) throws -> String {
    let folder = StagedFolder.withoutLink(WorkingFolder.absolutePath(path))
    let own = ResultOrigin(in: folder)
    let name = own?.name ?? WorkingFolder.lastPart(of: folder)
    let earlier = moved(from: name, in: parent(of: folder)).filter { candidate in
      candidate.number < own?.number ?? .max && holdsTrials(candidate.path)
    }
    guard let last = earlier.max(by: { $0.number < $1.number }) else {
      // Results that an older version moved aside have no note of the folder that they come from.
      throw RunFailure.usage(
        "\(path): it has no earlier result; run again with this folder, which keeps the present result, or give "
          + "two folders")
    }
    return path.hasPrefix("/") ? last.path : WorkingFolder.shown(last.path)
  }

  /// Returns the note for the next result that is moved aside from the folder at `path`.
  static func nextOrigin(of path: String) -> ResultOrigin {
    let folder = StagedFolder.withoutLink(WorkingFolder.absolutePath(path))
    let name = WorkingFolder.lastPart(of: folder)
    let last = moved(from: name, in: parent(of: folder)).map(\.number).max() ?? 0
    return ResultOrigin(name: name, number: last + 1)
  }

  private static func moved(from name: String, in parent: String) -> [(path: String, number: Int)] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return folders.compactMap { folder in
      let path = "\(parent)/\(folder)"
      guard let origin = ResultOrigin(in: path), origin.name == name else { return nil }
      return (path, origin.number)
    }
  }

  /// Returns true if a folder holds a run whose figures can be compared: not a sweep, advice, a comparison or a run
  /// with killed apps.
  private static func holdsTrials(_ path: String) -> Bool {
    StoredResult.kind(in: path) == .run && FileManager.default.fileExists(atPath: "\(path)/\(TrialTable.fileName)")
  }

  private static func parent(of path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
}
