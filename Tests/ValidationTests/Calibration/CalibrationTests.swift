import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import Metrics
import SQLitePersistence
import TestSupport
import Testing

@testable import Validation

struct CalibrationTests {
  /// Every scenario measured once at each of its two smallest sizes.
  private static let measured: Result<[WorkMeasurement], any Error> = Result { try measure() }

  private static func measure() throws -> [WorkMeasurement] {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let ledger = WorkLedger()
    let machine = LiveMachine(ledger: ledger)
    defer { machine.stop() }
    let bench = try CalibrationBench(
      machine: machine, ledger: ledger, instruments: .counting, folder: folder.path)
    let small = CalibrationScenario.all.map { $0.limited(to: 2) }
    return try Calibration(bench, scenarios: small)
      .run(.init(time: .zero, minimumRounds: 1, maximumRounds: 1)).measurements
  }

  // A live machine does not see its system wake a thread, nor a core's caches when the thread begins.
  private static let unseen: Set<Work.Kind> = [.threadWoken, .coldStart, .timeSlept]

  @Test(arguments: Work.Kind.allCases.filter { !unseen.contains($0) })
  func `each kind of work is counted in some scenario`(_ kind: Work.Kind) throws {
    #expect(try Self.measured.get().contains { $0[count: kind] > 0 })
  }

  @Test func `a larger size of a scenario counts more work`() throws {
    let measured = try Self.measured.get()
    let names = Set(measured.map(\.scenario)).subtracting(CalibrationScenario.cold.map(\.name))
    for name in names.sorted() {
      let sizes = measured.filter { $0.scenario == name }
      #expect(sizes.count == 2)
      let isMore = Work.Kind.allCases.contains { sizes[1][count: $0] > sizes[0][count: $0] }
      #expect(isMore, "\(name)")
    }
  }

  @Test func `the scenario of import units counts saves, writes, sets and scans`() throws {
    let units = try #require(try Self.measured.get().first { $0.scenario == "import units" })
    let records = CalibrationBench.batchSize * units.size
    #expect(units[count: .saveBegun] == units.size)
    #expect(units[count: .performAndWait] == units.size)
    // A deletion may take others along; an insertion, an update or a deletion writes a row.
    #expect(units[count: .rowWritten] >= records)
    #expect(units[count: .propertySet] > records)
    #expect(units[count: .rowScanned] > CalibrationBench.existingRows / 2)
  }

  @Test func `scenarios have unique names and ascending sizes`() {
    let scenarios = CalibrationScenario.all
    #expect(Set(scenarios.map(\.name)).count == scenarios.count)
    for scenario in scenarios {
      #expect(scenario.sizes.count >= 3)
      #expect(zip(scenario.sizes, scenario.sizes.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func `the typical repetition has the first quartile of CPU and median storage time`() throws {
    let repetitions = ([30, 10, 20, 50, 40] as [Int64]).map { nanoseconds in
      var measurement = WorkMeasurement(
        scenario: "a", size: 1, cpu: TimeSpan(nanoseconds: nanoseconds), storage: TimeSpan(nanoseconds: 7 * nanoseconds)
      )
      measurement[count: .commit] = 4
      return measurement
    }
    let typical = try #require(WorkMeasurement.typical(of: repetitions))
    #expect(typical.cpu == TimeSpan(nanoseconds: 20))
    #expect(typical.storage == TimeSpan(nanoseconds: 210))
    #expect(typical[count: .commit] == 4)
    #expect(WorkMeasurement.typical(of: []) == nil)
  }
}

extension CalibrationInstruments {
  /// Stores whose syncs are counted and swallowed, and a clock for everything.
  fileprivate static var counting: CalibrationInstruments {
    let clock: @Sendable () -> MachineCore.TimeSpan = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return TimeSpan(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
    return CalibrationInstruments(
      openStore: { machine, model, path, durability throws(PersistenceError) in
        var configuration = SQLiteStoreConfiguration(path: path)
        configuration.fileAccess = .counted(passesSyncsOn: false)
        configuration.synchronous = durability == .normal ? .normal : .full
        configuration.fullfsync = durability == .flushed
        return try SQLiteStore(machine, model: model, configuration: configuration)
      },
      threadCPU: clock, processCPU: clock, runQueueWait: { nil })
  }
}
