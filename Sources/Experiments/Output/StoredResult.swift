import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// A kind of result that a command writes to a folder.
///
/// The kind of a folder's result is recognized by a file that this kind always has.
package enum StoredResult: CaseIterable, Sendable {
  case run
  case sweep
  case advice
  case comparison

  /// Returns the kind of result in the folder at `path`, or nil if the folder has no result.
  package static func kind(in path: String) -> StoredResult? {
    let names = fileNames(in: path)
    if let kind = allCases.first(where: { kind in kind.marks.contains { names.contains($0) } }) { return kind }
    return names.contains(where: SweepFiles.isResult) ? .sweep : nil
  }

  /// The names of files that mark this kind of result. A folder with such a result has at least one of them.
  private var marks: [String] {
    switch self {
    case .run: [Manifest.fileName]
    case .sweep: Array(SweepFiles.fixed).sorted()
    case .advice: [PrintedAnswer.advice.fileNames[0]]
    case .comparison: [PrintedAnswer.comparison.fileNames[0]]
    }
  }

  private static func fileNames(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}

// MARK: - Moving aside

extension StoredResult {
  /// Returns the files of the result in the folder at `path` and the way in which they are kept when another result
  /// replaces them, or nil if the folder has no result.
  ///
  /// They are moved to a new folder with the same parent. Its name is the day on which the result was begun and a
  /// number, as in `2026-07-29-1`, and it has a note of the folder that the result comes from. Other files stay where
  /// they are.
  static func keeping(in path: String) -> EarlierFiles? {
    guard kind(in: path) != nil else { return nil }
    return earlierFiles(in: path, of: path)
  }

  /// Returns the files of an earlier result that a killed command had replaced but not yet removed or moved aside.
  ///
  /// - Parameters:
  ///   - leftover: The folder that now holds the earlier result.
  ///   - path: The folder that held the earlier result before.
  /// - Returns: The files. If `leftover` holds no result, they are the files of a run.
  static func leftover(in leftover: String, of path: String) -> EarlierFiles {
    guard kind(in: leftover) != nil else { return ResultsFolder.earlierRun }
    return earlierFiles(in: leftover, of: path)
  }

  private static func earlierFiles(in folder: String, of path: String) -> EarlierFiles {
    let holdsCharts = kind(in: folder) == .sweep
    return EarlierFiles(
      isReplaced: { isOfResult($0) && ($0 != SweepFiles.charts || holdsCharts) },
      marks: Set(allCases.flatMap(\.marks)),
      keeping: .init(
        day: day(of: folder),
        writeNote: ResultOrigin(in: folder) == nil ? PreviousResult.nextOrigin(of: path).write : nil))
  }

  /// Checks that a result in the folder at `path` can be moved aside. Commands call it before they begin work that
  /// takes time.
  ///
  /// - Throws: `RunFailure` with status 64 if the result cannot be moved.
  package static func checkThatItCanBeMoved(from path: String, flag: String) throws {
    guard kind(in: path) != nil, let code = StagedFolder.obstacleToMoving(path) else { return }
    let parent = URL(fileURLWithPath: StagedFolder.withoutLink(path)).deletingLastPathComponent().path
    throw RunFailure.usage(
      "\(flag) \(path): holds a result, which cannot be moved into \(parent): \(FileReason.text(code, at: parent)); "
        + "use another folder")
  }

  private static let names = ResultsFolder.fileNames.union(SweepFiles.fixed).union([SweepFiles.charts])

  /// Returns true if a file with this name is part of a result.
  private static func isOfResult(_ name: String) -> Bool {
    names.contains(name) || SweepFiles.isResult(name)
      || PrintedAnswer.allCases.contains { $0.fileNames.contains(name) }
  }

  /// Returns the day on which the result was begun. If it has no manifest, this is the day on which its mark was last
  /// changed, or else today.
  private static func day(of path: String) -> String {
    let manifest = try? ResultsFolder(path: path).manifest()
    let marks = allCases.flatMap(\.marks).map { "\(path)/\($0)" }
    let changed = marks.lazy.compactMap { mark in
      (try? FileManager.default.attributesOfItem(atPath: mark))?[.modificationDate] as? Date
    }.first
    return EarlierFiles.Keeping.day(of: manifest?.startedAt ?? changed ?? Date())
  }
}
