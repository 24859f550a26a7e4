import Glibc
import MachineCore

// MARK: - Threads

extension Scheduler {
  /// Returns an idle strand: the one that became idle last, or a new one.
  func takeIdleStrand() -> Strand {
    if let strand = idle.popLast() { return strand }
    return makeStrand()
  }

  func makeStrand() -> Strand {
    let strand = Strand(number: strands.count, isMain: false)
    strands.append(strand)
    start(strand, serving: nil)
    return strand
  }

  func start(_ strand: Strand, serving mainTurn: SimulatedTurn?) {
    let hostCore = hostCore
    strand.ownThread = OwnThread { [unowned(unsafe) self, unowned(unsafe) strand] in
      if let hostCore { HostCore.bind(to: hostCore) }
      strand.baton.wait()
      strand.thread = pthread_self()
      while !strand.isEnding {
        if let mainTurn {
          self.serveMain(mainTurn)
        } else {
          self.serveAssignment(of: strand)
        }
        strand.baton.wait()
      }
    }
  }

  /// Performs the strand's assignment, and gives the baton away without waiting for it.
  private func serveAssignment(of strand: Strand) {
    let assignment = strand.assignment.take()
    switch assignment {
    case .drain(let turn)?: drain(turn, on: strand)
    case .drive(let body)?:
      body()
      settle(strand)
      driverEnded()
    case nil: trapMisuse("A strand was woken without anything to do.")
    }
    idle.append(strand)
    leave(strand)
  }

  private func serveMain(_ turn: SimulatedTurn) {
    runMainBlocks(turn)
    leave(main)
  }

  /// Makes the strand idle: its core passes to another strand, and so does the baton.
  func leave(_ strand: Strand) {
    strand.state = .idle
    strand.sleepBegan = clock
    releaseCore(of: strand)
    passBaton(from: strand)
  }
}
