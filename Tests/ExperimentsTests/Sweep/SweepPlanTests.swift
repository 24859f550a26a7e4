import Testing
import Topologies
import TrialProcesses

@testable import Experiments

@Suite struct SweepPlanTests {
  @Test func `the last flag varies fastest, and each point has every trial`() throws {
    let plan = try plan(["rows=300,400", "batch-size=10,20"], "--topology", "all-main", "--trials", "2")
    #expect(
      plan.trials.map { "\($0.varied.map(\.value).joined(separator: " ")) \($0.trial)" } == [
        "300 10 1", "300 10 2", "300 20 1", "300 20 2", "400 10 1", "400 10 2", "400 20 1", "400 20 2",
      ])
    #expect(plan.trials.map(\.index) == Array(1...8))
    #expect(plan.trials.allSatisfy { $0.count == 8 })
  }

  @Test func `topology=all varies over every topology in catalogue order`() throws {
    let plan = try plan(["topology=all"])
    #expect(plan.trials.map(\.topology) == Topology.all.map(\.title))
    #expect(plan.trials.map { $0.varied[0].value } == Topology.all.map(\.title))
  }

  @Test func `a sweep runs on the simulated machine by default`() throws {
    #expect(try plan(["rows=300"]).trials[0].experiment().machine == .simulated)
    #expect(try plan(["rows=300"], "--machine", "live").trials[0].experiment().machine == .live)
    #expect(try plan(["rows=300"], "--machine=live").trials[0].experiment().machine == .live)
    #expect(
      try plan(["machine=live,simulated"], "--topology", "all-main", "--trials", "1").trials.map {
        try $0.experiment().machine
      }
        == [.live, .simulated])
  }

  @Test func `the varied and common flags of a trial configure its experiment`() throws {
    let experiment = try plan(["batch-size=7", #"properties-to-fetch=name\,amount"#], "--rows", "30").trials[0]
      .experiment()
    #expect(experiment.workload.batchSize == 7)
    #expect(experiment.workload.rows == 30)
    #expect(experiment.options.propertiesToFetch == ["name", "amount"])
    #expect(try plan(["cell-work=0,50"]).trials.last?.experiment().options.cellWork == .microseconds(50))
  }

  @Test func `plans have equal identifiers only with equal values and flags`() throws {
    let first = try plan(["rows=300,400"])
    #expect(try plan(["rows=300,400"]) == first)
    for other in [try plan(["rows=300,500"]), try plan(["rows=400,300"]), try plan(["rows=300,400"], "--seed", "2")] {
      #expect(other.identifier != first.identifier)
    }
  }

  @Test(
    arguments: [
      (["batch-size=100,0"], [], "--batch-size 0: out of range; use 1 to 10000000"),
      (["batch-size=100,many"], [], "--batch-size many: not a whole number; use 1 to 10000000"),
      (
        ["rwos=100"], [],
        "--rwos: not a setting of a run; did you mean --rows? use a flag that 'stackbench run --help' lists before "
          + "RESULTS"
      ),
      (["draws=1,2"], [], "draws: is the same for all points; use --draws 21"),
      (
        ["output=a,b"], [],
        "--output: not a setting of a run; use a flag that 'stackbench run --help' lists before RESULTS"
      ),
      (["merge=now"], [], "--merge now: not known; use one of notification, automatic, reset, none"),
      (["rows=300", "rows=400"], [], "rows: given twice; use one list of values"),
      (["rows=300"], ["--rows", "5"], "rows: contradicts --rows; use one of the two"),
      (["rows=300"], ["--trace"], "--trace: has no effect on the trials of a sweep; use it with stackbench run"),
      (["rows=300"], ["--scroll-speed", "x"], "--scroll-speed x: not a whole number; use 0 to 1000000"),
      (["rows=300"], ["now"], "unexpected argument 'now'; see --help"),
    ] as [([String], [String], String)])
  func `a point with an invalid flag throws an error with a hint`(
    varied: [String], arguments: [String], expected: String
  ) {
    let error = #expect(throws: (any Error).self) {
      try SweepPlan(
        varying: varied.map { try VariedSetting(argument: $0) }, common: RunRequest(arguments: arguments))
    }
    if let error = error as? VariationError {
      #expect("\(error.setting ?? ""): \(error.message)" == expected)
    } else {
      let failure = error as? RunFailure
      #expect(failure?.message == expected)
      #expect(failure?.kind == .badUsage)
    }
  }

  @Test(arguments: ["rows", "=5", "rows=", "rows=1,,2", "rows=1,1"])
  func `an argument without a flag and distinct values is refused`(argument: String) {
    #expect(throws: OptionValue.Refusal.self) { try VariedSetting(argument: argument) }
  }

  private func plan(_ varied: [String], _ arguments: String...) throws -> SweepPlan {
    try SweepPlan(varying: varied.map { try VariedSetting(argument: $0) }, common: RunRequest(arguments: arguments))
  }
}
