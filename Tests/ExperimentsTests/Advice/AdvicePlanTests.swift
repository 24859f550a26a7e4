import Testing
import TrialProcesses

@testable import Experiments

/// Tests of the points that are tried in addition to the given one.
@Suite struct AdvicePlanTests {
  private func points(_ words: String) throws -> [String] {
    let plan = try AdvicePlan(around: RunRequest(arguments: words.split(separator: " ").map(String.init)))
    return plan.points.map { "\($0.flag) \($0.value)\($0.isSecondQuestion ? " drawn" : "")" }
  }

  private static let rowsAndScreens = ["mix 100:0:0", "view-controllers 3", "visible-rows 24", "fetch-batch-size 0"]

  @Test(arguments: [
    ("", ["batch-size 250", "batch-size 1000", "save-every 250", "profile iphone-12-pro"]),
    (
      "--profile iphone-6s",
      [
        "batch-size 250", "batch-size 1000", "save-every 250", "profile iphone-6-ios-11", "profile iphone-11-pro",
      ]
    ),
    ("--batch-size 1", ["batch-size 2", "profile iphone-12-pro"]),
    (
      "--save-every 100",
      ["batch-size 250", "batch-size 1000", "save-every 50", "save-every 200", "profile iphone-12-pro"]
    ),
    ("--rows 500", ["batch-size 250", "save-every 250", "profile iphone-12-pro"]),
    ("--rows 600", ["batch-size 250", "batch-size 600", "save-every 250", "profile iphone-12-pro"]),
    ("--profile host", ["batch-size 250", "batch-size 1000", "save-every 250"]),
    ("--profile iphone-4", ["batch-size 250", "batch-size 1000", "save-every 250", "profile ipod-touch-5"]),
  ])
  func `a plan tries half and double values and the neighbouring devices`(words: String, expected: [String]) throws {
    #expect(try points(words) == Self.rowsAndScreens + expected)
  }

  @Test(arguments: [
    ("--workload feed.json", ["existing-rows full drawn", "view-controllers 3", "visible-rows 24"]),
    ("--workload feed.json --existing-rows 9", ["existing-rows 0 drawn", "view-controllers 3", "visible-rows 24"]),
    ("--workload feed.json --store app.sqlite --model App.xcdatamodeld", ["view-controllers 3", "visible-rows 24"]),
    ("--mix 100:0:0 --view-controllers 4 --visible-rows 6", ["view-controllers 1", "visible-rows 12"]),
    ("--visible-rows 0 --fetch-batch-size 0", ["mix 100:0:0", "view-controllers 3", "fetch-batch-size 20"]),
  ])
  func `a plan fills or empties the store of a feed, and changes the mix and the screens`(
    words: String, expected: [String]
  ) throws {
    #expect(try points(words).prefix(expected.count) == expected[...])
  }

  @Test(arguments: [
    (
      "",
      ["--save-every 1000 would exceed the payload's 500 records", "No shipped profile is faster than iphone-15-pro"]
    ),
    (
      "--rows 500",
      ["A payload of 500 records is the whole import", "--save-every 1000", "No shipped profile is faster"]
    ),
    ("--save-every 5 --profile host", ["host is not a device with Core Data"]),
    ("--save-every 5 --profile iphone-4", ["No shipped profile is slower than iphone-4"]),
  ])
  func `a plan lists the points that cannot be tried`(words: String, beginnings: [String]) throws {
    let plan = try AdvicePlan(around: RunRequest(arguments: words.split(separator: " ").map(String.init)))
    #expect(plan.untried.count == beginnings.count)
    for (sentence, beginning) in zip(plan.untried, beginnings) { #expect(sentence.hasPrefix(beginning), "\(sentence)") }
  }

  @Test func `each point of a plan changes one flag and keeps the others`() throws {
    let plan = try AdvicePlan(
      around: RunRequest(arguments: ["--batch-size=400", "--rows", "2000", "--lookup", "record"]))
    #expect(
      plan.points.dropFirst(Self.rowsAndScreens.count).map(\.request.runCommand) == [
        "stackbench run --machine simulated --rows 2000 --batch-size 200 --lookup record",
        "stackbench run --machine simulated --rows 2000 --batch-size 800 --lookup record",
        "stackbench run --machine simulated --rows 2000 --batch-size 400 --save-every 200 --lookup record",
        "stackbench run --machine simulated --profile iphone-12-pro --rows 2000 --batch-size 400 --lookup record",
      ])
  }

  @Test func `a unit shrinks to the payload when the payload becomes smaller`() throws {
    let plan = try AdvicePlan(around: RunRequest(arguments: ["--save-every", "400", "--batch-size", "500"]))
    let sizes = plan.points.filter { $0.flag == "batch-size" }
    #expect(
      sizes.map(\.request.runCommand) == [
        "stackbench run --machine simulated --batch-size 250 --save-every 250",
        "stackbench run --machine simulated --batch-size 1000 --save-every 400",
      ])
  }

  @Test(arguments: ["--machine=live", "--trials=1", "--trace", "--kill-at=1", "--idle-seconds=1"])
  func `a flag of live, traced or killed runs is refused`(argument: String) {
    let failure = #expect(throws: RunFailure.self) {
      try RunRequest(arguments: ["--rows", "9", argument]).adviceExperiment()
    }
    #expect(failure?.kind == .badUsage)
    let flag = argument.prefix { $0 != "=" }
    #expect(failure?.message == "\(flag): not allowed for the simulations of this command; leave it out")
  }
}
