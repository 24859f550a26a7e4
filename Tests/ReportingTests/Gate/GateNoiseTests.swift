import Foundation
import Metrics
import OutputFiles
import TestSupport
import Testing

@testable import Reporting

/// The noise of a run, from simulations with harmless changes, and its file.
@Suite struct GateNoiseTests {
  private static let measure = "stall_ns_p99"

  /// Results of one stack with a measure of each draw.
  private static func results(_ values: [Int64]) -> GateResults {
    MadeUpGate.drawn(values.count) { measures, draw in measures.stallNanosecondsP99 = values[draw - 1] }
  }

  @Test func `the deviation is that of the pairs' differences, the shift their largest mean`() throws {
    let measure = try #require(Measure.named(Self.measure))
    let base = Self.results([1_000, 2_000, 4_000, 8_000])
    // Differences 10, 30, 10, 30: mean 20, variance 400 / 3; and all -5.
    let noise = GateNoise(
      of: base, changed: [Self.results([1_010, 2_030, 4_010, 8_030]), Self.results([995, 1_995, 3_995, 7_995])])
    let figure = try #require(noise.figures["three-tier"]?[measure])
    #expect(abs(figure.deviation - (400.0 / 3 / 2).squareRoot()) < 1e-9)
    #expect(figure.shift == 20)
    let floor = noise.floor(of: "three-tier", measure, pairs: 4, noticed: 1)
    #expect(abs(floor.standardError - figure.deviation / 2) < 1e-9)
    #expect(floor.value == 20 + 3 * floor.standardError)
    #expect(noise.floor(of: "three-tier", measure, pairs: 16, noticed: 1).standardError == floor.standardError / 2)
    #expect(noise.floor(of: "unknown", measure, pairs: 4, noticed: 1) == GateFloor(noticed: 1))
  }

  @Test func `the file holds the floors and reads back`() throws {
    let temporaryFolder = try TemporaryFolder()
    defer { withExtendedLifetime(temporaryFolder) {} }
    let folder = ResultsFolder(path: temporaryFolder.path)
    try folder.prepare()
    let base = Self.results([1_000, 2_000, 4_000, 8_000])
    let noise = GateNoise(of: base, changed: [Self.results([1_010, 2_030, 4_010, 8_030])])
    try noise.file(for: folder.path(of: GateNoise.fileName), of: base, tolerances: Tolerances(), pairs: 4).commit()
    let read = try GateNoise(reading: folder)
    let measure = try #require(Measure.named(Self.measure))
    let figure = try #require(read.figures["three-tier"]?[measure])
    #expect(figure.shift == 20)
    #expect(abs(figure.deviation - (400.0 / 3).squareRoot()) < 0.001)
    let csv = try folder.csv(GateNoise.fileName)
    let row = try #require(csv.records.first { $0[0] == "three-tier" && $0[1] == Self.measure })
    // Mean 3,750 ns; noticed 2 ms; deviation 11.547 ns; shift 20 ns; four pairs; the floor.
    #expect(Array(row[2...]) == ["3750000", "2000000000", "11547", "20000", "4", "2000000000"])
  }

  @Test(arguments: [
    ("three-tier,import_ns,1,1,-1,0,1,1", "deviation_thousandths: -1 is out of range; use 0 to 1000000000000000"),
    ("three-tier,import_ns,1,1,1,-2,1,1", "shift_thousandths: -2 is out of range; use 0 to 1000000000000000"),
    ("three-tier,import,1,1,1,1,1,1", "import is not a measure"),
    ("three-tier,import_ns,1,1,,1,1,1", "deviation_thousandths is empty"),
  ])
  func `a damaged file is named with the line`(line: String, message: String) throws {
    let temporaryFolder = try TemporaryFolder()
    defer { withExtendedLifetime(temporaryFolder) {} }
    let folder = ResultsFolder(path: temporaryFolder.path)
    try folder.prepare()
    let header =
      "stack,measure,mean_thousandths,noticed_thousandths,deviation_thousandths,shift_thousandths,pairs_count,"
      + "floor_thousandths"
    try Data("\(header)\r\n\(line)\r\n".utf8).write(
      to: URL(fileURLWithPath: folder.path(of: GateNoise.fileName)))
    let error = #expect(throws: FileError.self) { try GateNoise(reading: folder) }
    #expect(error?.line == 2)
    #expect(error?.message == message)
  }

  @Test func `a baseline without the file has no noise`() throws {
    #expect(try GateNoise(reading: ResultsFolder(path: "/nowhere")) == GateNoise())
  }
}
