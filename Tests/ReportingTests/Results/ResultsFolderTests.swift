import Foundation
import MachineCore
import Metrics
import OutputFiles
import TestSupport
import Testing

@testable import Reporting

@Suite struct ResultsFolderTests {
  private static let fileNames = ["frames.csv", "manifest.json", "stalls.csv", "summary.csv", "trials.csv"]

  @Test func `what is written is read back`() throws {
    let scratch = try FilesScratch()
    let folder = ResultsFolder(path: "\(scratch.path)/a/b")
    let trials = MadeUpResults.six
    try folder.write(trials, manifest: MadeUpResults.manifest)

    let read = try folder.trials()
    #expect(read.map(\.identity) == trials.map(\.identity))
    #expect(read.map(\.measures) == trials.map(\.measures))
    #expect(try folder.summaries().map(\.measures) == trials.map(\.measures))
    #expect(try folder.summaries().map(\.identity.name) == trials.map(\.identity.name))
    #expect(try folder.frames().map(\.rows) == trials.map(\.frames))
    #expect(try folder.stalls().map(\.rows) == trials.map(\.stalls))
    #expect(try folder.manifest() == MadeUpResults.manifest)
  }

  @Test func `draws have a file of their own, which goes with them`() throws {
    let scratch = try FilesScratch()
    let folder = ResultsFolder(path: scratch.path)
    var draw = MadeUpResults.trial("three-tier", nil, scale: 3)
    draw.simulation = SimulationFigures(
      fingerprint: "", draw: 9, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0, wallNanoseconds: 0)
    try folder.write(MadeUpResults.six, draws: [draw], manifest: MadeUpResults.manifest)
    #expect(try scratch.contents() == ["draws.csv"] + Self.fileNames)
    let lines = try scratch.text("draws.csv").split(separator: "\r\n").map { $0.split(separator: ",") }
    #expect(lines.count == 2)
    let column = try #require(lines[0].firstIndex(of: "draw"))
    #expect(lines[0].map(String.init) == TrialTable.header.map { $0 == "trial" ? "draw" : $0 })
    #expect(try scratch.text("draws.csv").contains("catalog,100000,1,9,4711,12345,"))
    #expect(column == TrialTable.header.firstIndex(of: "trial"))
    #expect(try folder.trials().count == 6)
    try folder.write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    #expect(try scratch.contents() == Self.fileNames)
  }

