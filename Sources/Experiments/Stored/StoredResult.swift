import Foundation
import Reporting
import TrialProcesses

/// A kind of result that a command leaves in a folder.
///
/// A folder shows its kind by the file that this kind always has.
package enum StoredResult: CaseIterable, Sendable {
  case run
  case sweep
  case advice
  case comparison

  /// Returns the kind of result in the folder at `path`, or nil if it holds none.
  package static func kind(in path: String) -> StoredResult? {
    let names = fileNames(in: path)
    if let kind = allCases.first(where: { kind in kind.marks.contains { names.contains($0) } }) { return kind }
    return names.contains(where: SweepFolder.isResultName) ? .sweep : nil
  }

  /// The files of which a folder with this kind of result has at least one.
  private var marks: [String] {
    switch self {
    case .run: [Manifest.fileName]
    case .sweep: [SweepPlan.fileName, SweepTable.fileName]
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
  /// Returns how the result in the folder at `path` is kept when another takes its place, or nil if there is none.
  ///
  /// It is kept in a new folder beside it, which is called after the day on which the result was begun, as in
  /// `2026-07-29-1`, and has a note of the folder that the result comes from. Files that are not of a result stay where
  /// they are.
  static func keeping(in path: String) -> EarlierFiles? {
    guard kind(in: path) != nil else { return nil }
    return earlierFiles(in: path, of: path)
  }

  /// Returns what a killed command left of an earlier result when a new one had taken its place.
  ///
  /// - Parameters:
  ///   - leftover: The folder that now holds the earlier result.
  ///   - path: The folder that held it.
  static func leftover(in leftover: String, of path: String) -> EarlierFiles {
    guard kind(in: leftover) != nil else { return ResultsFolder.earlierRun }
    return earlierFiles(in: leftover, of: path)
  }

  private static func earlierFiles(in folder: String, of path: String) -> EarlierFiles {
    let holdsCharts = kind(in: folder) == .sweep
    return EarlierFiles(
      isReplaced: { isOfResult($0) && ($0 != SweepCharts.folderName || holdsCharts) },
      marks: Set(allCases.flatMap(\.marks)),
      keeping: .init(
        day: day(of: folder), origin: ResultOrigin(in: folder) == nil ? PreviousResult.nextOrigin(of: path) : nil))
  }

  /// Finds out, before anything takes time, whether a result in the folder at `path` can be moved aside.
  ///
  /// - Throws: `RunFailure` with status 64.
  package static func checkThatItCanBeMoved(from path: String, flag: String) throws {
    guard kind(in: path) != nil, let code = StagedFolder.obstacleToMoving(path) else { return }
    let parent = URL(fileURLWithPath: StagedFolder.withoutLink(path)).deletingLastPathComponent().path
    throw RunFailure.usage(
      "\(flag) \(path): holds a result, which cannot be moved into \(parent): \(FileReason.text(code, at: parent)); "
        + "use another folder")
  }

  private static let names = ResultsFolder.fileNames.union([
    SweepPlan.fileName, SweepTable.fileName, SweepCharts.folderName,
  ])

  /// Returns true if a command gives this name to a file of a result.
  private static func isOfResult(_ name: String) -> Bool {
    names.contains(name) || SweepFolder.isResultName(name)
      || PrintedAnswer.allCases.contains { $0.fileNames.contains(name) }
  }

  /// Returns the day on which the result was begun, as far as its files tell.
  private static func day(of path: String) -> String {
    let manifest = try? ResultsFolder(path: path).manifest()
    let marks = allCases.flatMap(\.marks).map { "\(path)/\($0)" }
    let changed = marks.lazy.compactMap { mark in
      (try? FileManager.default.attributesOfItem(atPath: mark))?[.modificationDate] as? Date
    }.first
    return ResultOrigin.day(of: manifest?.startedAt ?? changed ?? Date())
  }
}
