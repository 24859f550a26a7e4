import Metrics
import Testing

@Suite struct ValidationResultTests {
  private func measures(_ importTime: Int64, _ mainBusy: Int64, _ stall: Int64) -> TrialMeasures {
    var measures = TrialMeasures()
    measures.importNanoseconds = importTime
    measures.mainBusyNanoseconds = mainBusy
    measures.stallNanosecondsP99 = stall
    measures.mainSaveNanoseconds = mainBusy / 2
    return measures
  }

  private func cell(_ workload: String, _ topology: String, live: [Int64], predicted: Int64) -> ValidationResult.Cell {
    ValidationResult.Cell(
      workload: workload, topology: topology, live: live.map { measures($0, $0, $0) },
      predicted: measures(predicted, predicted, predicted), tick: 16_000_000)
  }

  @Test func `a cell compares the prediction with the median of its runs`() throws {
    let cell = cell("w", "a", live: [90_000_000, 120_000_000, 100_000_000], predicted: 110_000_000)
    let figure = try #require(cell.figure(.importTime))
    #expect(figure.runCount == 3)
    #expect(figure.liveMedianNanoseconds == 100_000_000)
    #expect(figure.liveMinimumNanoseconds == 90_000_000 && figure.liveMaximumNanoseconds == 120_000_000)
    #expect(figure.errorPartsPerMillion == 100_000)
    #expect(figure.spreadPartsPerMillion == 300_000 && figure.isUnsteady)
    let save = try #require(cell.parts.first { $0.measure == "main_save_ns" })
    #expect(save.liveMedianNanoseconds == 50_000_000 && save.predictedNanoseconds == 55_000_000)
  }

  @Test func `a cell is unsteady if its spread exceeds 13 %`() throws {
    #expect(try !#require(cell("w", "a", live: [100_000_000, 113_000_000], predicted: 0).figure(.mainBusy)).isUnsteady)
    #expect(try #require(cell("w", "a", live: [100_000_000, 113_000_100], predicted: 0).figure(.mainBusy)).isUnsteady)
  }

  @Test func `errors of small figures are shares of a tick or of 1 ms`() throws {
    let cell = cell("w", "a", live: [0], predicted: 4_000_000)
    #expect(try #require(cell.figure(.stallP99)).errorPartsPerMillion == 250_000)
    #expect(try #require(cell.figure(.mainBusy)).errorPartsPerMillion == 4_000_000)
  }

  @Test func `a cell has no figure for a measure missing on one side`() {
    var predicted = TrialMeasures()
    predicted.importNanoseconds = 1
    let cell = ValidationResult.Cell(
      workload: "w", topology: "a", live: [measures(1, 1, 1)], predicted: predicted, tick: 1)
    #expect(cell.figures.map(\.measure) == ["import_ns"])
  }

  @Test func `the error of wait time is a share of the busy time`() throws {
    func waiting(_ wait: Int64) -> TrialMeasures {
      var waiting = measures(1, 100_000_000, 1)
      waiting.mainWaitNanoseconds = wait
      return waiting
    }
    let cell = ValidationResult.Cell(
      workload: "w", topology: "a", live: [waiting(2_000_000)], predicted: waiting(12_000_000), tick: 1)
    #expect(try #require(cell.figure(.mainWait)).errorPartsPerMillion == 100_000)
    #expect(!cell.parts.contains { $0.measure == "main_wait_ns" })
  }