  @Test func `headers have the published columns`() {
    #expect(
      TrialTable.header.prefix(11).joined(separator: ",")
        == "topology,variant,machine,profile,workload,rows,seed,trial,pid,started_ns,window_ns")
    #expect(
      SummaryTable.header.prefix(8).joined(separator: ",")
        == "topology,variant,machine,profile,workload,rows,seed,window_ns")
    #expect(
      TrialTable.header.suffix(11) == [
        "steal_ns", "in_flight_started_count", "in_flight_applied_count", "in_flight_failed_count",
        "in_flight_discarded_count", "in_flight_cancelled_count", "in_flight_restored_count", "in_flight_wait_ns_p50",
        "in_flight_wait_ns_max", "store_digest", "verified",
      ])
    #expect(
      FrameTable.header.joined(separator: ",")
        == "topology,variant,tick,due_ns,posted,start_ns,end_ns,shown_tick,late_ns,lateness_ns,missed,cause,wait_ns")
    #expect(
      StallTable.header.joined(separator: ",")
        == "topology,variant,tick,start_ns,duration_ns,cause,context,objects_count,statement,waited_for,waited_ns")
  }

  @Test func `tables hold integers, and nothing where nothing was measured`() throws {
    let scratch = try FilesScratch()
    var trial = MadeUpResults.trial("all-main", nil, scale: 2)
    trial.measures.heapPeakBytes = nil
    trial.identity.pid = nil
    trial.stalls[0].reason = StallReason()
    try ResultsFolder(path: scratch.path).write([trial], manifest: MadeUpResults.manifest)
    let trials = try CSV(parsing: scratch.text("trials.csv"), path: "trials.csv")
    let fields = Dictionary(uniqueKeysWithValues: zip(trials.header, trials.records[0]))
    #expect(fields["heap_peak_bytes"] == "")
    #expect(fields["pid"] == "")
    #expect(fields["variant"] == "")
    #expect(fields["hitch_total_ns"] == "166666666")
    #expect(
      try scratch.text("frames.csv").split(separator: "\r\n").dropFirst() == [
        "all-main,,13,8000000,1,2000000,5000000,15,2000000,2000000,1,import,0",
        "all-main,,14,24000000,0,,,,,2000000,,,",
      ])
    #expect(try scratch.text("stalls.csv").hasSuffix("\r\nall-main,,13,8000000,2000000,import,,,,,\r\n"))
    for name in Self.fileNames {
      #expect(try scratch.text(name).utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `a stall's statement is quoted where it has commas, and one line of ASCII`() throws {
    let scratch = try FilesScratch()
    let trial = MadeUpResults.trial("all-main", nil, scale: 1)
    var foreign = MadeUpResults.trial("three-tier", nil, scale: 1)
    foreign.stalls[0].reason = StallReason(statement: "SELECT\n  ZPREIS€ FROM ZARTIKEL")
    try ResultsFolder(path: scratch.path).write([trial, foreign], manifest: MadeUpResults.manifest)
    #expect(
      try scratch.text("stalls.csv").split(separator: "\r\n").dropFirst() == [
        "all-main,,13,8000000,1000000,import,main,500,\"INSERT INTO \"\"Z\"\"(Z_PK, Z_ENT) VALUES(?, ?)\","
          + "root: save (waits for store writer),250000",
        "three-tier,,13,8000000,1000000,import,,,SELECT   ZPREIS? FROM ZARTIKEL,,",
      ])
  }

  @Test func `frames and stalls are the median trial's`() throws {
    let scratch = try FilesScratch()
    let folder = ResultsFolder(path: scratch.path)
    let trials = [3, 1, 2].enumerated().map {
      MadeUpResults.trial("all-main", nil, scale: Int64($1), trial: $0 + 1)
    }
    try folder.write(trials, manifest: MadeUpResults.manifest)
    #expect(try folder.frames() == [TopologyRows(topology: "all-main", variant: nil, rows: trials[2].frames)])
    #expect(try folder.trials().count == 3)
    #expect(try folder.summaries().count == 1)
  }

  @Test func `a run replaces the files of the one before and leaves nothing else`() throws {
    let scratch = try FilesScratch()
    let folder = ResultsFolder(path: scratch.path)
    try folder.write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    try folder.write([MadeUpResults.six[0]], manifest: MadeUpResults.manifest)
    #expect(try folder.trials().count == 1)
    #expect(try scratch.contents() == Self.fileNames)
  }

  @Test func `a file that cannot be replaced fails without leftovers`() throws {
    let scratch = try FilesScratch()
    let taken = "\(scratch.path)/trials.csv"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
    let error = #expect(throws: FileError.self) {
      try ResultsFolder(path: scratch.path).write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    }
    #expect(error?.code == .unwritable)
    #expect(error?.description == "\(taken): cannot be replaced: it is a folder, not a file")
    #expect(try scratch.contents() == ["trials.csv"])
  }

  @Test func `a folder that cannot be made is found out before the run`() throws {
    let scratch = try FilesScratch()
    try AtomicFile.write(Data(), to: "\(scratch.path)/file")
    let error = #expect(throws: FileError.self) {
      try ResultsFolder(path: "\(scratch.path)/file/latest").prepare()
    }
    #expect(error?.code == .unwritable)
    #expect(error?.description == "\(scratch.path)/file/latest: cannot be made: Not a directory")
    try ResultsFolder(path: "\(scratch.path)/new").prepare()
    #expect(try scratch.contents() == ["file", "new"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/new").isEmpty)
  }

  @Test func `missing and damaged results are told apart, in one line`() throws {
    let scratch = try FilesScratch()
    let folder = ResultsFolder(path: scratch.path)
    let missing = #expect(throws: FileError.self) { try folder.trials() }
    #expect(missing?.code == .unreadable)
    #expect(missing?.description == "\(scratch.path)/trials.csv: cannot be read: No such file or directory")
    mkfifo(scratch.path("trials.csv"), 0o600)
    let fifo = #expect(throws: FileError.self) { try folder.trials() }
    #expect(fifo?.description == "\(scratch.path)/trials.csv: cannot be read: it is not a regular file")
    unlink(scratch.path("trials.csv"))

    try folder.write(MadeUpResults.six, manifest: MadeUpResults.manifest)
    let text = try scratch.text("trials.csv")
    func damage(_ find: String, _ replacement: String) throws -> String? {
      let damaged = text.replacingOccurrences(of: find, with: replacement)
      try AtomicFile.write(Data(damaged.utf8), to: "\(scratch.path)/trials.csv")
      return #expect(throws: FileError.self) { try folder.trials() }?.description
    }
    #expect(
      try damage("hitch_total_ns", "hitch_total")
        == "\(scratch.path)/trials.csv:1: the column hitch_total_ns is missing")
    #expect(
      try damage("416666665", "41.6")
        == "\(scratch.path)/trials.csv:4: hitch_total_ns: 41.6 is not an integer; use 0 to 1000000000000000")
    #expect(try damage("all-main", "") == "\(scratch.path)/trials.csv:2: topology is empty")
  }

  @Test func `the columns of work in flight are read as they were written`() throws {
    var record = MadeUpResults.six[0]
    record.measures.set(
      ComputationMeasures(
        fates: [.applied, .failed, .failed, .discarded, .cancelled], restoredCount: 1,
        waits: [3, 1, 2].map { TimeSpan.milliseconds($0) }))
    let csv = TrialTable.csv([record])
    let place = try #require(csv.header.firstIndex(of: "in_flight_started_count"))
    #expect(csv.records[0][place..<place + 8] == ["5", "1", "2", "1", "1", "1", "2000000", "3000000"])
    #expect(try TrialTable.trials(in: csv, path: "t").map(\.measures) == [record.measures])
  }

  @Test func `results of a version without the yardstick or work in flight are read, as not measured`() throws {
    var expected = MadeUpResults.six[0].measures
    expected.yardstickNanoseconds = nil
    expected.stealNanoseconds = nil
    func without(_ csv: CSV) -> CSV {
      let kept = csv.header.indices.filter {
        !["yardstick_ns", "steal_ns"].contains(csv.header[$0]) && !csv.header[$0].hasPrefix("in_flight_")
      }
      return CSV(header: kept.map { csv.header[$0] }, records: csv.records.map { row in kept.map { row[$0] } })
    }
    let trials = without(TrialTable.csv([MadeUpResults.six[0]]))
    #expect(try TrialTable.trials(in: trials, path: "t").map(\.measures) == [expected])
    let summaries = without(SummaryTable.csv(Summary.summaries(of: [MadeUpResults.six[0]])))
    #expect(try SummaryTable.summaries(in: summaries, path: "s").map(\.measures) == [expected])
  }

  @Test func `a column that is new to this reader does no harm`() throws {
    let csv = TrialTable.csv([MadeUpResults.six[0]])
    let wider = CSV(header: csv.header + ["rain_mm"], records: csv.records.map { $0 + ["3"] })
    #expect(try TrialTable.trials(in: wider, path: "t").map(\.measures) == [MadeUpResults.six[0].measures])
  }
}

