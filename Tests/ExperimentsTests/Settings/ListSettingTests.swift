import Reporting
import Testing
import TrialProcesses

@testable import Experiments

/// The settings of lists, of existing rows and of pools.
@Suite struct ListSettingTests {
  private func experiment(_ arguments: [String]) throws -> Experiment {
    try RunRequest(arguments: arguments).experiment()
  }

  @Test func `the manifest and a printed command repeat a list`() throws {
    let given = [
      "--existing-rows=Supplier=9,Price=400", "--list=Price", "--list-sort=-amount,name", "--list-where=amount > 2",
      "--list-prefetch=product", "--list-cells=name,product.name", "--open-screens=at-first-payload",
    ]
    let request = try RunRequest(arguments: given)
    #expect(Set(request.arguments()) == Set(given))
    let flags = SettingTable.standard.recorded(try request.experiment())
    for word in given {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      #expect(flags[parts[0]] == parts[1])
    }
    let sentence = RunConditions(settings: flags, counts: nil).sentence
    #expect(
      sentence == "Existing rows Supplier=9,Price=400; list of Price, sorted by -amount,name, where amount > 2, "
        + "prefetching product, cells of name,product.name; screens open at-first-payload.")
    #expect(RunConditions(settings: SettingTable.standard.recorded(try experiment([])), counts: nil).sentence == nil)
  }

  @Test func `a sweep varies the existing rows of entities`() throws {
    let plan = try SweepPlan(
      varying: [VariedSetting(argument: #"existing-rows=Price=50\,Supplier=2,Price=100"#)],
      common: RunRequest(arguments: ["--topology", "all-main"]), .standard)
    #expect(plan.trials.map { $0.varied.map(\.value) } == [["Price=50,Supplier=2"], ["Price=100"]])
  }

  @Test(arguments: [
    (["--list-sort=name"], "--list-sort name: belongs to a list; add --list with the name of an entity"),
    (
      ["--pool-size=5", "--topology=three-tier"],
      "--pool-size 5: no stack of the run has a pool of contexts; add --topology pooled-children"
    ),
    (["--existing-rows=-1"], "--existing-rows -1: out of range; use 0 to 10000000"),
  ])
  func `settings that do not fit are refused`(arguments: [String], message: String) throws {
    let failure = #expect(throws: RunFailure.self) { try experiment(arguments) }
    #expect(failure?.message == message)
    #expect(failure?.kind == .badUsage)
  }

  @Test func `the pool of a stack has the given size`() throws {
    let experiment = try experiment(["--pool-size=5", "--topology=pooled-children"])
    #expect(experiment.options.poolSize == 5)
    #expect(AdviceRun.contextCount(of: experiment.topologies[0], experiment.options) == 6)
    #expect(experiment.topologies[0].withPoolSize(5).contexts.map(\.poolSize) == [nil, 5])
  }
}
