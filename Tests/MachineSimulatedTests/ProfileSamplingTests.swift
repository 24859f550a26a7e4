import Foundation
import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileSamplingTests {
  private let old = MadeUpProfiles.phone("old", speed: .nanoseconds(MadeUpProfiles.constant(10)))
  private let new = MadeUpProfiles.phone(
    "new", speed: .relative(to: "old", MadeUpProfiles.constant(0.5)), shape: "shape")

  /// A reference with exactly n thousand instructions for the nth kind.
  private let exact = MadeUpProfiles.reference("exact") {
    MadeUpProfiles.constant(1_000 * (Double($0.rawValue) + 1), factor: 1)
  }

  private func shaped(saving: ProfileConstant = MadeUpProfiles.constant(3)) throws -> Profile {
    try MadeUpProfiles.resolve(new, old, shape: try MadeUpProfiles.shape(saving: saving))
  }

  private func devices(of profile: Profile, seed: UInt64, count: Int = 50) -> [SimulatedDevice] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in profile.device(sampling: &random) }
  }

  @Test func `the same seed draws the same devices, and another seed draws others`() throws {
    let profile = try shaped()
    #expect(devices(of: profile, seed: 1) == devices(of: profile, seed: 1))
    #expect(devices(of: profile, seed: 1) != devices(of: profile, seed: 2))
    #expect(Set(devices(of: profile, seed: 1)).count == 50)
  }

  @Test func `each drawn cost lies within the product of its ranges`() throws {
    let profile = try shaped()
    let speed = try #require(profile.speed)
    for device in devices(of: profile, seed: 3) {
      for part in CostPart.all {
        let price = try #require(profile.prices[part])
        var (low, high) = price.isScaled ? (speed.low, speed.high) : (1, 1)
        for group in profile.groups where group.parts.contains(part) {
          low *= group.factor.low
          high *= group.factor.high
        }
        let range = (price.constant.low * low * 1_000 - 1)...(price.constant.high * high * 1_000 + 1)
        #expect(range.contains(Double(device.costs[part.kind][part.component])), "\(part.name)")
      }
    }
  }

  /// Returns the costs of a drawn device, each divided by the cost of the exact reference.
  private func ratios(_ device: SimulatedDevice) -> CostTable<Double> {
    var table = CostTable<Double>()
    for part in CostPart.cpu {
      table[part] = Double(device.costs[part.kind][part.component]) / (Double(part.kind.rawValue) + 1)
    }
    return table
  }

  @Test func `all costs of a device share one drawn speed`() throws {
    let phone = MadeUpProfiles.phone("p", speed: .nanoseconds(MadeUpProfiles.constant(10)), costsOf: "exact")
    let drawn = devices(of: try MadeUpProfiles.resolve(phone, reference: exact), seed: 4)
    #expect(Set(drawn.map { $0.costs[.perform].cpuPerCount }).count == 50)
    for device in drawn {
      let ratios = ratios(device)
      let unit = try #require(ratios[.perform, .cpu])
      for part in CostPart.cpu { #expect(abs(try #require(ratios[part]) / unit - 1) < 1e-6, "\(part.name)") }
    }
  }

  @Test func `groups with the same axis change together, and narrowing removes the axes`() throws {
    let phone = MadeUpProfiles.phone(
      "p", speed: .nanoseconds(MadeUpProfiles.constant(10, factor: 1)), costsOf: "exact", shape: "shape")
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3)).with(
      factors: [MadeUpProfiles.constant(3), MadeUpProfiles.constant(1)], axes: [[2], [0.25]])
    let profile = try MadeUpProfiles.resolve(phone, reference: exact, shape: shape)
    let drawn = devices(of: profile, seed: 4)
    for device in drawn {
      let ratios = ratios(device)
      let saving = try #require(ratios[.saveBegun, .cpu]) / 30_000_000
      let rest = try #require(ratios[.perform, .cpu]) / 10_000_000
      #expect(saving > 0.499 && saving < 2.001)
      // The second factor changes in the other direction, twice as far.
      #expect(abs(saving * saving * rest - 1) < 1e-3)
    }
    #expect(Set(drawn).count == 50)
    let same = devices(of: profile.narrowed(to: 0), seed: 4)
    #expect(Set(same).count == 1)
  }

  @Test func `all costs of a group share one drawn factor, and groups draw separately`() throws {
    let phone = MadeUpProfiles.phone(
      "p", speed: .nanoseconds(MadeUpProfiles.constant(10, factor: 1)), costsOf: "exact", shape: "shape")
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3), rest: MadeUpProfiles.constant(1))
    let drawn = devices(of: try MadeUpProfiles.resolve(phone, reference: exact, shape: shape), seed: 4)
    for device in drawn {
      let ratios = ratios(device)
      let units = try [Work.Kind.saveBegun, .perform].map { try #require(ratios[$0, .cpu]) }
      #expect(abs(units[0] / units[1] - 3) > 1e-6)
      for (group, unit) in zip(shape.groups, units) {
        for part in group.parts { #expect(abs(try #require(ratios[part]) / unit - 1) < 1e-6, "\(part.name)") }
      }
    }
  }

  @Test func `narrowing the range of a constant leaves other draws unchanged`() throws {
    let wide = MadeUpProfiles.host
    var narrow = wide
    narrow.costs[.contextMade, .cpu] = MadeUpProfiles.constant(3, factor: 1)
    let before = devices(of: try MadeUpProfiles.resolve(wide), seed: 5)
    let after = devices(of: try MadeUpProfiles.resolve(narrow), seed: 5)
    for (before, after) in zip(before, after) {
      for kind in Work.Kind.allCases where kind != .contextMade { #expect(before.costs[kind] == after.costs[kind]) }
      #expect(after.costs[.contextMade].cpuPerCount == 3_000)
    }
  }

  @Test func `narrowing the range of a group leaves other draws unchanged`() throws {
    let before = devices(of: try shaped(), seed: 5)
    let after = devices(of: try shaped(saving: MadeUpProfiles.constant(3, factor: 1)), seed: 5)
    for (before, after) in zip(before, after) {
      #expect(before.costs[.saveBegun] != after.costs[.saveBegun])
      for kind in Work.Kind.allCases where kind != .saveBegun && kind != .rowWritten {
        #expect(before.costs[kind] == after.costs[kind])
      }
    }
  }

  @Test func `a profile round-trips through JSON`() throws {
    let profile = try shaped()
    let decoded = try JSONDecoder().decode(Profile.self, from: JSONEncoder().encode(profile))
    #expect(decoded == profile)
    #expect(devices(of: decoded, seed: 6) == devices(of: profile, seed: 6))
  }
}
