import Foundation
import MachineCore
import MachineSimulated
import Testing

/// The parts of costs, and how shapes, references and classes of work share them out.
@Suite struct CostGroupTests {
  @Test func `every part of a cost is found by its unique name`() {
    #expect(Set(CostPart.all.map(\.name)).count == CostPart.all.count)
    for part in CostPart.all { #expect(CostPart.named(part.name) == part) }
    #expect(CostPart.named("commit.storage") == nil)
    #expect(CostPart.named("commit") == nil)
  }

  @Test func `every cost but storage belongs to one class of work`() {
    let shared = WorkClass.allCases.flatMap(\.parts)
    #expect(shared.count == CostPart.cpu.count)
    #expect(Set(shared) == Set(CostPart.cpu))
    for part in CostPart.all where !part.component.isCPU { #expect(WorkClass(part) == nil) }
    for workClass in WorkClass.allCases { #expect(!workClass.parts.isEmpty, "\(workClass)") }
  }

  private func shape(_ groups: [[CostPart]]) throws(ProfileError) -> CostShape {
    try CostShape(
      name: "s", title: "s", version: 1, description: "made up",
      groups: groups.enumerated().map {
        CostGroup(name: "g\($0)", title: "g", parts: $1, factor: MadeUpProfiles.constant(1))
      })
  }

  @Test func `a shape that leaves a cost out of all groups throws an error`() {
    for part in CostPart.cpu {
      let error = #expect(throws: ProfileError.self) { try shape([CostPart.cpu.filter { $0 != part }]) }
      #expect(error?.code == .missingKey)
      #expect(error?.key == "groups")
      #expect(error?.message.hasPrefix(part.name) == true)
    }
  }

  @Test func `a shape that lists a cost twice throws an error`() {
    let twice = #expect(throws: ProfileError.self) { try shape([CostPart.cpu, [CostPart(.commit, component: .cpu)]]) }
    #expect(twice?.key == "groups.g1.costs")
    #expect(twice?.message == "commit.cpu is also listed in g0; list it once")
    #expect(throws: ProfileError.self) { try shape([CostPart.cpu + [CostPart(.commit, component: .cpu)]]) }
  }

  @Test func `a shape with a storage cost throws an error`() {
    let error = #expect(throws: ProfileError.self) {
      try shape([CostPart.cpu, [CostPart(.sync, component: .storage)]])
    }
    #expect(error?.key == "groups.g1.costs")
    #expect(error?.message.contains("sync.storage") == true)
  }

  @Test func `replacing a shape's factors keeps its groups' costs`() throws {
    let shape = try MadeUpProfiles.shape(saving: MadeUpProfiles.constant(3))
    let other = shape.with(factors: [MadeUpProfiles.constant(5), MadeUpProfiles.constant(6)])
    #expect(other.groups.map(\.factor.value) == [5, 6])
    #expect(other.groups.map(\.parts) == shape.groups.map(\.parts))
    let decoded = try JSONDecoder().decode(CostShape.self, from: JSONEncoder().encode(other))
    #expect(decoded == other)
  }

  @Test func `a reference that lacks a cost or has a storage cost throws an error`() {
    func reference(_ costs: CostTable<ProfileConstant>) throws(ProfileError) -> CostReference {
      try CostReference(name: "r", title: "r", version: 1, description: "made up", costs: costs)
    }
    let whole = MadeUpProfiles.reference.costs
    for part in CostPart.all {
      var costs = whole
      costs[part] = part.component.isCPU ? nil : MadeUpProfiles.constant(1)
      let error = #expect(throws: ProfileError.self) { try reference(costs) }
      #expect(error?.key == "costs.\(part.name)")
      #expect(error?.code == (part.component.isCPU ? .missingKey : .invalidValue))
    }
  }
}
