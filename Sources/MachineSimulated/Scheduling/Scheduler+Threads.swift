import MachineCore

// MARK: - Strands

extension Scheduler {
  /// Returns an idle strand: the one that became idle last, or a new one.
  func takeIdleStrand() -> Strand {
    if let strand = idle.popLast() { return strand }
    return makeStrand()
  }

  func makeStrand() -> Strand {
    let strand = Strand(number: strands.count, isMain: false)
    strands.append(strand)
    return strand
  }

  /// Serves a strand until it ends, each time that it gets the baton after it was idle.
  func serve(_ strand: Strand, mainTurn: SimulatedTurn) {
    while !strand.isEnding {
      if strand.isMain {
        serveMain(mainTurn)
      } else {
        serveAssignment(of: strand)
      }
    }
  }

  /// Performs the strand's assignment, gives the baton away, and returns when the strand has it again.
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

  /// Makes the strand idle: its core passes to another strand, and so does the baton. Returns when the strand has the
  /// baton again.
  private func leave(_ strand: Strand) {
    strand.state = .idle
    strand.sleepBegan = clock
    releaseCore(of: strand)
    passBaton(from: strand)
  }
}
