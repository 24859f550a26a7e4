import Harness
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// Tests of `--cell-work`, the time that a frame spends on each of its cells.
@Suite struct CellWorkTests {
  /// Returns the length of the shortest frame of a list that does not scroll. This frame fires no fault and merges no
  /// change.
  private func shortestFrame(screens: Int, rows: Int, cellWork: TimeSpan) throws -> TimeSpan {
    let trial = try TracedTrial("worker-merge", isTraced: false) { options in
      options.viewControllers = screens
      options.visibleRows = rows
      options.scrollSpeed = 0
      options.userEditInterval = .zero
      options.cellWork = cellWork
    }
    #expect(trial.record.measures.verified == 1)
    let frames = trial.record.frames.compactMap(\.frame)
    return try #require(frames.map { $0.end - $0.start }.min())
  }

  @Test(arguments: [(1, 12, Int64(50_000)), (1, 1, 1), (2, 7, 12_500), (1, 0, 100_000), (0, 12, 100_000)])
  func `the cell work of all visible rows lengthens a simulated frame`(
    screens: Int, rows: Int, nanoseconds: Int64
  ) throws {
    let without = try shortestFrame(screens: screens, rows: rows, cellWork: .zero)
    let with = try shortestFrame(screens: screens, rows: rows, cellWork: TimeSpan(nanoseconds: nanoseconds))
    // A strand pays whole nanoseconds, and the next frame pays the fraction that is left.
    #expect(abs((with - without).nanoseconds - Int64(screens * rows) * nanoseconds) <= 1)
  }

  @Test func `visible rows beyond the end of a list take cell work`() throws {
    // The list has 100 rows before the import.
    let all = try shortestFrame(screens: 1, rows: 5_000, cellWork: .microseconds(1))
    #expect(all > .milliseconds(5))
  }

  @Test func `a live frame takes at least the cell work of its rows`() throws {
    var options = RunOptions()
    options.warmup = 0
    options.saveEvery = 200
    options.frameWork = .zero
    options.visibleRows = 10
    options.cellWork = .microseconds(400)
    let bench = try TrialBench(
      WorkloadOptions(workload: .catalog, rows: 200, existingRows: 100, batchSize: 200, mix: .standard), options)
    let frames = try bench.runLive(.workerMerge(.notification)).frames.compactMap(\.frame)
    // The cells take CPU time of the thread, but the frames are measured with the machine's clock. The two may differ.
    #expect(try #require(frames.map { $0.end - $0.start }.min()) >= .microseconds(3_990))
  }
}
