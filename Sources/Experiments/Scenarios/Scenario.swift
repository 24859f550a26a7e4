/// A known trouble with managed object contexts as two small programs: one that shows the trouble, and one with the
/// wiring or the call that avoids it.
///
/// A scenario declares the symptoms by which its trouble is recognised, and thereby the machines on which it can run.
/// Its text is limited to names and the two lines of wiring; everything else in a story is built from what the two
/// programs did.
package struct Scenario: Sendable {
  /// The name of the scenario on the command line.
  package var id: String
  /// The trouble in one sentence without a full stop.
  package var title: String
  /// The group of the scenario in lists and pages.
  package var group: ScenarioGroup
  /// The publications that describe the trouble: author, title and year.
  package var sources: [String]
  /// Published figures of the trouble in one or two sentences, or nil.
  package var published: String?
  /// The symptoms that the trouble shows and the cure does not. The live machine judges only those that do not depend
  /// on a computer's speed, and runs the scenario if there is one.
  package var symptoms: [Symptom]
  /// The schedule seed of runs for which no seed was given, or nil if the trouble does not depend on the seed. The live
  /// machine cannot run a scenario with a seed, because the order of real threads cannot be chosen.
  package var seed: UInt64?
  /// The program that shows the trouble.
  package var trouble: Side
  /// The program that avoids the trouble.
  package var cure: Side

  /// One of the two programs of a scenario.
  package struct Side: Sendable {
    /// The wiring and the calls of the program in one sentence.
    package var wiring: String
    /// The program. It prepares the store, calls `Bench.begin()`, posts its blocks and returns when all of them have
    /// ended.
    package var program: @Sendable (Bench) throws -> Void

    /// Creates a program with a sentence that describes its wiring.
    package init(_ wiring: String, program: @escaping @Sendable (Bench) throws -> Void) {
      self.wiring = wiring
      self.program = program
    }
  }

  /// The names of the two programs.
  package enum SideName: String, CaseIterable, Sendable, Codable {
    case trouble
    case cure
  }

  /// Creates a scenario.
  package init(
    _ id: String, _ title: String, group: ScenarioGroup, sources: [String], published: String? = nil,
    symptoms: [Symptom], seed: UInt64? = nil, trouble: Side, cure: Side
  ) {
    self.id = id
    self.title = title
    self.group = group
    self.sources = sources
    self.published = published
    self.symptoms = symptoms
    self.seed = seed
    self.trouble = trouble
    self.cure = cure
  }

  /// Returns the symptoms by which runs on a kind of machine are judged.
  package func symptoms(on machine: ScenarioMachine.Kind) -> [Symptom] {
    machine == .live ? symptoms.filter { !$0.dependsOnSpeed } : symptoms
  }

  /// The kinds of machines on which the scenario can run.
  package var machines: [ScenarioMachine.Kind] {
    ScenarioMachine.Kind.allCases.filter { !symptoms(on: $0).isEmpty && ($0 == .simulated || seed == nil) }
  }

  /// Returns a machine with the scenario's own seed if the machine is simulated and has none.
  package func seeding(_ machine: ScenarioMachine) -> ScenarioMachine {
    if let seed, machine.seed == nil { machine.withSeed(seed) } else { machine }
  }

  /// Returns the program with a name.
  package func side(_ name: SideName) -> Side { name == .trouble ? trouble : cure }
}
