import Foundation
import PeerComparison
import Testing

@Suite struct FiguresTests {
  /// Returns a comparison in which each subject took the given nanoseconds a unit, round by round.
  private func figures(
    _ benchmark: BenchmarkCase, _ times: [Subject: [Int]], heapBytes: Int? = nil
  ) -> ComparisonFigures {
    var figures = ComparisonFigures()
    for (subject, rounds) in times {
      for (round, time) in rounds.enumerated() {
        figures.add(
          Sample(nanoseconds: time * 10, unitCount: 10, heapBytes: heapBytes), of: benchmark, by: subject, round: round)
      }
    }
    return figures
  }

  @Test func `the median is the middle value, or the mean of the two in the middle`() {
    #expect([3.0, 1, 2].median == 2)
    #expect([4.0, 1, 2, 3].median == 2.5)
    #expect([Double]().median == nil)
  }

  @Test func `a time in proportion to the rows has exponent 1, a square has 2`() {
    #expect(Growth.exponent([(100, 5), (300, 15), (1_000, 50)]).map { abs($0 - 1) < 1e-9 } == true)
    #expect(Growth.exponent([(100, 5), (1_000, 500)]).map { abs($0 - 2) < 1e-9 } == true)
    #expect(Growth.exponent([(100, 5), (100, 6)]) == nil)
  }

  @Test func `a ratio is taken inside each round that both ran`() {
    // The second round was slow for both; medians of the times alone would say 150 ÷ 200.
    let figures = figures(.insert, [.raw: [100, 1_000, 150], .stackbench: [200, 2_000], .grdbRecords: [800]])
    #expect(figures.ratio(of: .insert, .stackbench, to: .raw) == 0.5)
    #expect(figures.ratio(of: .insert, .stackbench, to: .grdbRecords) == 4)
    #expect(figures.ratio(of: .insert, .raw, to: .raw) == 1)
    #expect(figures.ratio(of: .fetch, .stackbench, to: .raw) == nil)
  }

  @Test(arguments: [(101, Verdict.Grade.missed), (100, .floorMet), (67, .floorMet), (66, .aimMet)])
  func `a ratio is held against floor and aim`(engineTime: Int, grade: Verdict.Grade) {
    // The floor is 0.50, the aim 0.75.
    let verdicts = Verdict.all(.insert, figures(.insert, [.raw: [50], .stackbench: [engineTime]]))
    #expect(verdicts.map(\.target.peer) == [.raw, .grdbRecords, .grdbPrepared])
    #expect(verdicts.map(\.grade) == [grade, nil, nil])
    #expect(verdicts[0].missesAim == (grade == .floorMet))
  }

  @Test(arguments: [
    BenchmarkCase.reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller, .mergeIntoList,
  ])
  func `a case that runs no SQL is held against structs kept by hand`(benchmark: BenchmarkCase) throws {
    let target = try #require(benchmark.targets.first)
    #expect(benchmark.targets.map(\.peer) == [.byHand])
    let missed = Int(1_000 * target.floor) - 1
    let figures = figures(benchmark, [.byHand: [missed], .stackbench: [1_000], .raw: [1_000_000]])
    #expect(Verdict.all(benchmark, figures).map(\.grade) == [.missed])
    #expect(!PeerTable(figures, cases: [benchmark], subjects: [.stackbench, .byHand]).keepsFloors)
  }

  @Test(arguments: BenchmarkCase.allCases)
  func `each peer of a target takes part in the case, and no aim is below its floor`(benchmark: BenchmarkCase) {
    for target in benchmark.targets {
      #expect(target.peer.takesPart(in: benchmark))
      #expect(target.aim.map { $0 >= target.floor } ?? true)
    }
  }

  @Test func `a floor against records is one too, and has no aim`() {
    func verdict(recordsTime: Int) -> Verdict {
      Verdict.all(.insert, figures(.insert, [.raw: [100], .stackbench: [100], .grdbRecords: [recordsTime]]))[1]
    }
    #expect(verdict(recordsTime: 399).grade == .missed)
    #expect(verdict(recordsTime: 400).grade == .floorMet)
    #expect(!verdict(recordsTime: 400).missesAim)
  }

  @Test func `what was not measured is not missed`() {
    #expect(Verdict.all(.insert, ComparisonFigures()).allSatisfy { $0.grade == nil && !$0.missesAim })
    #expect(PeerTable(ComparisonFigures(), cases: [.insert], subjects: [.stackbench]).keepsFloors)
  }

