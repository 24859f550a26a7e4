import Foundation
import Metrics
import OutputFiles
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportedResultTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    try ResultsFolder(path: folder.path).write(MadeUpResults.six, manifest: MadeUpResults.manifest)
  }

  private func read() throws -> ReportedResult {
    try ReportedResult(try ComparedResult(folder: path, roles: MadeUpResults.roles), folder: path)
  }

  @Test func `a folder is read with what it has`() throws {
    let whole = try read()
    #expect(whole.missingFiles.isEmpty)
    #expect(whole.summaries.map(\.measures) == MadeUpResults.six.map(\.measures))
    #expect(whole.stalls?.count == 6)
    for name in ["frames.csv", "stalls.csv"] { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    let rest = try read()
    #expect(rest.missingFiles == ["frames.csv", "stalls.csv"])
    #expect(rest.stalls == nil)
  }

  @Test(arguments: ["summary.csv", "frames.csv", "stalls.csv", "draws.csv"])
  func `a damaged table is an error that names file and line, whoever shows it`(name: String) throws {
    let file = "\(path)/\(name)"
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? "topology,draw\r\na,1\r\n"
    let lines = text.components(separatedBy: "\r\n")
    try Data(([lines[0], lines[1] + ",more"] + lines.dropFirst(2)).joined(separator: "\r\n").utf8)
      .write(to: URL(fileURLWithPath: file))
    let error = #expect(throws: FileError.self) { _ = try read() }
    #expect(error?.description.hasPrefix("\(file):2: ") == true)
  }

  @Test func `draws are read back by their numbers`() throws {
    let draws = (1...3).map { number in
      var draw = MadeUpResults.trial("all-main", nil, scale: 2)
      draw.simulation = SimulationFigures(
        fingerprint: "", draw: number, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0)
      return draw
    }
    try ResultsFolder(path: path).write(MadeUpResults.six, draws: draws, manifest: MadeUpResults.manifest)
    #expect(try read().draws.map { $0.simulation?.draw } == [1, 2, 3])
    #expect(try read().draws.map(\.measures) == draws.map(\.measures))
  }

  @Test func `columns of a later version are let be, and those that an older one lacked are not measured`() throws {
    let file = "\(path)/trials.csv"
    let csv = try CSV(parsing: String(contentsOfFile: file, encoding: .utf8), path: file)
    let kept = csv.header.indices.filter { csv.header[$0] != "objects_merged_count" }
    let older = CSV(
      header: kept.map { csv.header[$0] } + ["new_count"],
      records: csv.records.map { record in kept.map { record[$0] } + ["7"] })
    try Data(older.text.utf8).write(to: URL(fileURLWithPath: file))
    #expect(try read().summaries.allSatisfy { $0.measures.objectsMergedCount == nil && $0.measures.verified == 1 })
  }

  @Test func `a run that writes over a result takes its report away`() throws {
    let file = "\(path)/\(ResultsFolder.reportFileName)"
    try Data("of an earlier run".utf8).write(to: URL(fileURLWithPath: file))
    try ResultsFolder(path: path).write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
