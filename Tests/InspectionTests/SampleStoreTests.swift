import Foundation
import TestSupport
import Testing
import TrialProcesses

/// A store that Core Data wrote, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct SampleStoreTests {
  private let folder: TemporaryFolder
  private let path = (ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? "") + "/stores/SampleModel_V1.sqlite"

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the rows and entities of a store of Core Data are read`() throws {
    let original = URL(fileURLWithPath: path)
    let before = try Data(contentsOf: original)
    let names = try FileManager.default.contentsOfDirectory(atPath: original.deletingLastPathComponent().path)
    let summary = StoreSummary(try InspectedStore(path, copyingInto: folder.path).contents)
    #expect(summary.rows == ["ZCAR": 125, "ZPERSON": 20])
    #expect(summary.journalMode == "wal")
    #expect(summary.entities.map(\.name) == ["Car", "SportCar", "ExpensiveSportCar", "Person"])
    #expect(summary.entities.map(\.superentity) == [0, 1, 2, 0])
    #expect(try Data(contentsOf: original) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: original.deletingLastPathComponent().path) == names)
  }

  @Test func `the store fits the model of its version and no other`() throws {
    let contents = try InspectedStore(path, copyingInto: folder.path).contents
    #expect(StoreModelComparison(contents, with: SampleModel.model).firstDifference == nil)
    let declared = SampleModel.make(versionHash: SampleModel.versionHashes["Car"].map { Data($0) })
    #expect(StoreModelComparison(contents, with: declared).firstDifference == nil)
    let later = SampleModel.make(further: [.init("doors", .integer16)])
    #expect(
      StoreModelComparison(contents, with: later).firstDifference
        == "attribute Car.doors of the model needs the column ZDOORS of type INTEGER, which the store's table ZCAR does "
        + "not have")
    let other = SampleModel.make(superentityOfExpensive: "Car")
    #expect(
      StoreModelComparison(contents, with: other).firstDifference
        == "entity ExpensiveSportCar inherits from Car in the model and from SportCar in the store")
  }
}
