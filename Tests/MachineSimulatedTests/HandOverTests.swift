import MachineCore
import MachineSimulated
import Testing

/// What it costs a device that one thread wakes another.
struct HandOverTests {
  private func machine(handOver: MachineCore.Span) -> SimulatedMachine {
    var device = Toy.device()
    device.handOver = handOver
    return Toy.machine(device)
  }

  /// How long a number of round trips onto the main queue take.
  private func trips(_ count: Int, _ machine: SimulatedMachine) throws -> MachineCore.Span {
    try machine.run {
      let begin = machine.now
      for _ in 0..<count { machine.mainQueue.sync { machine.work(milliseconds: 1) } }
      return machine.now - begin
    }
  }

  @Test func `a round trip onto the main queue wakes two threads`() throws {
    #expect(try trips(10, machine(handOver: .zero)) == .milliseconds(10))
    let machine = machine(handOver: .microseconds(20))
    #expect(try trips(10, machine) == .milliseconds(10) + .microseconds(400))
    #expect(machine.totalCPU >= .milliseconds(10) + .microseconds(400))
  }

  @Test func `a queue that nobody waits for is entered without waking anybody`() throws {
    let machine = machine(handOver: .microseconds(20))
    let taken = try machine.run {
      let queue = machine.makeSerialQueue(label: "queue")
      let begin = machine.now
      for _ in 0..<10 { queue.sync { machine.work(milliseconds: 1) } }
      return machine.now - begin
    }
    #expect(taken == .milliseconds(10))
  }
}
