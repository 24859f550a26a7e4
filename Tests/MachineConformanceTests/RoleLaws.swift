import MachineCore
import TestSupport
import Testing

@Suite struct RoleLaws {
  /// Accounts one row read, and returns the role for which it was counted.
  @Sendable
  private static func role(in bench: MachineBench) -> WorkRole? {
    let before = WorkRole.allCases.map { bench.ledger.count(.rowStepped, for: $0) }
    bench.machine.account(Work(.rowStepped))
    return zip(WorkRole.allCases, before).first { bench.ledger.count(.rowStepped, for: $0) == $1 + 1 }?.0
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `work outside any activity has the background role`(machine: MachineUnderTest) throws {
    let role = try machine.run { bench in Self.role(in: bench) }
    #expect(role == .background)
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an activity with a role sets it until the activity ends`(machine: MachineUnderTest) throws {
    let roles = try machine.run { bench in
      var roles: [WorkRole?] = []
      bench.machine.recorder.during(.frame) {
        roles.append(Self.role(in: bench))
        bench.machine.recorder.during(.fault) { roles.append(Self.role(in: bench)) }
        bench.machine.recorder.during(.importing) {
          roles.append(Self.role(in: bench))
          bench.machine.recorder.during(.save) { roles.append(Self.role(in: bench)) }
        }
        roles.append(Self.role(in: bench))
      }
      roles.append(Self.role(in: bench))
      return roles
    }
    #expect(roles == [.user, .user, .background, .background, .user, .background])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `an activity that throws restores the previous role`(machine: MachineUnderTest) throws {
    let role = try machine.run { bench in
      do throws(Refusal) {
        try bench.machine.recorder.during(.edit) { () throws(Refusal) in throw Refusal(number: 1) }
      } catch {}
      return Self.role(in: bench)
    }
    #expect(role == .background)
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a posted block has the role of the thread that posted it`(machine: MachineUnderTest, kind: QueueKind) throws {
    let roles = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let roles = Journal<WorkRole?>()
      let note: @Sendable () -> Void = { roles.write(Self.role(in: bench)) }
      bench.machine.recorder.during(.merge) { queue.async(note) }
      queue.async(note)
      bench.machine.recorder.during(.merge) { queue.async(at: bench.machine.now, note) }
      queue.async(at: bench.machine.now, note)
      let deadline = bench.machine.now + .milliseconds(1)
      bench.machine.recorder.during(.merge) { queue.async(at: deadline, note) }
      queue.async(at: deadline, note)
      bench.wait { roles.count == 6 }
      return roles.entries
    }
    #expect(roles == [.user, .background, .user, .background, .user, .background])
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `a block posted by a block inherits its role`(machine: MachineUnderTest, kind: QueueKind) throws {
    let roles = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let other = bench.machine.makeSerialQueue(label: "other")
      let roles = Journal<WorkRole?>()
      bench.machine.recorder.during(.edit) {
        queue.async { other.async { queue.async { roles.write(Self.role(in: bench)) } } }
      }
      bench.wait { roles.count == 1 }
      return roles.entries
    }
    #expect(roles == [.user])
  }

  @Test(arguments: MachineUnderTest.allCases, QueueKind.allCases)
  func `the body of a sync has the role of its caller`(machine: MachineUnderTest, kind: QueueKind) throws {
    let roles = try machine.run { bench in
      let queue = kind.queue(of: bench.machine)
      let asUser = bench.machine.recorder.during(.edit) { queue.sync { Self.role(in: bench) } }
      let asImport = queue.sync { Self.role(in: bench) }
      // The role of a block must not remain for the next block.
      bench.machine.recorder.during(.edit) { queue.async {} }
      return [asUser, asImport, queue.sync { Self.role(in: bench) }]
    }
    #expect(roles == [.user, .background, .background])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the caller's role is restored after a sync`(machine: MachineUnderTest) throws {
    let roles = try machine.run { bench in
      let queue = bench.machine.makeSerialQueue(label: "private")
      return bench.machine.recorder.during(.edit) {
        queue.sync { bench.machine.recorder.during(.importing) {} }
        let afterPrivate = Self.role(in: bench)
        bench.main.sync { bench.machine.recorder.during(.importing) {} }
        return [afterPrivate, Self.role(in: bench)]
      }
    }
    #expect(roles == [.user, .user])
  }

  @Test(arguments: MachineUnderTest.allCases)
  func `the ledger sums up work of all threads by role and kind`(machine: MachineUnderTest) throws {
    let ledger = try machine.run { bench in
      bench.concurrently(4) { index in
        let activity: Activity = index.isMultiple(of: 2) ? .importing : .frame
        for _ in 0..<100 {
          bench.machine.recorder.during(activity) {
            bench.machine.account(Work(.rowWritten, count: 5, bytes: 70))
            bench.machine.account(Work(.commit))
          }
        }
      }
      return bench.ledger
    }
    for role in WorkRole.allCases {
      #expect(ledger.count(.rowWritten, for: role) == 1_000)
      #expect(ledger.bytes(.rowWritten, for: role) == 14_000)
      #expect(ledger.count(.commit, for: role) == 200)
      #expect(ledger.count(.rowStepped, for: role) == 0)
    }
  }
}
