import Testing

@testable import stackbench

/// Which points beside the given one are tried.
@Suite struct AdvicePlanTests {
  private func points(_ words: String) throws -> [String] {
    let plan = try AdvicePlan(around: RunWords(words.split(separator: " ").map(String.init)))
    return plan.points.map { "\($0.flag) \($0.value)" }
  }

  @Test(arguments: [
    ("", ["batch-size 250", "batch-size 1000", "save-every 250", "profile iphone-14-pro"]),
    (
      "--profile iphone-6s",
      [
        "batch-size 250", "batch-size 1000", "save-every 250", "profile iphone-6-ios-11", "profile iphone-7-plus",
      ]
    ),
    ("--batch-size 1", ["batch-size 2", "profile iphone-14-pro"]),
    (
      "--save-every 100",
      ["batch-size 250", "batch-size 1000", "save-every 50", "save-every 200", "profile iphone-14-pro"]
    ),
    ("--rows 500", ["batch-size 250", "save-every 250", "profile iphone-14-pro"]),
    ("--rows 600", ["batch-size 250", "batch-size 600", "save-every 250", "profile iphone-14-pro"]),
    ("--profile host", ["batch-size 250", "batch-size 1000", "save-every 250"]),
    ("--profile iphone-4", ["batch-size 250", "batch-size 1000", "save-every 250", "profile ipod-touch-5"]),
  ])
  func `half and double, and the next slower and faster device, as far as there are any`(
    words: String, expected: [String]
  ) throws {
    #expect(try points(words) == expected)
  }

  @Test(arguments: [
    (
      "",
      ["--save-every 1000 would be over the payload's 500 records", "No shipped profile is faster than iphone-15-pro"]
    ),
    (
      "--rows 500",
      ["A payload of 500 records is the whole import", "--save-every 1000", "No shipped profile is faster"]
    ),
    ("--save-every 5 --profile host", ["host does not run Core Data"]),
    ("--save-every 5 --profile iphone-4", ["No shipped profile is slower than iphone-4"]),
  ])
  func `what could not be tried is said`(words: String, beginnings: [String]) throws {
    let plan = try AdvicePlan(around: RunWords(words.split(separator: " ").map(String.init)))
    #expect(plan.untried.count == beginnings.count)
    for (sentence, beginning) in zip(plan.untried, beginnings) { #expect(sentence.hasPrefix(beginning), "\(sentence)") }
  }

  @Test func `one flag is another at each point, and the others stand`() throws {
    let plan = try AdvicePlan(around: RunWords(["--batch-size=400", "--rows", "2000", "--lookup", "record"]))
    #expect(
      plan.points.map(\.words.runCommand) == [
        "stackbench run --machine simulated --rows 2000 --lookup record --batch-size 200",
        "stackbench run --machine simulated --rows 2000 --lookup record --batch-size 800",
        "stackbench run --machine simulated --batch-size=400 --rows 2000 --lookup record --save-every 200",
        "stackbench run --machine simulated --batch-size=400 --rows 2000 --lookup record --profile iphone-14-pro",
      ])
  }

  @Test func `a unit that a smaller payload could not hold becomes as large as that`() throws {
    let plan = try AdvicePlan(around: RunWords(["--save-every", "400", "--batch-size", "500"]))
    #expect(
      plan.points[0].words.runCommand == "stackbench run --machine simulated --batch-size 250 --save-every 250")
    #expect(plan.points[1].words.words == ["--save-every", "400", "--batch-size", "1000"])
  }

  @Test(arguments: ["--output", "--machine", "--trials", "--trace", "--kill-at", "--draws", "--format"])
  func `a flag that concerns no single simulation is refused`(flag: String) {
    let failure = #expect(throws: CommandFailure.self) { try RunWords(["--rows", "9", "\(flag)=1"]) }
    #expect(failure?.status == .badUsage)
    #expect(failure?.message == "\(flag): cannot be a flag of what is simulated here; leave it out")
  }

  @Test func `words that belong to no flag are kept apart, and a value is never taken for one`() throws {
    var words = try RunWords(["worker-merge", "--rows", "9", "--lookup=unit", "more"])
    #expect(words.words == ["--rows", "9", "--lookup=unit"])
    #expect(words.others == ["worker-merge", "more"])
    #expect(words.takeOther() == "worker-merge")
    #expect(words.only(["lookup"]).words == ["--lookup=unit"])
    #expect(words.without(["lookup"]).words == ["--rows", "9"])
  }
}
