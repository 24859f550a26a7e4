import Foundation
import InputFiles
import MachineSimulated
import Metrics
import Reporting
import Testing

@testable import Experiments
@testable import Validation

/// Tests of reading constraints on profiles, and of their results.
@Suite struct ProfileConstraintTests {
  private static let text = """
    constraints:
      - name: sync
        profile: iphone-4
        title: "two syncs"
        costs: {sync.cpu: 2, sync.storage: 2, sync.storagePerByte: 1000}
        unit: milliseconds
        low: 1.5
        high: 4
        source: "made up"
      - name: index
        profile: iphone-4
        speed: {relativeTo: iphone-6-ios-11}
        low: 6
        source: "made up too"
    """

  private static func read(_ text: String) throws(YAMLError) -> [ProfileConstraint] {
    try ProfileConstraintReader(place: "mine.yaml", profiles: ProfileLibrary.shippedNames).constraints(from: text)
  }

  // MARK: Reading

  @Test func `constraints on costs and speeds are read in file order`() throws {
    let constraints = try Self.read(Self.text)
    #expect(
      constraints == [
        ProfileConstraint(
          name: "sync", profile: "iphone-4",
          subject: .costs(
            title: "two syncs",
            counts: [
              ProfileConstraint.Count(part: CostPart(.sync, component: .cpu), count: 2),
              ProfileConstraint.Count(part: CostPart(.sync, component: .storage), count: 2),
              ProfileConstraint.Count(part: CostPart(.sync, component: .storagePerByte), count: 1_000),
            ]),
          low: 1_500_000, high: 4_000_000, source: "made up"),
        ProfileConstraint(
          name: "index", profile: "iphone-4", subject: .speed(relativeTo: "iphone-6-ios-11"), low: 6, high: nil,
          source: "made up too"),
      ])
  }

  @Test func `the range of a cost can be in nanoseconds`() throws {
    let constraints = try Self.read(Self.text.replacing("unit: milliseconds", with: "unit: nanoseconds"))
    #expect(constraints[0].low == 1.5 && constraints[0].high == 4)
  }

  @Test(arguments: [
    ("constraints:\n", "constraint:\n", "1: constraint: not known; use constraints"),
    (
      "name: sync", "nam: sync",
      "2: constraints[0].nam: not known; did you mean name? use one of name, profile, title, costs"
    ),
    ("    profile: iphone-4\n    title", "    title", "2: constraints[0].profile: missing"),
    (
      "profile: iphone-4\n    title", "profile: iphone-99\n    title",
      "3: constraints[0].profile: iphone-99 is not known"
    ),
    ("    title: \"two syncs\"\n", "", "2: constraints[0].title: missing"),
    (
      "sync.cpu: 2", "sync.gpu: 2",
      "5: constraints[0].costs.sync.gpu: not part of a cost; use kinds with a component, as in commit.cpu"
    ),
    ("sync.cpu: 2", "sync.cpu: 0", "5: constraints[0].costs.sync.cpu: 0 is not in range; use a whole number from 1"),
    ("sync.cpu: 2", "sync.cpu: 2.5", "5: constraints[0].costs.sync.cpu: 2.5 is not in range"),
    ("sync.cpu: 2", "sync.storage: 2", "5: sync.storage: given twice; use it once"),
    (
      "{sync.cpu: 2, sync.storage: 2, sync.storagePerByte: 1000}", "{}",
      "5: constraints[0].costs: empty; use at least one part of a cost"
    ),
    (
      "unit: milliseconds", "unit: seconds",
      "6: constraints[0].unit: seconds is not known; use one of nanoseconds, milliseconds"
    ),
    ("    unit: milliseconds\n", "", "2: constraints[0].unit: missing"),
    ("low: 1.5", "low: 5", "8: constraints[0].high: is below low; use low ≤ high"),
    ("low: 1.5", "low: -1", "7: constraints[0].low: -1 is negative; use 1e-06 to 1000000000"),
    ("high: 4", "high: four", "8: constraints[0].high: four is not a number"),
    ("    source: \"made up\"\n", "", "2: constraints[0].source: missing"),
    ("name: index", "name: sync", "10: constraints[1].name: sync appears twice; use each name once"),
    ("    low: 6\n", "", "10: constraints[1].high: missing; use low, high or both"),
    ("    speed: {relativeTo: iphone-6-ios-11}\n", "", "10: constraints[1].speed: missing; use costs or speed"),
    (
      "speed: {", "costs: {sync.cpu: 1}\n    speed: {",
      "13: constraints[1].speed: cannot be combined with costs; use one of them"
    ),
    ("speed: {", "unit: nanoseconds\n    speed: {", "12: constraints[1].unit: belongs to costs; leave it out"),
    (
      "relativeTo: iphone-6-ios-11", "relativeTo: iphone-4",
      "12: constraints[1].speed.relativeTo: is the profile itself; use another"
    ),
    (
      "relativeTo: iphone-6-ios-11", "relativeTo: mine",
      "12: constraints[1].speed.relativeTo: mine is not known; use one of"
    ),
    ("constraints:\n", "constraints: [\n", ": not YAML: "),
  ])
  func `a damaged file throws one line with file, line and key`(
    part: String, replacement: String, expected: String
  ) throws {
    try #require(Self.text.contains(part))
    let error = #expect(throws: YAMLError.self) {
      try Self.read(Self.text.replacing(part, with: replacement, maxReplacements: 1))
    }
    let message = error?.description ?? ""
    #expect(message.contains(expected), "\(message)")
    #expect(message.wholeMatch(of: /mine\.yaml:[0-9]+: [^\n]+/) != nil, "\(message)")
  }

  // MARK: Checking

  /// Returns a device with a speed of 2 × 3 ns, on which a sync costs eight times as much because of the shape, and
  /// twice as much because of the class.
  private func device() throws -> Profile {
    var profile = try ProfileLibrary.profile(named: "iphone-4")
    func constant(_ value: Double) -> ProfileConstant {
      ProfileConstant(value: value, low: value, high: value, source: "made up")
    }
    profile.speedFactors = [constant(2), constant(3)]
    for place in profile.groups.indices { profile.groups[place].factor = constant(8) }
    profile.groups.append(WorkClass.systemCalls.group(constant(2)))
    profile.prices[CostPart(.sync, component: .cpu)] = Profile.Price(constant(100_000), isScaled: true)
    profile.prices[CostPart(.sync, component: .storage)] = Profile.Price(constant(500_000), isScaled: false)
    profile.prices[CostPart(.sync, component: .storagePerByte)] = Profile.Price(constant(70), isScaled: false)
    return profile
  }

  @Test func `withoutShape keeps the speed and the factors of classes`() throws {
    let device = try device()
    // The cost is 100,000 instructions × 6 ns × 8 × 2.
    #expect(device.cost(.sync, .cpu)?.value == 9_600_000.0)
    let bare = device.withoutShape
    #expect(bare.shape == nil && bare.groups.map(\.name) == ["systemCalls"])
    #expect(bare.cost(.sync, .cpu)?.value == 1_200_000.0)
    #expect(
      bare.cost(.objectRegistered, .cpu)?.value == device.prices[.objectRegistered, .cpu].map { $0.constant.value * 6 })
    #expect(bare.withoutShape == bare)
  }

  @Test func `a cost constraint compares costs without the shape with both bounds`() throws {
    var constraint = try Self.read(Self.text)[0]
    // The time is 2 × 1.2 ms of a core, 2 × 0.5 ms of waiting and 0.07 ms for bytes.
    let expected: Int64 = 2_400_000 + 1_000_000 + 70_000
    let profiles = ["iphone-4": try device()]
    let result = constraint.result(in: profiles)
    #expect(result.value == expected && result.unit == .nanoseconds && result.holds)
    #expect(result.low == 1_500_000 && result.high == 4_000_000)
    #expect(result.subject == "two syncs" && result.source == "made up" && result.profile == "iphone-4")
    (constraint.low, constraint.high) = (nil, 3_470_000)
    #expect(constraint.result(in: profiles).holds)
    constraint.high = 3_469_999
    #expect(!constraint.result(in: profiles).holds)
    (constraint.low, constraint.high) = (3_470_001, nil)
    #expect(!constraint.result(in: profiles).holds)
    #expect(constraint.result(in: [:]).value == nil && !constraint.result(in: [:]).holds)
  }

  @Test func `a speed constraint compares with the speed of the other profile`() throws {
    let constraint = try Self.read(Self.text)[1]
    let phone = try ProfileLibrary.profile(named: "iphone-6-ios-11")
    let result = constraint.result(in: ["iphone-4": try device(), "iphone-6-ios-11": phone])
    // An instruction takes 6 ns here, compared with 0.48 ns.
    #expect(result.value == 12_500_000 && result.unit == .partsPerMillion && result.holds)
    #expect(result.low == 6_000_000 && result.high == nil)
    #expect(result.subject == "an instruction's time over that on iphone-6-ios-11")
    var slow = phone
    slow.speedFactors = []
    #expect(constraint.result(in: ["iphone-4": try device(), "iphone-6-ios-11": slow]).value == nil)
  }

  // MARK: Shipped constraints

  @Test func `every shipped constraint has shipped profiles, a source and a value`() throws {
    let constraints = try ConstraintLibrary.shipped()
    #expect(constraints.flatMap(\.profileNames).allSatisfy(ProfileLibrary.shippedNames.contains))
    let results = try ConstraintLibrary.results()
    #expect(results.map(\.name) == constraints.map(\.name))
    #expect(results.allSatisfy { $0.value ?? 0 > 0 && !$0.source.isEmpty })
    let devices = [
      "iphone-4", "iphone-4s", "ipod-touch-5", "iphone-5", "iphone-6-ios-9", "iphone-6s", "iphone-6s-plus",
      "iphone-7-plus", "iphone-11-pro", "iphone-12-pro", "iphone-14-pro",
    ]
    let rated = constraints.filter { $0.profileNames.count == 2 }.map(\.profile)
    #expect(devices.allSatisfy(rated.contains) && Set(rated).count == devices.count)
  }

  @Test func `a given device replaces the shipped profile with its name`() throws {
    let result = try #require(try ConstraintLibrary.results(on: [try device()]).first { $0.name == "iphone-4-sync" })
    #expect(result.value == 1_200_000 + 500_000 && result.holds)
  }

  // MARK: Printing

  @Test func `the text of constraints has a table, a count and sources of failures`() throws {
    let phone = try ProfileLibrary.profile(named: "iphone-6-ios-11")
    var constraints = try Self.read(Self.text)
    constraints[0].high = 2_000_000
    let results = try constraints.map { $0.result(in: ["iphone-4": try device(), "iphone-6-ios-11": phone]) }
    func page(_ constraints: [ConstraintResult], listsSources: Bool = false) -> Page {
      PublishedPage([], hasSummary: false, constraints: constraints, listsSources: listsSources).page
    }
    #expect(
      TerminalPage(page(results)).text == """
        constraint profile  at least at most    here holds
        ---------- -------- -------- ------- ------- -----
        sync       iphone-4  1.50 ms 2.00 ms 3.47 ms NO
        index      iphone-4    6.000       -  12.500 yes

        constraint what
        ---------- --------------------------------------------------
        sync       two syncs
        index      an instruction's time over that on iphone-6-ios-11

        1 of 2 constraints hold.
        sync does not hold: made up.

        """)
    let markdown = MarkdownPage(page(results, listsSources: true), level: 1).text
    #expect(markdown.contains("| `sync` | `iphone-4` | 1.50 ms | 2.00 ms | 3.47 ms | **NO** | two syncs | made up |\n"))
    #expect(markdown.contains(" made up too |\n\n1 of 2 constraints hold.\n\nsync does not hold: made up.\n"))
    #expect(!MarkdownPage(page([])).text.contains("constraint"))
    let json = try JSONText.text(of: PublishedComparison.json([], constraints: results))
    #expect(json.contains("\"high\" : null") && json.contains("\"unit\" : \"ppm\""))
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let members = try #require(document?["constraints"] as? [[String: Any]])
    #expect(members.count == results.count)
    for (member, result) in zip(members, results) {
      let texts = ["name": result.name, "profile": result.profile, "what": result.subject, "source": result.source]
      for (name, text) in texts { #expect(member[name] as? String == text) }
      let numbers = ["low": result.low, "high": result.high, "value": result.value]
      for (name, number) in numbers { #expect(member[name] as? Int64 == number) }
      #expect(member["unit"] as? String == result.unit.rawValue && member["holds"] as? Bool == result.holds)
    }
  }
}
