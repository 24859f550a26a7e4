import MachineCore
import MachineLive
import TestSupport
import Testing

/// Tests of features that only the live machine has: its end, and the noise of other programs.
@Suite struct LiveMachineTests {
  @Test func `stopping a machine runs posted blocks and the blocks that they post`() {
    let machine = LiveMachine(ledger: WorkLedger())
    let journal = Journal<Int>()
    for number in 0..<100 {
      machine.mainQueue.async {
        journal.write(number)
        machine.mainQueue.async { journal.write(100 + number) }
      }
    }
    machine.stop()
    // The main thread runs while this thread posts, so either may come first.
    #expect(journal.entries.sorted() == Array(0..<200))
  }

  @Test func `a stopped machine drops blocks that are posted or due later`() {
    let machine = LiveMachine(ledger: WorkLedger())
    let journal = Journal<Int>()
    machine.mainQueue.async(at: machine.now + .seconds(3_600)) { journal.write(1) }
    machine.stop()
    machine.mainQueue.async { journal.write(2) }
    machine.mainQueue.async(at: machine.now) { journal.write(3) }
    machine.stop()
    #expect(journal.entries.isEmpty)
  }

  @Test func `a stopped machine releases its ledger, its observer and captured objects`() {
    weak var ledger: WorkLedger?
    weak var events: EventRecorder?
    weak var captured: LastWords?
    let journal = Journal<String>()
    do {
      let words = LastWords(in: journal)
      let ownLedger = WorkLedger()
      let ownEvents = EventRecorder()
      let machine = LiveMachine(ledger: ownLedger, observer: ownEvents)
      machine.mainQueue.async { words.speak() }
      machine.makeSerialQueue(label: "private").async(at: machine.now + .seconds(3_600)) { words.speak() }
      ledger = ownLedger
      events = ownEvents
      captured = words
      machine.stop()
    }
    #expect(ledger == nil)
    #expect(events == nil)
    #expect(captured == nil)
    #expect(journal.entries == ["ran", "released"])
  }

  @Test func `many machines are made, used and freed without being stopped`() {
    let sum = (0..<200).reduce(0) { sum, number in
      let machine = LiveMachine(ledger: WorkLedger())
      machine.mainQueue.async(at: machine.now + .seconds(3_600)) {}
      return sum + machine.mainQueue.sync { number }
    }
    #expect(sum == 19_900)
  }

  @Test func `a machine ends after the main-queue block that holds its last reference`() {
    let journal = Journal<String>()
    var machine: LiveMachine? = LiveMachine(ledger: WorkLedger())
    let gate = LiveMachine(ledger: WorkLedger())
    let isReleased = Journal<Bool>()
    machine?.mainQueue.async { [machine, words = LastWords(in: journal)] in
      while isReleased.count == 0 {
        gate.wait(until: gate.now + .microseconds(100))
      }
      words.speak()
      _ = machine
    }
    machine = nil
    isReleased.write(true)
    while journal.count < 2 {
      gate.wait(until: gate.now + .microseconds(100))
    }
    gate.stop()
    #expect(journal.entries == ["ran", "released"])
  }

  @Test func `stopping a machine on its own main thread stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = LiveMachine(ledger: WorkLedger())
      machine.mainQueue.sync { machine.stop() }
    }
    try expectSentence("A machine stopped on its own main thread", from: result)
  }

  @Test func `a sync onto the main queue of a stopped machine stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = LiveMachine(ledger: WorkLedger())
      machine.stop()
      machine.mainQueue.sync {}
    }
    try expectSentence("a machine that has stopped", from: result)
  }

  @Test func `RunQueueWait.current never decreases on one thread`() throws {
    let first = try #require(RunQueueWait.current())
    let second = try #require(RunQueueWait.current())
    #expect(first >= .zero)
    #expect(second >= first)
  }

  // Frames take several times as much of the stack with the address sanitizer.
  #if !UNDER_SANITIZER
    @Test func `a deep recursion fits on the main thread's stack`() {
      let machine = LiveMachine(ledger: WorkLedger())
      defer { machine.stop() }
      #expect(machine.mainQueue.sync { stackDepth(kilobytes: 4_096) } == 4_096)
    }

    /// Uses at least this many bytes of the stack.
    @inline(never)
    private func stackDepth(kilobytes: Int) -> Int {
      guard kilobytes > 0 else { return 0 }
      return withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 1) { buffer in
        buffer.initializeMemory(as: UInt8.self, repeating: 1)
        return stackDepth(kilobytes: kilobytes - 1) + Int(buffer[0])
      }
    }
  #endif
}
