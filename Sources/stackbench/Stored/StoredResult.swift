import Foundation
import Glibc
import Reporting

/// A kind of result that a command leaves in a folder.
///
/// A folder shows its kind by the file that this kind always has.
enum StoredResult: CaseIterable, Sendable {
  case run
  case sweep
  case advice
  case comparison

  /// Returns the kind of result in the folder at `path`, or nil if it holds none.
  static func kind(in path: String) -> StoredResult? {
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
  /// Moves the result in the folder at `path` into a new folder beside it.
  ///
  /// The new folder is called after the day on which the result was begun, as in `2026-07-29-1`, and has a note of the
  /// folder that the result comes from. Files that are not of a result stay where they are.
  ///
  /// - Returns: The path of the new folder, or nil if there is no result.
  /// - Throws: `CommandFailure` if the result cannot be moved.
  static func moveAside(from path: String) throws -> String? {
    guard kind(in: path) != nil else { return nil }
    let origin = ResultOrigin(in: path) == nil ? PreviousResult.nextOrigin(of: path) : nil
    let target = try makeFolder(beside: path, day: day(of: path))
    do {
      try origin?.write(to: target)
    } catch {
      rmdir(target)
      throw CommandFailure.failed("the earlier result cannot be moved: \(error)")
    }
    let marks = allCases.flatMap(\.marks)
    let names = fileNames(in: path).filter(isOfResult)
    // The marks last: after an interrupt the next run moves the rest.
    for name in names.filter({ !marks.contains($0) }) + names.filter({ marks.contains($0) }) {
      guard rename("\(path)/\(name)", "\(target)/\(name)") == 0 else {
        throw CommandFailure.failed(
          "\(path)/\(name): cannot be moved to \(target): \(String(cString: strerror(errno)))")
      }
    }
    return target
  }

  /// Finds out, before anything takes time, whether a result in the folder at `path` can be moved aside.
  ///
  /// - Throws: `CommandFailure` with status 64.
  static func checkThatItCanBeMoved(from path: String, flag: String) throws {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard kind(in: path) != nil, access(parent, W_OK) != 0 else { return }
    throw CommandFailure.usage(
      "\(flag) \(path): holds a result, which cannot be moved into \(parent): \(String(cString: strerror(errno))); "
        + "use another folder")
  }

  private static let names: Set<String> = [
    Manifest.fileName, TrialTable.fileName, SummaryTable.fileName, FrameTable.fileName, StallTable.fileName,
    DrawTable.fileName, KilledTable.fileName, TraceFile.fileName, ReportPage.fileName, SweepPlan.fileName,
    SweepTable.fileName, SweepCharts.folderName, ResultOrigin.fileName,
  ]

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
    let date = manifest?.startedAt ?? changed ?? Date()
    // In UTC, as in the manifest.
    return String(date.formatted(.iso8601).prefix("2026-07-29".count))
  }

  private static func makeFolder(beside path: String, day: String) throws -> String {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var number = 1
    while true {
      let folder = "\(parent)/\(day)-\(number)"
      if mkdir(folder, S_IRWXU | S_IRWXG | S_IRWXO) == 0 { return folder }
      guard errno == EEXIST else {
        throw CommandFailure.failed("\(folder): cannot be made: \(String(cString: strerror(errno)))")
      }
      number += 1
    }
  }
}
