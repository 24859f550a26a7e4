import Foundation
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

/// Tests of the figures that experiments take from the file of `make peers`.
@Suite struct PeersFileTests {
  private static let header = "case,subject,rows,ns_per_row_median,ns_per_row_min,ratio_to_raw_ppm,heap_bytes_per_row"

  private func rows(_ lines: [String]) throws -> [FigureRow] {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/peers.csv"
    try lines.map { $0 + "\r\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
    return try PeersFile(path: path).rows(of: try SmallCatalogue.experiments()[4], ["ns_per_row_median"])
  }

  private static let lines = [
    header, "insert,stackbench,100,1200,1100,620000,", "insert,raw,100,800,790,1000000,",
    "insert,grdb-records,100,6000,,,",
    "fetch,stackbench,100,430,400,620000,", "fetch,raw,100,270,250,1000000,",
  ]

  @Test func `each case has a row for each peer of the experiment`() throws {
    let rows = try rows(Self.lines)
    #expect(
      rows.map(\.key.text) == [
        "engine, case=insert, stackbench, trial 1", "engine, case=insert, raw, trial 1",
        "engine, case=fetch, stackbench, trial 1", "engine, case=fetch, raw, trial 1",
      ])
    #expect(rows.map(\.values) == [1_200, 800, 430, 270].map { ["ns_per_row_median": $0] })
  }

  @Test func `a missing file, column or case is an error that names the command`() throws {
    let missing = try #require(throws: RunFailure.self) {
      try PeersFile(path: "/nowhere/peers.csv").rows(of: try SmallCatalogue.experiments()[4], ["ns_per_row_median"])
    }
    #expect(missing.message == "/nowhere/peers.csv: cannot be read; make it with 'make peers'")
    let noCase = try #require(throws: RunFailure.self) { try rows(Array(Self.lines.dropLast())) }
    #expect(
      noCase.message.hasSuffix("has no ns_per_row_median of raw for the case fetch; make it again with 'make peers'"))
    let noColumn = try #require(throws: RunFailure.self) { try rows(["case,subject,rows"]) }
    #expect(noColumn.message.hasSuffix(":1: has no column ns_per_row_median; make it again with 'make peers'"))
  }
}
