import MachineCore
import MachineSimulated
import Testing

@Suite struct ProfileResolvingTests {
  private let old = MadeUpProfiles.phone("old", speed: .nanoseconds(MadeUpProfiles.constant(10)))
  private let new = MadeUpProfiles.phone("new", speed: .relative(to: "old", MadeUpProfiles.constant(0.5)))

  @Test func `a profile that lists every cost resolves without a reference`() throws {
    let profile = try MadeUpProfiles.resolve(MadeUpProfiles.host)
    #expect(profile.speed == nil && profile.reference == nil && profile.groups.isEmpty)
    for part in CostPart.all {
      #expect(profile.cost(part.kind, part.component)?.value == Double(part.kind.rawValue) + 1)
      #expect(profile.device().costs[part.kind][part.component] == (Int64(part.kind.rawValue) + 1) * 1_000)
    }
  }

  @Test func `a phone scales the reference's CPU costs by its speed and keeps storage costs`() throws {
    let profile = try MadeUpProfiles.resolve(old)
    #expect(profile.reference == "reference, version 1")
    for part in CostPart.all {
      let expected = part.component.isCPU ? (Double(part.kind.rawValue) + 1) * 10 : 1_000
      #expect(profile.cost(part.kind, part.component)?.value == expected)
      #expect(profile.device().costs[part.kind][part.component] == Int64(expected) * 1_000)
    }
  }

  @Test func `components that a kind of work lacks cost nothing`() throws {
    let costs = try MadeUpProfiles.resolve(old).device().costs
    #expect(costs[.perform].storagePerCount == 0 && costs[.perform].cpuPerByte == 0)
    #expect(costs[.sync].cpuPerByte == 0)
  }