@Suite struct ManifestTests {
  @Test func `a trial's yardsticks and stolen time are kept, and an earlier version's manifest has none`() throws {
    let plain = try #require(MadeUpResults.manifest.noise.first)
    #expect(plain.yardstick == nil)
    var manifest = MadeUpResults.manifest
    manifest.noise[0].yardstickBeforeNanoseconds = 11_000_000
    manifest.noise[0].yardstickAfterNanoseconds = 12_000_000
    manifest.noise[0].stealNanoseconds = 30_000_000
    let read = try Manifest(json: manifest.json(), path: "manifest.json")
    #expect(read == manifest)
    #expect(read.noise[0].yardstick?.meanNanoseconds == 11_500_000)
    let text = String(decoding: try manifest.json(), as: UTF8.self)
    #expect(text.contains("\"yardstick_before_ns\" : 11000000") && text.contains("\"steal_ns\" : 30000000"))
  }

  @Test func `a manifest reads as expected`() throws {
    let json = String(decoding: try MadeUpResults.manifest.json(), as: UTF8.self)
    #expect(
      json == """
        {
          "configuration" : "release",
          "ended_at" : "2026-09-21T14:14:20Z",
          "file_system" : {
            "fsync_ns" : 1234567,
            "is_tmpfs" : false,
            "type" : "ext4"
          },
          "flags" : {
            "rows" : "100000",
            "trials" : "5"
          },
          "host" : {
            "cores" : 2,
            "cpu_model" : "Example CPU",
            "kernel" : "6.1.0"
          },
          "idle_ticks" : {
            "is_over_1_ms" : false,
            "lateness_ns_p50" : 47000,
            "lateness_ns_p99" : 120000
          },
          "machine" : "live",
          "noise" : [
            {
              "main_run_queue_wait_ns" : null,
              "ticker_run_queue_wait_ns" : 5,
              "topology" : "worker-merge",
              "trial" : 1,
              "variant" : "notification"
            }
          ],
          "profile" : null,
          "schema" : 2,
          "seed" : 1,
          "started_at" : "2026-09-21T14:13:20Z",
          "versions" : {
            "packages" : {
              "Rainbow" : "4.2.2",
              "swift-collections" : "1.6.0"
            },
            "sqlite" : "3.40.1",
            "swift" : "6.3.1",
            "tool" : "0.1.0"
          }
        }

        """)
  }

  @Test func `idle ticks over one millisecond and a store in memory are marked`() {
    #expect(!Manifest.IdleTicks(latenessNanosecondsP50: 1, latenessNanosecondsP99: 1_000_000).isOverLimit)
    #expect(Manifest.IdleTicks(latenessNanosecondsP50: 1, latenessNanosecondsP99: 1_000_001).isOverLimit)
    #expect(Manifest.FileSystem(type: "tmpfs", fsyncNanoseconds: 1).isTmpfs)
    #expect(!Manifest.FileSystem(type: "btrfs", fsyncNanoseconds: nil).isTmpfs)
  }
}
