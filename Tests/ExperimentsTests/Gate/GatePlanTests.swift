import InputFiles
import MachineSimulated
import Metrics
import Reporting
import TestSupport
import Testing

@testable import Experiments

@Suite struct GatePlanTests {
  private func plan(_ text: String) throws -> GatePlan { try GatePlan(yaml: text, place: "gate.yaml") }

  @Test func `a plan has tolerances in per cent, floors, and runs in file order`() throws {
    let plan = try plan(
      """
      tolerances:
        default: 0.5
        import_ns: 2
        heap_peak_bytes: {percent: 0, floor: 4096}
        hitch_total_ns: {floor: 8333334}
      runs:
        zoo: --rows 100 --save-every 1
        ant: --topology all-main
      """)
    #expect(plan.tolerances.standard == Tolerance(partsPerMillion: 5_000))
    func tolerance(_ name: String) throws -> Tolerance { plan.tolerances[try #require(Measure.named(name))] }
    #expect(try tolerance("import_ns") == Tolerance(partsPerMillion: 20_000))
    #expect(try tolerance("heap_peak_bytes") == Tolerance(partsPerMillion: 0, floor: 4_096))
    #expect(try tolerance("hitch_total_ns") == Tolerance(partsPerMillion: 5_000, floor: 8_333_334))
    #expect(try tolerance("visible_ns") == Tolerance(partsPerMillion: 5_000))
    #expect(plan.runs.map(\.name) == ["zoo", "ant"])
    #expect(plan.runs[0].request == RunRequest().with(\.rows, 100).with(\.saveEvery, 1))
    #expect(plan.runs[0].flagNames == ["rows", "save-every"])
  }

  @Test func `a plan has the standard values for missing keys`() throws {
    #expect(try plan("tolerances: {import_ns: 2}").runs == GateRun.standard)
    #expect(try plan("runs: {one: --rows 100}").tolerances == Tolerances())
    #expect(try plan("runs: {one: --rows 100}").draws == GatePlan.standardDraws)
    #expect(try plan("draws: 3").draws == 3)
    // Measures that the plan does not name keep their standard tolerance, unless the plan has a default.
    let hitch = try #require(Measure.named("hitch_us_per_s"))
    #expect(try plan("tolerances: {import_ns: 2}").tolerances[hitch] == Tolerances()[hitch])
    #expect(try plan("tolerances: {default: 2}").tolerances[hitch] == Tolerance(partsPerMillion: 20_000))
    #expect(Tolerances().standard.partsPerMillion == 10_000)
    #expect(try GatePlan(of: "/nowhere") == GatePlan())
  }

  @Test func `the committed plan has the standard runs`() throws {
    let plan = try GatePlan(of: Repository.root.appendingPathComponent(GateBaseline.standardFolder).path)
    #expect(plan.runs == GateRun.standard)
  }

  @Test func `every standard run simulates all six stacks`() throws {
    for run in GateRun.standard {
      let experiment = try run.experiment(output: ".")
      #expect(experiment.machine == .simulated)
      #expect(experiment.topologies.count == 6)
      #expect(experiment.simulation?.profile.name == ProfileLibrary.standardName)
    }
    #expect(Set(GateRun.standard.map(\.name)).count == GateRun.standard.count)
  }

  @Test(arguments: [
    (
      "tolerances:\n  import: 1",
      "gate.yaml:2: tolerances.import: not known; did you mean import_ns? use one of default, window_ns,"
    ),
    (
      "tolerances:\n  default: 1\n  import_ns: fast",
      "gate.yaml:3: tolerances.import_ns: fast is not a number; use 0 to"
    ),
    ("tolerances:\n  import_ns: -1", "gate.yaml:2: tolerances.import_ns: -1 is negative; use 0 to"),
    ("tolerances:\n  import_ns: .nan", "gate.yaml:2: tolerances.import_ns: .nan is not a number; use 0 to"),
    ("tolerances:\n  import_ns: 1000001", "gate.yaml:2: tolerances.import_ns: 1000001 is out of range; use 0 to"),
    (
      "tolerances:\n  import_ns: {share: 1}",
      "gate.yaml:2: tolerances.import_ns.share: not known; use one of percent, floor"
    ),
    (
      "tolerances:\n  import_ns: {floor: 1.5}",
      "gate.yaml:2: tolerances.import_ns.floor: 1.5 is not in range; use a whole number from 0 to"
    ),
    ("tolerances:\n  import_ns: 1\n  import_ns: 2", "gate.yaml:2: import_ns: given twice; use it once"),
    ("tolerance: 1", "gate.yaml:1: tolerance: not known; did you mean tolerances? use one of runs, draws, tolerances"),
    ("draws: -1", "gate.yaml:1: draws: -1 is not in range; use a whole number from 0 to 1000"),
    ("draws: ten", "gate.yaml:1: draws: ten is not in range; use a whole number from 0 to 1000"),
    ("runs: six", "gate.yaml:1: runs: not a mapping; use name: … and the like"),
    ("runs: {}", "gate.yaml:1: runs: empty; use name: flags of stackbench run, or leave it out"),
    ("runs:\n  ../six: --rows 1", "gate.yaml:2: runs.../six: not the name of a folder; use letters from a to z,"),
    ("runs:\n  six: --rows none", "gate.yaml:2: runs.six: --rows none: not a whole number; use 1 to"),
    ("runs:\n  six: --machine live", "gate.yaml:2: runs.six: --machine: cannot be a flag of one of the gate's runs;"),
    ("runs:\n  six: --output x", "gate.yaml:2: runs.six: --output: not a setting of a run;"),
    ("runs:\n  six: --kill-at 5", "gate.yaml:2: runs.six: --kill-at: cannot be a flag of one of the gate's runs;"),
    ("runs: [", "gate.yaml:2: not YAML: "),
    ("", "gate.yaml: empty; use YAML with runs: … first"),
  ])
  func `a damaged plan throws an error with line and key`(text: String, message: String) {
    let error = #expect(throws: YAMLError.self) { try plan(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
  }
}
