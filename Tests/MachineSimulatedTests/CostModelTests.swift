import MachineCore
import MachineSimulated
import Testing

@Suite struct CostModelTests {
  @Test func `all work is free in a new cost model`() {
    let costs = CostModel()
    for kind in Work.Kind.allCases {
      #expect(costs[kind] == .nothing)
    }
  }

  @Test func `a cost applies to its kind of work only`() {
    for priced in Work.Kind.allCases {
      var costs = CostModel()
      costs[priced] = CostModel.Cost(cpuPerCount: 1, cpuPerByte: 2, storagePerCount: 3, storagePerByte: 4)
      for kind in Work.Kind.allCases {
        #expect((costs[kind] == .nothing) == (kind != priced))
      }
      #expect(costs[priced].storagePerByte == 4)
    }
  }
}