  @Test func `an overridden cost is not scaled, and other costs are unchanged`() throws {
    let phone = MadeUpProfiles.phone(
      "p", speed: .nanoseconds(MadeUpProfiles.constant(10)), shape: "shape", overriding: [.saveBegun: 7])
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3))
    let profile = try MadeUpProfiles.resolve(phone, shape: shape)
    #expect(profile.cost(.saveBegun, .cpu)?.value == 7)
    #expect(profile.device().costs[.saveBegun].cpuPerCount == 7_000)
    #expect(profile.cost(.statementRun, .cpu) == (try MadeUpProfiles.resolve(old)).cost(.statementRun, .cpu))
  }

  @Test func `a shape multiplies the costs of its groups on every device`() throws {
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3), rest: MadeUpProfiles.constant(0.5))
    for nanoseconds in [1, 10] as [Double] {
      let speed = ProfileDeclaration.Speed.nanoseconds(MadeUpProfiles.constant(nanoseconds))
      let plain = try MadeUpProfiles.resolve(MadeUpProfiles.phone("p", speed: speed))
      let shaped = try MadeUpProfiles.resolve(MadeUpProfiles.phone("p", speed: speed, shape: "shape"), shape: shape)
      #expect(shaped.shape == "shape, version 1")
      for part in CostPart.all {
        let factor = !part.component.isCPU ? 1 : shape.groups[0].parts.contains(part) ? 3 : 0.5
        let expected = try #require(plain.cost(part.kind, part.component)).value * factor
        #expect(shaped.cost(part.kind, part.component)?.value == expected, "\(part.name)")
        #expect(shaped.device().costs[part.kind][part.component] == Int64((expected * 1_000).rounded()))
      }
    }
  }

  @Test func `a work class's factor multiplies the costs of its class and the shape's factor`() throws {
    let speed = ProfileDeclaration.Speed.nanoseconds(MadeUpProfiles.constant(10))
    var phone = MadeUpProfiles.phone("p", speed: speed, shape: "shape")
    phone.factors = [.sqlite: MadeUpProfiles.constant(7), .handOver: MadeUpProfiles.constant(2)]
    let profile = try MadeUpProfiles.resolve(
      phone, shape: try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3)))
    #expect(profile.groups.map(\.name) == ["saving", "rest", "sqlite", "handOver"])
    func ratio(_ kind: Work.Kind) throws -> Double {
      try #require(profile.cost(kind, .cpu)).value / (10 * (Double(kind.rawValue) + 1))
    }
    #expect(try ratio(.rowWritten) == 21)
    #expect(try ratio(.rowSorted) == 7)
    #expect(try ratio(.threadWoken) == 2)
    #expect(try ratio(.saveBegun) == 3)
    #expect(try ratio(.cellRead) == 1)
  }

  @Test func `a relative speed is computed from the other profile's speed`() throws {
    #expect(try MadeUpProfiles.resolve(new, old).speed?.value == 5)
    let refitted = MadeUpProfiles.phone("old", speed: .nanoseconds(MadeUpProfiles.constant(30)))
    let profile = try MadeUpProfiles.resolve(new, refitted)
    #expect(profile.speed?.value == 15)
    #expect(profile.device().costs[.perform].cpuPerCount == 15_000)
  }

  @Test func `the range of a relative speed is the product of both ranges`() throws {
    let speed = try #require(try MadeUpProfiles.resolve(new, old).speed)
    #expect(speed.low == 1.25 && speed.high == 20)
  }

  @Test func `a relative speed ignores the other profile's shape and overridden costs`() throws {
    let fitted = MadeUpProfiles.phone(
      "old", speed: .nanoseconds(MadeUpProfiles.constant(10)), shape: "shape", overriding: [.commit: 70])
    let profile = try MadeUpProfiles.resolve(
      new, fitted, shape: try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3)))
    #expect(profile.shape == nil && profile.groups.isEmpty)
    #expect(profile.cost(.commit, .cpu)?.value == 5 * (Double(Work.Kind.commit.rawValue) + 1))
  }

  @Test func `a device has its profile's cores, favoursMain and quantum`() throws {
    let device = try MadeUpProfiles.resolve(old).device()
    #expect(device.cores == 2 && device.favoursMain && device.quantum == .milliseconds(10))
  }

  @Test func `scaling a profile's CPU multiplies CPU costs and keeps storage costs`() throws {
    let profile = try MadeUpProfiles.resolve(old)
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
    #expect(profile.withCPU(times: 1) == profile)
  }

  // MARK: Bad declarations

  private func error(_ declarations: ProfileDeclaration..., shape: CostShape? = nil) -> ProfileError? {
    #expect(throws: ProfileError.self) {
      let all = declarations + [MadeUpProfiles.host]
      return try declarations[0].resolved(
        with: ProfileCatalogue(
          declaration: { name throws(ProfileError) in all.first { $0.name == name } },
          reference: { name throws(ProfileError) in name == "reference" ? MadeUpProfiles.reference : nil },
          shape: { name throws(ProfileError) in name == shape?.name ? shape : nil }))
    }
  }

  @Test(arguments: Work.Kind.allCases)
  func `a missing cost throws an error with its key`(kind: Work.Kind) {
    for component in kind.costComponents {
      var costs = MadeUpProfiles.costs { _ in MadeUpProfiles.constant(1) }
      costs[kind, component] = nil
      let error = error(MadeUpProfiles.declaration("p", costs: costs))
      #expect(error?.code == .missingKey)
      #expect(error?.key == "costs.\(kind).\(component)")
    }
  }

  @Test func `a cycle of relative speeds throws an error that lists the cycle`() {
    let first = MadeUpProfiles.phone("first", speed: .relative(to: "second", MadeUpProfiles.constant(1)))
    let second = MadeUpProfiles.phone("second", speed: .relative(to: "first", MadeUpProfiles.constant(1)))
    let error = error(first, second)
    #expect(error?.code == .circle)
    #expect(error?.message.contains("first → second → first") == true)
    let own = MadeUpProfiles.phone("own", speed: .relative(to: "own", MadeUpProfiles.constant(1)))
    #expect(self.error(own)?.code == .circle)
  }

  @Test func `an unknown profile, reference or shape throws an error with its key`() {
    let speed = ProfileDeclaration.Speed.nanoseconds(MadeUpProfiles.constant(1))
    let flawed = [
      ("speed.relativeTo", MadeUpProfiles.phone("p", speed: .relative(to: "nokia", MadeUpProfiles.constant(1)))),
      ("costsOf", MadeUpProfiles.phone("p", speed: speed, costsOf: "nokia")),
      ("shape", MadeUpProfiles.phone("p", speed: speed, shape: "nokia")),
    ]
    for (key, phone) in flawed {
      let error = error(phone)
      #expect(error?.code == .unknownProfile)
      #expect(error?.key == key)
      #expect(error?.message.contains("nokia") == true)
    }
  }

  @Test func `a speed relative to a profile without a speed throws an error`() {
    let error = error(MadeUpProfiles.phone("p", speed: .relative(to: "host", MadeUpProfiles.constant(1))))
    #expect(error?.code == .invalidValue)
    #expect(error?.key == "speed.relativeTo")
  }

  @Test func `a resolved cost above 10 s per count throws an error`() throws {
    #expect(error(MadeUpProfiles.phone("p", speed: .nanoseconds(MadeUpProfiles.constant(1e9))))?.code == .invalidValue)
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(1e6))
    let speed = ProfileDeclaration.Speed.nanoseconds(MadeUpProfiles.constant(1e3))
    let error = error(MadeUpProfiles.phone("p", speed: speed, shape: "shape"), shape: shape)
    #expect(error?.key == "costs.saveBegun.cpu")
  }

  @Test func `a reference requires a speed, and speed, shape and factors require a reference`() {
    let costs = MadeUpProfiles.host.costs
    let one = MadeUpProfiles.constant(1)
    #expect(error(MadeUpProfiles.declaration("p", costsOf: "reference", costs: costs))?.key == "speed")
    #expect(error(MadeUpProfiles.declaration("p", speed: .nanoseconds(one), costs: costs))?.key == "costsOf")
    #expect(error(MadeUpProfiles.declaration("p", shape: "shape", costs: costs))?.key == "shape")
    #expect(error(MadeUpProfiles.declaration("p", factors: [.sqlite: one], costs: costs))?.key == "factors")
  }
}
