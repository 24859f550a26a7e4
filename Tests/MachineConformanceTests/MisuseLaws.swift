import MachineCore
import Testing

/// Tests that the process stops with a message if it would otherwise hang or give wrong results.
@Suite struct MisuseLaws {
  @Test(arguments: MachineUnderTest.allCases)
  func `a raw sync onto a queue that the caller holds stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in
        let queue = bench.machine.makeSerialQueue(label: "writer")
        queue.sync { queue.sync {} }
      }
    }
    try expectSentence("`sync` on the queue “writer”", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a raw sync back onto the first queue of a chain stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in
        let outer = bench.machine.makeSerialQueue(label: "outer")
        let inner = bench.machine.makeSerialQueue(label: "inner")
        outer.async { inner.sync { outer.sync {} } }
        outer.sync {}
      }
    }
    try expectSentence("`sync` on the queue “outer”", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a raw sync of the main thread onto the main queue stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in
        let queue = bench.machine.makeSerialQueue(label: "private")
        bench.main.sync { queue.sync { bench.main.sync {} } }
      }
    }
    try expectSentence("`sync` on the queue “main”", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `a lock taken twice on one thread stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in
        let lock = bench.machine.makeLock(label: "coordinator")
        lock.withLock { lock.withLock {} }
      }
    }
    try expectSentence("The lock “coordinator” was taken twice", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an activity ended out of turn stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in
        bench.machine.recorder.begin(.save, of: 0, in: nil)
        bench.machine.recorder.begin(.fault, of: 0, in: nil)
        bench.machine.recorder.end(.save)
      }
    }
    try expectSentence("The activity save was ended while fault was the one begun last", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an activity ended but never begun stops the process`(machine: MachineUnderTest) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine] in
      try machine.run { bench in bench.machine.recorder.end(.frame) }
    }
    try expectSentence("The activity frame was ended", from: result)
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a block that leaves an activity open stops the process`(
    machine: MachineUnderTest, kind: QueueKind
  ) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [machine, kind] in
      try machine.run { bench in
        let queue = kind.queue(of: bench.machine)
        queue.async { bench.machine.recorder.begin(.merge, of: 0, in: nil) }
        queue.sync {}
      }
    }
    try expectSentence("returned without ending every activity", from: result)
  }
}

/// Expects that the process printed the message on standard error before it ended.
func expectSentence(
  _ sentence: String, from result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let output = try #require(result, sourceLocation: sourceLocation).standardErrorContent
  #expect(String(decoding: output, as: UTF8.self).contains(sentence), sourceLocation: sourceLocation)
}