  @Test func `the file has a row for each case and subject, integers only, empty where not measured`() {
    var figures = figures(.fetch, [.raw: [200, 100], .stackbench: [300, 400]], heapBytes: 3_333)
    figures.add(Sample(nanoseconds: 104, unitCount: 10), of: .reread, by: .stackbench, round: 0)
    figures.add(Sample(nanoseconds: 26, unitCount: 10), of: .reread, by: .byHand, round: 0)
    let text = PeerFile.text(figures, cases: [.fetch, .reread], subjects: [.stackbench, .raw, .byHand, .grdbRecords])
    #expect(
      text.split(separator: "\r\n") == [
        "case,subject,rows,ns_per_row_median,ns_per_row_min,ratio_to_raw_ppm,heap_bytes_per_row,ratio_to_by_hand_ppm",
        "fetch,stackbench,10,350,300,458333,333,",
        "fetch,raw,10,150,100,1000000,333,",
        "reread,stackbench,10,10,10,,,250000",
        "reread,by-hand,10,3,3,,,1000000",
      ])
    #expect(text.hasSuffix("\r\n"))
  }

  @Test func `the table names the floors that are missed and where the time goes`() {
    var figures = figures(.update, [.raw: [50]])
    figures.add(
      Sample(nanoseconds: 1_000, unitCount: 10, laps: [Lap(name: "save", nanoseconds: 900)]), of: .update,
      by: .stackbench, round: 0)
    let table = PeerTable(figures, cases: [.update], subjects: [.stackbench, .raw])
    #expect(table.text.contains("FLOORS MISSED: update (raw)."))
    #expect(table.text.contains("Budget of update, ns a row: save 90.0; all of raw 50.0."))
    #expect(!table.keepsFloors)
  }

  @Test(arguments: [(281, Verdict.Grade.missed), (280, .floorMet), (240, .aimMet)])
  func `the heap of an object is a floor too`(bytes: Int, grade: Verdict.Grade) {
    let figures = figures(.fetch, [.raw: [100], .stackbench: [100]], heapBytes: 10 * bytes)
    #expect(HeapTarget.grade(figures) == grade)
    let table = PeerTable(figures, cases: [.fetch], subjects: [.stackbench, .raw])
    #expect(table.keepsFloors == (grade != .missed))
    #expect(table.text.contains("cached row: \(bytes) bytes (≤ 280, aim 240): \(grade.rawValue)."))
  }

  @Test(arguments: [(32.0, true), (33, false)])
  func `the heap of payloads is a floor too`(bytes: Double, isKept: Bool) {
    var figures = ComparisonFigures()
    for (subject, growth) in [(Subject.stackbench, 100 + bytes), (.raw, 100)] {
      var sample = Sample(nanoseconds: 1_000, unitCount: 10)
      sample.heapBytesPerPayload = growth
      figures.add(sample, of: .payloads, by: subject, round: 0)
    }
    let table = PeerTable(figures, cases: [.payloads], subjects: [.stackbench, .raw])
    #expect(table.keepsFloors == isKept)
    #expect(table.text.contains(isKept ? ": flat" : ": NOT FLAT"))
  }

  @Test func `no line of the tables has over 120 columns, with all subjects and times of six digits`() {
    var figures = ComparisonFigures()
    for benchmark in BenchmarkCase.allCases {
      for subject in Subject.allCases where subject.takesPart(in: benchmark) {
        let time = subject.isPython || subject == .grdbRecords ? 999_999 : 99_999
        let nanoseconds = Double(time) * benchmark.timeUnit.nanoseconds
        figures.add(Sample(nanoseconds: Int(nanoseconds), unitCount: 1), of: benchmark, by: subject, round: 0)
      }
    }
    let table = PeerTable(figures, cases: BenchmarkCase.allCases, subjects: Subject.allCases)
    let lines = table.text.split(separator: "\n\n").filter { $0.hasPrefix("median") || $0.hasPrefix("case") }
    #expect(lines.count == 3)
    #expect(lines.joined(separator: "\n").split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test func `an exponent above the bound is named, and the least time of each size counts`() {
    func scale(lastTime: Int) -> ScaleFigures {
      var figures = ScaleFigures()
      for (size, time) in [(100, 1_000), (1_000, 10_000), (10_000, lastTime), (10_000, 9_000_000)] {
        var sample = Sample(nanoseconds: time, unitCount: size)
        sample.peakBytes = 2_000_000
        figures.add(sample, of: "insert", sizeName: "rows", size: size)
      }
      return figures
    }
    let kept = scale(lastTime: 100_000)
    #expect(kept.keepsBounds)
    #expect(kept.exponent(of: "insert").map { abs($0 - 1) < 1e-9 } == true)
    #expect(kept.text.contains("Every exponent is at most 1.10."))
    #expect(
      kept.file.split(separator: "\r\n") == [
        "case,size_of,size,nanoseconds,units,peak_bytes,exponent_milli",
        "insert,rows,100,1000,100,2000000,1000", "insert,rows,1000,10000,1000,2000000,1000",
        "insert,rows,10000,100000,10000,2000000,1000",
      ])
    let broken = scale(lastTime: 200_000)
    #expect(!broken.keepsBounds)
    #expect(broken.text.contains("EXPONENTS ABOVE 1.10: insert."))
  }

  @Test func `sizes rise from the first to the last by about the square root of ten`() {
    #expect(ScaleStudy.rowCounts(from: 100, to: 1_000) == [100, 300, 1_000])
    #expect(ScaleStudy.rowCounts(from: 100, to: 4_000) == [100, 300, 1_000, 3_000])
    #expect(ScaleStudy.rowCounts(from: 100, to: 99).isEmpty)
  }

  @Test(arguments: ScaleProbe.allCases)
  func `the work with many contexts, lanes or entities is complete`(probe: ScaleProbe) throws {
    let sample = try probe.sample(of: 5, .wall)
    #expect(sample.unitCount == 5 && sample.nanoseconds > 0)
  }

  @Test func `a study has the time and the peak of each case at each size`() async throws {
    let figures = try await ScaleStudy(rowCounts: [120, 240], roundCount: 1, clock: .wall).run()
    let lines = figures.file.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(lines.count == 1 + 2 * ScaleStudy.cases.count + 3 * ScaleProbe.allCases.count)
    #expect(lines.dropFirst().allSatisfy { line in Int(line[3]).map { $0 > 0 } == true && Int(line[5]) != nil })
  }
}
