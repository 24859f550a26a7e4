import MachineCore
import MachineSimulated
import Testing

@Suite struct CostModelTests {
  @Test func `in a new cost model all work is free`() {
    let costs = CostModel()
    for kind in Work.Kind.allCases {
      #expect(costs[kind] == .nothing)
    }
  }

  @Test func `a price stands for its kind of work alone`() {
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
