import Foundation
import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileSamplingTests {
  private let old = MadeUpProfiles.phone("old", scale: .times(MadeUpProfiles.constant(10)))
  private let new = MadeUpProfiles.phone("new", scale: .relative(to: "old", MadeUpProfiles.constant(0.5)))

  private func devices(of profile: Profile, seed: UInt64, count: Int = 50) -> [SimulatedDevice] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in profile.device(sampling: &random) }
  }

  @Test func `the same seed draws the same devices, another seed others`() throws {
    let profile = try MadeUpProfiles.resolve(new, old)
    #expect(devices(of: profile, seed: 1) == devices(of: profile, seed: 1))
    #expect(devices(of: profile, seed: 1) != devices(of: profile, seed: 2))
    #expect(Set(devices(of: profile, seed: 1)).count == 50)
  }

  @Test func `every cost of a drawn device lies in its range times that of the scale`() throws {
    let profile = try MadeUpProfiles.resolve(new, old)
    let scale = try #require(profile.cpuScale)
    for device in devices(of: profile, seed: 3) {
      for kind in Work.Kind.allCases {
        for component in kind.costComponents {
          let price = try #require(profile.prices[kind, component])
          let (low, high) = price.isScaled ? (scale.low, scale.high) : (1, 1)
          let range = (price.constant.low * low * 1_000 - 1)...(price.constant.high * high * 1_000 + 1)
          #expect(range.contains(Double(device.costs[kind][component])))
        }
      }
    }
  }

  @Test func `one draw of the scale serves all constants`() throws {
    // Ratios without a range: what is left to vary is the scale alone.
    let exact = MadeUpProfiles.declaration(
      "exact", costs: MadeUpProfiles.costs { MadeUpProfiles.constant(1_000 * (Double($0.rawValue) + 1), factor: 1) })
    let phone = MadeUpProfiles.phone("p", scale: .times(MadeUpProfiles.constant(10)), ratiosOf: "exact")
    let drawn = devices(of: try MadeUpProfiles.resolve(phone, exact), seed: 4)
    #expect(Set(drawn.map { $0.costs[.perform].cpuPerCount }).count == 50)
    for device in drawn {
      let unit = Double(device.costs[.perform].cpuPerCount)
      for kind in Work.Kind.allCases {
        let expected = unit * (Double(kind.rawValue) + 1)
        #expect(abs(Double(device.costs[kind].cpuPerCount) - expected) <= Double(kind.rawValue) + 2)
      }
    }
  }

  @Test func `narrowing one range leaves the other draws where they were`() throws {
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

  @Test func `a profile comes back from JSON as it was`() throws {
    let profile = try MadeUpProfiles.resolve(new, old)
    let decoded = try JSONDecoder().decode(Profile.self, from: JSONEncoder().encode(profile))
    #expect(decoded == profile)
    #expect(devices(of: decoded, seed: 6) == devices(of: profile, seed: 6))
  }
}
