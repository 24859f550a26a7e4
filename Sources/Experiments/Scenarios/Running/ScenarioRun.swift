import TrialProcesses

/// Runs scenarios in child processes, because misuse stops its process and a deadlock leaves threads behind.
package struct ScenarioRun: Sendable {
  private let children: Children
  private let machine: ScenarioMachine

  /// The time after which a side is killed.
  private static let timeLimit = Duration.seconds(120)

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - children: The runner of child processes.
  ///   - machine: The machine on which both sides run.
  package init(_ children: Children, on machine: ScenarioMachine) {
    self.children = children
    self.machine = machine
  }

  /// Runs both sides of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - sides: The program that runs in the place of each side. A check of the check passes the cure twice.
  /// - Returns: The runs of both sides, and the judgement on them.
  /// - Throws: `RunFailure` if a child cannot be run or is killed, or `CancellationError`.
  package func outcome(
    of scenario: Scenario, running sides: [Scenario.SideName] = Scenario.SideName.allCases
  ) async throws -> ScenarioOutcome {
    var recordings: [Recording] = []
    for (index, side) in sides.enumerated() {
      recordings.append(try await recording(of: scenario, side, on: scenario.seeding(machine), place: index))
    }
    return ScenarioOutcome(
      scenario, on: machine.kind, trouble: RecordedRun(recordings[0]), cure: RecordedRun(recordings[1]))
  }

  /// Runs both sides of a scenario with each schedule seed from 1 on, on a simulated machine. The two sides run at the
  /// same time.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - seedCount: The number of seeds, at least 1.
  /// - Returns: The numbers of seeds on which each side showed the trouble.
  /// - Throws: `RunFailure` if a child cannot be run or is killed, or `CancellationError`.
  package func seededOutcome(of scenario: Scenario, seedCount: Int) async throws -> SeededOutcome {
    var counts = SeededOutcome(scenario)
    for seed in 1...UInt64(seedCount) {
      let machine = machine.withSeed(seed)
      async let trouble = recording(of: scenario, .trouble, on: machine, place: 0)
      async let cure = recording(of: scenario, .cure, on: machine, place: 1)
      counts.add(
        ScenarioOutcome(
          scenario, on: machine.kind, trouble: RecordedRun(try await trouble), cure: RecordedRun(try await cure)),
        seed: seed)
    }
    return counts
  }

  private func recording(
    of scenario: Scenario, _ side: Scenario.SideName, on machine: ScenarioMachine, place: Int
  ) async throws -> Recording {
    let folder = try children.scratch.makeFolder("\(scenario.id)-\(place)")
    defer { children.scratch.removeFolder(folder) }
    let plan = ScenarioTask.Plan(
      scenario: scenario.id, side: side, machine: machine, folder: folder,
      recordingFile: "\(folder)/recording.jsonl")
    do {
      let crash = try await children.crash(of: ScenarioTask.self, plan, timeLimit: Self.timeLimit)
      let recording = try Recording(file: plan.recordingFile)
      return crash.map { recording.trapped($0) } ?? recording
    } catch let failure as RunFailure {
      throw failure.during("\(scenario.id), \(side.rawValue)")
    }
  }
}
