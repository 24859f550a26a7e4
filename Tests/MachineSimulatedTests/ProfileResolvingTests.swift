import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileResolvingTests {
  private let old = MadeUpProfiles.phone("old", scale: .times(MadeUpProfiles.constant(10)))
  private let new = MadeUpProfiles.phone("new", scale: .relative(to: "old", MadeUpProfiles.constant(0.5)))

  @Test func `a profile that lists every constant stands for itself`() throws {
    let profile = try MadeUpProfiles.resolve(MadeUpProfiles.host)
    #expect(profile.cpuScale == nil)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        #expect(profile.cost(kind, component)?.value == Double(kind.rawValue) + 1)
        #expect(profile.device().costs[kind][component] == (Int64(kind.rawValue) + 1) * 1_000)
      }
    }
  }

  @Test func `a phone's CPU costs are the host's times its scale, its storage costs its own`() throws {
    let profile = try MadeUpProfiles.resolve(old)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        let expected = component.isCPU ? (Double(kind.rawValue) + 1) * 10 : 1_000
        #expect(profile.cost(kind, component)?.value == expected)
        #expect(profile.device().costs[kind][component] == Int64(expected) * 1_000)
      }
    }
  }

  @Test func `what a kind of work does not have costs nothing`() throws {
    let costs = try MadeUpProfiles.resolve(old).device().costs
    #expect(costs[.perform].storagePerCount == 0 && costs[.perform].cpuPerByte == 0)
    #expect(costs[.sync].cpuPerByte == 0)
  }

  @Test func `an override is not scaled and leaves the others alone`() throws {
    let phone = MadeUpProfiles.phone("p", scale: .times(MadeUpProfiles.constant(10)), overriding: [.commit: 7])
    let profile = try MadeUpProfiles.resolve(phone)
    #expect(profile.cost(.commit, .cpu)?.value == 7)
    #expect(profile.device().costs[.commit].cpuPerCount == 7_000)
    #expect(profile.cost(.statementRun, .cpu) == (try MadeUpProfiles.resolve(old)).cost(.statementRun, .cpu))
  }

  @Test func `a relative scale follows the profile that it is relative to`() throws {
    #expect(try MadeUpProfiles.resolve(new, old).cpuScale?.value == 5)
    let refitted = MadeUpProfiles.phone("old", scale: .times(MadeUpProfiles.constant(30)))
    let profile = try MadeUpProfiles.resolve(new, refitted)
    #expect(profile.cpuScale?.value == 15)
    #expect(profile.device().costs[.perform].cpuPerCount == 15_000)
  }

  @Test func `ranges of a relative scale multiply`() throws {
    let scale = try #require(try MadeUpProfiles.resolve(new, old).cpuScale)
    #expect(scale.low == 1.25 && scale.high == 20)
  }

  @Test func `ratios of a phone carry its overrides but not its scale`() throws {
    let fitted = MadeUpProfiles.phone("fitted", scale: .times(MadeUpProfiles.constant(10)), overriding: [.commit: 70])
    let phone = MadeUpProfiles.phone("p", scale: .times(MadeUpProfiles.constant(2)), ratiosOf: "fitted")
    let profile = try MadeUpProfiles.resolve(phone, fitted)
    #expect(profile.cost(.commit, .cpu)?.value == 14)
    #expect(profile.cost(.perform, .cpu)?.value == 2)
  }

  @Test func `a spread widens the range of each ratio and moves no value`() throws {
    let phone = MadeUpProfiles.phone("p", scale: .times(MadeUpProfiles.constant(10)), spread: 3)
    let profile = try MadeUpProfiles.resolve(phone)
    let cost = try #require(profile.cost(.performAndWait, .cpu))
    #expect(cost.value == 20 && abs(cost.low - 20 / 6.0) < 1e-9 && abs(cost.high - 120) < 1e-9)
    #expect(profile.cost(.sync, .storage)?.high == 2_000)
  }

  @Test func `hardware goes to the device as it is`() throws {
    let device = try MadeUpProfiles.resolve(old).device()
    #expect(device.cores == 2 && device.favoursMain && device.quantum == .milliseconds(10))
  }

  @Test func `a slower computer pays more with its cores and waits as long for storage`() throws {
    var profile = try MadeUpProfiles.resolve(old)
    profile.hardware.handOver = .microseconds(10)
    let slower = profile.withCPU(times: 1.5)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        let before = try #require(profile.cost(kind, component))
        let after = try #require(slower.cost(kind, component))
        let factor = component.isCPU ? 1.5 : 1
        #expect(abs(after.value - before.value * factor) < 1e-9 * before.value, "\(kind) \(component)")
        #expect(abs(after.high - before.high * factor) < 1e-9 * before.high, "\(kind) \(component)")
      }
    }
    #expect(slower.device().handOver == .microseconds(15))
    #expect(profile.withCPU(times: 1) == profile)
  }

  // MARK: Bad declarations

  @Test(arguments: Work.Kind.allCases)
  func `a constant that is missing is named`(kind: Work.Kind) {
    for component in kind.costComponents {
      var costs = MadeUpProfiles.costs { _ in MadeUpProfiles.constant(1) }
      costs[kind, component] = nil
      let error = #expect(throws: ProfileError.self) {
        try MadeUpProfiles.resolve(MadeUpProfiles.declaration("p", costs: costs))
      }
      #expect(error?.code == .missingKey)
      #expect(error?.key == "costs.\(kind).\(component)")
    }
  }

  @Test func `profiles that lean on each other in a circle are refused`() {
    let first = MadeUpProfiles.phone("first", scale: .relative(to: "second", MadeUpProfiles.constant(1)))
    let second = MadeUpProfiles.phone("second", scale: .relative(to: "first", MadeUpProfiles.constant(1)))
    let error = #expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(first, second) }
    #expect(error?.message.contains("first → second → first") == true)
    let own = MadeUpProfiles.phone("own", scale: .times(MadeUpProfiles.constant(1)), ratiosOf: "own")
    #expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(own) }
  }

  @Test func `a name without a profile is refused where it stands`() {
    let phone = MadeUpProfiles.phone("p", scale: .relative(to: "nokia", MadeUpProfiles.constant(1)))
    let error = #expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(phone) }
    #expect(error?.code == .unknownProfile)
    #expect(error?.key == "cpuScale.relativeTo")
    #expect(error?.message.contains("nokia") == true)
  }

  @Test func `a scale that makes a count last longer than 10 s is refused`() {
    let phone = MadeUpProfiles.phone("p", scale: .times(MadeUpProfiles.constant(1e9)))
    let error = #expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(phone) }
    #expect(error?.code == .invalidValue)
  }

  @Test func `ratios without a scale are refused, and a scale without ratios`() {
    let costs = MadeUpProfiles.host.costs
    let ratios = MadeUpProfiles.declaration("p", ratiosOf: "host", costs: costs)
    #expect(#expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(ratios) }?.key == "cpuScale")
    let scale = MadeUpProfiles.declaration("p", scale: .times(MadeUpProfiles.constant(1)), costs: costs)
    #expect(#expect(throws: ProfileError.self) { try MadeUpProfiles.resolve(scale) }?.key == "ratiosOf")
  }
}