  @Test func `errors are averaged over cells, and rank agreement over workloads`() throws {
    let result = ValidationResult(
      profile: "host", rows: 10,
      cells: [
        cell("v", "a", live: [100_000_000], predicted: 110_000_000),
        cell("v", "b", live: [200_000_000], predicted: 180_000_000),
        // The order is reversed, and the runs are unsteady.
        cell("w", "a", live: [100_000_000], predicted: 100_000_000),
        cell("w", "b", live: [190_000_000, 300_000_000, 200_000_000], predicted: 80_000_000),
      ], explanations: [])
    let agreement = try #require(result.agreements.first { $0.measure == .importTime })
    #expect(agreement.meanAbsoluteErrorPartsPerMillion == 200_000)
    #expect(agreement.steadyCellCount == 3 && agreement.cellCount == 4)
    #expect(agreement.steadyMeanAbsoluteErrorPartsPerMillion == 66_667)
    #expect(agreement.ranks.map(\.workload) == ["v", "w"])
    #expect(agreement.ranks.map(\.tauPartsPerMillion) == [1_000_000, -1_000_000])
    #expect(agreement.meanRankPartsPerMillion == 0)
    #expect(agreement.isReached == false)
    #expect(result.agreements.first { $0.measure == .stallP99 }?.isReached == .some(nil))
    let worst = try #require(ValidationResult.largestError(of: .importTime, in: result.cells))
    #expect(worst.workload == "w" && worst.topology == "b")
  }

  @Test func `a measure passes only if error and rank agreement both pass`() throws {
    func result(_ predicted: [Int64]) -> ValidationResult {
      ValidationResult(
        profile: "host", rows: 10,
        cells: [
          cell("v", "a", live: [100_000_000], predicted: predicted[0]),
          cell("v", "b", live: [108_000_000], predicted: predicted[1]),
        ], explanations: [])
    }
    // 11 % is good enough for busy time and not for import time.
    let close = result([111_000_000, 119_880_000])
    #expect(close.agreements.map(\.measure) == [.importTime, .mainBusy, .stallP99])
    #expect(close.agreements.map(\.isReached) == [false, true, nil])
    #expect(result([110_000_000, 118_800_000]).agreements.map(\.isReached) == [true, true, nil])
    // Both are within 5 %, but in the other order.
    #expect(result([105_000_000, 104_000_000]).agreements.map(\.isReached) == [false, false, nil])
  }

  @Test func `apart rank agreement counts only pairs that live runs separate`() throws {
    let result = ValidationResult(
      profile: "host", rows: 10,
      cells: [
        // The medians of a and b differ from c, but not from each other: they are 4 % apart, which is less than the
        // spread.
        cell("v", "a", live: [100_000_000, 106_000_000, 99_000_000], predicted: 110_000_000),
        cell("v", "b", live: [104_000_000, 103_000_000, 105_000_000], predicted: 100_000_000),
        cell("v", "c", live: [200_000_000, 201_000_000, 202_000_000], predicted: 180_000_000),
        // The order is reversed.
        cell("w", "a", live: [100_000_000], predicted: 100_000_000),
        cell("w", "b", live: [120_000_000], predicted: 90_000_000),
      ], explanations: [])
    let agreement = try #require(result.agreements.first)
    #expect(agreement.apartPairCount == 3)
    #expect(agreement.apartRankPartsPerMillion == 333_333)
    let alike = ValidationResult(
      profile: "host", rows: 10,
      cells: [cell("v", "a", live: [100], predicted: 100), cell("v", "b", live: [100], predicted: 90)],
      explanations: [])
    #expect(alike.agreements.first?.apartPairCount == 0)
    #expect(alike.agreements.first?.apartRankPartsPerMillion == nil)
  }

  @Test func `the difference between two halves of the live runs is reported`() throws {
    // The odd runs have the median 110 and the even ones 100. The median of all five is 105.
    let live: [Int64] = [110_000_000, 100_000_000, 120_000_000, 105_000_000, 90_000_000]
    let figure = try #require(cell("w", "a", live: live, predicted: 1).figure(.importTime))
    #expect(figure.liveMedianNanoseconds == 105_000_000)
    #expect(figure.halvesPartsPerMillion == 95_238)
    #expect(try #require(cell("w", "a", live: [1], predicted: 1).figure(.importTime)).halvesPartsPerMillion == nil)
    let result = ValidationResult(
      profile: "host", rows: 10,
      cells: [
        cell("w", "a", live: live, predicted: 1),
        cell("w", "b", live: [100_000_000, 100_000_000], predicted: 1),
      ], explanations: [])
    #expect(result.agreements.first?.meanHalvesPartsPerMillion == 47_619)
  }
}
