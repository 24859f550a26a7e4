import Foundation
import Glibc
import MachineCore
import MachineSimulated
import Metrics
import Testing

@testable import stackbench

struct CalibrateCommandTests {
  private func calibrate(_ arguments: [String]) throws {
    let command = try CalibrateCommand.parse(arguments + ["--quiet"])
    try command.run()
  }

  @Test func `an interrupt ends a calibration with 130 and leaves nothing behind`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let outcome = try await Program.run(["calibrate", "--seconds", "600", "--output", "\(path)/mine.yaml"]) { process in
      // Its scratch folder appears once there is something to clean up.
      while try FileManager.default.contentsOfDirectory(atPath: path).isEmpty { await Task.yield() }
      kill(process, SIGINT)
    }
    #expect(outcome.status == 130)
    #expect(outcome.errors == ["error: interrupted; no result was written"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
  }

  @Test func `one round on this computer writes a complete profile that loads, and its measurements`() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/mine.yaml"
    let table = folder.path + "/mine.csv"
    try calibrate(["--output", output, "--measurements", table, "--seconds", "1", "--name", "mine"])
    let declaration = try ProfileLibrary.declaration(named: output)
    #expect(declaration.name == "mine")
    #expect(declaration.costsOf == nil)
    for kind in Work.Kind.allCases {
      for component in kind.costComponents {
        let constant = try #require(declaration.costs[kind, component], "\(kind) \(component)")
        #expect(constant.low <= constant.value && constant.value <= constant.high)
      }
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(found == ["mine.csv", "mine.yaml"])
    _ = try ProfileLibrary.profile(named: output)

    // The same measurements give the same constants.
    let again = folder.path + "/again.yaml"
    try calibrate(["--from", table, "--output", again])
    let second = try ProfileLibrary.profile(named: again)
    #expect(second.prices[.recordDecoded, .cpuPerByte]?.constant.value ?? 0 > 0)
  }

  @Test func `a kind that was measured nowhere costs what the reference says, at the ratio of the others`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/phone.csv"
    let reference = try ProfileLibrary.reference()
    let made = try #require(reference.costs[.contextMade, .cpu]).value
    var lines = "scenario,size,cpu_ns,contextMade\n"
    for size in [1_000, 2_000, 4_000] { lines += "make,\(size),\(Int(3 * made) * size),\(size)\n" }
    try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
    let output = folder.path + "/phone.yaml"
    try calibrate(["--from", path, "--output", output, "--name", "phone", "--title", "A phone"])
    let profile = try ProfileLibrary.profile(named: output)
    #expect(profile.title == "A phone")
    let ratio = try #require(profile.cost(.contextMade, .cpu)).value / made
    #expect(abs(ratio - 3) < 0.05)
    let cell = try #require(profile.cost(.cellRead, .cpu)).value / #require(reference.costs[.cellRead, .cpu]).value
    #expect(abs(cell - 3) < 0.05)
  }

  @Test func `a profile that cannot be written is bad usage, and a damaged table leaves nothing behind`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/phone.csv"
    try Data("scenario,size,cpu_ns,commit\na,1,x,1\n".utf8).write(to: URL(fileURLWithPath: path))
    let failure = #expect(throws: CommandFailure.self) {
      try calibrate(["--from", path, "--output", folder.path + "/phone.yaml"])
    }
    #expect(failure?.status == .badUsage)
    #expect(failure?.message.contains("phone.csv:2: cpu_ns is not a whole number: x") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["phone.csv"])

    try Data("scenario,size,cpu_ns,commit\na,1,5,1\n".utf8).write(to: URL(fileURLWithPath: path))
    let unwritable = #expect(throws: CommandFailure.self) {
      try calibrate(["--from", path, "--output", path + "/below/phone.yaml"])
    }
    #expect(unwritable?.status == .badUsage)
  }
}
