import Foundation
import Glibc
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench_workshop

struct CalibrateCommandTests {
  private func calibrate(_ arguments: [String]) throws {
    let command = try CalibrateCommand.parse(arguments + ["--quiet"])
    try command.run()
  }

  @Test func `an interrupted calibration ends with status 130 and leaves no files`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let outcome = try await Program.run(["calibrate", "--seconds", "600", "--output", "\(path)/mine.yaml"]) { process in
      // The scratch folder exists as soon as there are files to remove.
      while try FileManager.default.contentsOfDirectory(atPath: path).isEmpty { await Task.yield() }
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(outcome.errors == ["error: interrupted; no result was written"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
  }

  @Test func `one round writes a complete profile and the measurements`() async throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/mine.yaml"
    let table = folder.path + "/mine.csv"
    // The command runs in another process, which it binds to cores. It must succeed even on a busy computer.
    let outcome = try await Program.run([
      "calibrate", "--output", output, "--measurements", table, "--seconds", "1", "--name", "mine", "--classes-only",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let declaration = try ProfileLibrary.declaration(named: output)
    #expect(declaration.name == "mine")
    #expect(declaration.costsOf == "reference")
    #expect(declaration.yardstick ?? 0 > 0)
    #expect(Set(declaration.factors.keys) == Set(WorkClass.allCases))
    let profile = try ProfileLibrary.profile(named: output)
    for part in CostPart.all {
      let constant = try #require(profile.cost(part.kind, part.component), "\(part.name)")
      #expect(constant.low <= constant.value && constant.value <= constant.high)
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(found == ["mine.csv", "mine.yaml"])

    // Equal measurements give equal factors.
    let again = folder.path + "/again.yaml"
    try calibrate(["--from", table, "--output", again, "--classes-only"])
    #expect(try ProfileLibrary.declaration(named: again).factors == declaration.factors)
  }

  /// Returns a table with a scenario for each factor. A count of `contextMade` in that scenario takes the factor times
  /// the reference's instructions, in nanoseconds.
  private func measurements(factors: [Double]) throws -> String {
    let made = try #require(try ProfileLibrary.reference().costs[.contextMade, .cpu]).value
    var lines = "scenario,size,cpu_ns,contextMade\n"
    for (number, factor) in factors.enumerated() {
      for size in [1_000, 2_000] { lines += "make \(number),\(size),\(Int(factor * made) * size),\(size)\n" }
    }
    return lines
  }

  @Test func `an unmeasured kind costs the reference value times the class factor`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(try measurements(factors: [3, 3]), to: "phone.csv")
    let output = folder.path + "/phone.yaml"
    try calibrate(["--from", path, "--output", output, "--name", "phone", "--title", "A phone"])
    let profile = try ProfileLibrary.profile(named: output)
    let reference = try ProfileLibrary.reference()
    #expect(profile.title == "A phone")
    for kind in [Work.Kind.contextMade, .cellRead] {
      let ratio = try #require(profile.cost(kind, .cpu)).value / #require(reference.costs[kind, .cpu]).value
      #expect(abs(ratio - 3) < 0.05, "\(kind)")
    }
  }

  @Test func `scenarios that contradict each other are refused without writing a profile`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(try measurements(factors: [1, 9]), to: "phone.csv")
    let output = folder.path + "/phone.yaml"
    let failure = #expect(throws: RunFailure.self) { try calibrate(["--from", path, "--output", output]) }
    #expect(failure?.status == .failed)
    #expect(failure?.message.contains("no profile was written") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["phone.csv"])
    try calibrate(["--from", path, "--output", output, "--classes-only"])
    #expect(try ProfileLibrary.declaration(named: output).costsOf == "reference")
  }

  @Test func `a busy computer gives the factors of classes only if it may, and the command says what was measured`()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = """
      busy() { ulimit -t 300; while :; do :; done; }
      for loop in 1 2 3 4; do busy & loops="$loops $!"; done
      "$@"; status=$?
      kill -9 $loops
      exit $status
      """
    let output = folder.path + "/busy.yaml"
    let outcome = try await Program.run(
      .path("/usr/bin/taskset"),
      ["-c", "0", "/bin/sh", "-c", script, "sh", Program.path] + ["calibrate", "--seconds", "1", "--quiet"]
        + ["--fall-back", "--output", output])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("calibrate: this computer was too busy: the scenarios waited for a core in "))
    #expect(outcome.output.contains("rounds of all scenarios; takes reference costs times this machine's factors"))
    #expect(try ProfileLibrary.declaration(named: output).costsOf == "reference")
  }

  @Test func `measurements of only one scenario are refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(try measurements(factors: [3]), to: "phone.csv")
    let failure = #expect(throws: RunFailure.self) {
      try calibrate(["--from", path, "--output", folder.path + "/phone.yaml"])
    }
    #expect(failure?.status == .badUsage)
    #expect(failure?.message.contains("phone.csv: has one scenario only") == true)
  }

  @Test func `a damaged table or an unwritable profile is refused and leaves no files`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/phone.csv"
    try Data("scenario,size,cpu_ns,commit\na,1,x,1\n".utf8).write(to: URL(fileURLWithPath: path))
    let failure = #expect(throws: RunFailure.self) {
      try calibrate(["--from", path, "--output", folder.path + "/phone.yaml"])
    }
    #expect(failure?.status == .badUsage)
    #expect(failure?.message.contains("phone.csv:2: cpu_ns is not a whole number: x") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["phone.csv"])

    try Data("scenario,size,cpu_ns,commit\na,1,5,1\n".utf8).write(to: URL(fileURLWithPath: path))
    let unwritable = #expect(throws: RunFailure.self) {
      try calibrate(["--from", path, "--output", path + "/below/phone.yaml"])
    }
    #expect(unwritable?.status == .badUsage)
  }
}
