import Foundation
import Reporting
import TestSupport
import Testing
import TrialSupport

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of output folders and files: their state after a command, and the paths that commands refuse.
@Suite(.serialized) struct OutputFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Runs a small simulation of one stack with an output folder.
  private func run(to name: String, _ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(Simulator.small + ["--topology", "all-main", "--output", path(name)] + arguments)
  }

  private func kind(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static let files = ["frames.csv", "manifest.json", "stalls.csv", "summary.csv", "trials.csv"]

  // MARK: Paths that are no folders

  @Test(arguments: [("run", S_IFIFO), ("sweep", S_IFLNK), ("gate", S_IFREG), ("validate", S_IFIFO)])
  func `an output path that is no folder is refused and stays unchanged`(command: String, kind: mode_t) async throws {
    switch kind {
    case S_IFIFO: mkfifo(path("target"), 0o600)
    case S_IFLNK: symlink("nowhere", path("target"))
    default: _ = try folder.write("", to: "target")
    }
    let flags = command == "sweep" ? ["--vary", "seed=1,2"] : []
    let baseline = command == "gate" ? ["--record", "--baseline", path("baseline")] : []
    let outcome = try await Program.run([command, "--output", path("target")] + flags + baseline)
    #expect(outcome.status == 64)
    let what = kind == S_IFIFO ? "a FIFO" : kind == S_IFLNK ? "a link whose target does not exist" : "a file"
    #expect(
      outcome.errors == [
        "error: --output \(path("target")): cannot be written: it is \(what); use an existing folder that is writable, "
          + "or one that can be made"
      ])
    #expect(folder.contents(of: ".") == ["target"])
    #expect(self.kind("target") == kind)
  }

  @Test(arguments: ["killed.csv", "trials.csv"])
  func `a folder with the name of a result file is refused and kept`(name: String) async throws {
    try FileManager.default.createDirectory(atPath: path("results/\(name)"), withIntermediateDirectories: true)
    _ = try folder.write("precious", to: "results/\(name)/file")
    let outcome = try await run(to: "results")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: --output \(path("results"))/\(name): cannot be replaced: it is a folder, not a file; move it away, or use "
          + "another folder"
      ])
    #expect(folder.contents(of: "results") == [name])
    #expect(folder.contents(of: "results/\(name)") == ["file"])
  }

  // MARK: Single files

  @Test(arguments: ["report", "sweep", "calibrate"])
  func `writing through a link replaces the target file and keeps the link`(command: String) async throws {
    try writeInputs()
    _ = try folder.write("old", to: "file")
    symlink("file", path("link"))
    let outcome = try await Program.run(arguments(of: command, writing: path("link")))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(kind("link") == S_IFLNK && kind("file") == S_IFREG)
    #expect(try String(contentsOfFile: path("file"), encoding: .utf8).count > 100)
    #expect(folder.contents(of: ".") == ["file", "link", "run"])
  }

  @Test(arguments: ["report", "sweep", "calibrate"])
  func `writing to a FIFO writes the whole file and keeps the FIFO`(command: String) async throws {
    try writeInputs()
    mkfifo(path("fifo"), 0o600)
    let outcome = try await Program.run(
      .path("/bin/sh"),
      ["-c", #"cat "$0" > "$0.read" & "$@"; status=$?; wait; exit $status"#, path("fifo"), Program.path]
        + arguments(of: command, writing: path("fifo")))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(kind("fifo") == S_IFIFO)
    #expect(try String(contentsOfFile: path("fifo.read"), encoding: .utf8).count > 100)
    #expect(folder.contents(of: ".") == ["fifo", "fifo.read", "run"])
  }

  @Test func `a file written to standard output is the only output`() async throws {
    try writeInputs()
    symlink("/proc/self/fd/1", path("link"))
    for command in ["report", "sweep"] {
      let outcome = try await Program.run(arguments(of: command, writing: path("link"), isQuiet: false))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix(command == "report" ? "<!DOCTYPE html>" : "{"))
      #expect(outcome.output.hasSuffix(command == "report" ? "</html>\n" : "}\n"))
    }
    #expect(kind("link") == S_IFLNK)
  }

  /// Writes a run and a small table of measurements.
  private func writeInputs() throws {
    try ComparedResults.write(to: path("run"), trials: 1)
    _ = try folder.write(
      "scenario,size,cpu_ns,contextMade\nfirst,100,50000,100\nsecond,200,100000,200\n", to: "run/measurements.csv")
  }

  private func arguments(of command: String, writing file: String, isQuiet: Bool = true) -> [String] {
    let flags =
      switch command {
      case "report": ["report", path("run"), "--output", file]
      case "sweep": ["sweep", "--vary", "seed=1,2", "--plan", file]
      default: ["calibrate", "--from", path("run/measurements.csv"), "--classes-only", "--output", file]
      }
    return flags + (isQuiet ? ["--quiet"] : [])
  }

  @Test(arguments: ["--output", "--measurements"])
  func `calibrate refuses an unwritable target before measuring`(flag: String) async throws {
    let start = ContinuousClock.now
    let outcome = try await Program.run(
      ["calibrate", "--seconds", "3600", "--output", path("host.yaml"), flag, folder.path])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: \(folder.path): cannot be written: Is a directory; use a file in an existing folder that is writable"
      ])
    #expect(ContinuousClock.now - start < .seconds(600))
    #expect(folder.contents(of: ".") == [])
  }

  // MARK: Two at a time

  @Test func `a second command with the same folder is refused during the first`() async throws {
    let results = path("results")
    // The run lasts a minute and spends most of it waiting for payloads.
    let long = [
      "--rows", "60", "--existing-rows", "0", "--batch-size", "1", "--arrival-interval", "1000", "--idle-seconds", "0",
      "--topology", "all-main",
    ]
    let first = try await Program.run(["run", "--output", results] + long) { process in
      _ = try await Processes.child(of: process, running: "child-trial")
      let said =
        "error: --output \(results): another stackbench command writes there; wait until it has ended, or use another "
        + "folder"
      for arguments in [["run"], ["sweep", "--vary", "seed=1,2"], ["validate"]] {
        let second = try await Program.run(arguments + ["--output", results])
        #expect(second.status == 1 && second.output.isEmpty)
        #expect(second.errors == [said])
      }
      kill(process, SIGINT)
    }
    #expect(first.status == 130)
    #expect(try await run(to: "results").status == 0)
    #expect(folder.contents(of: "results") == Self.files)
  }

  @Test func `trials of one plan can run concurrently in one folder`() async throws {
    let plan = path("plan.jsonl")
    let flags = ["--vary", "seed=1,2", "--topology", "all-main", "--rows", "80", "--existing-rows", "40"]
    #expect(try await Program.run(["sweep", "--plan", plan, "--quiet"] + flags).status == 0)
    async let first = Program.run(["trial", "--plan", plan, "--index", "1"])
    async let second = Program.run(["trial", "--plan", plan, "--index", "2"])
    let statuses = try await [first.status, second.status]
    #expect(statuses == [0, 0])
    #expect(folder.contents(of: ".") == ["plan.jsonl", "trial-000001.json", "trial-000002.json"])
  }

  // MARK: Leftovers

  @Test func `leftovers of killed commands are removed, and other files are kept`() async throws {
    #expect(try await run(to: "results").status == 0)
    for name in [".probe-4711", ".trials.csv.4711.partial", ".stackbench-4711-1.partial"] {
      _ = try folder.write("", to: "results/\(name)")
    }
    _ = try folder.write("own", to: "results/.probe-own")
    // This is the private folder of a run that was killed while it created the folder.
    try FileManager.default.createDirectory(
      atPath: path("results/.stackbench-4711-1"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: path(".results.staged-1"), withIntermediateDirectories: false)
    for name in [".stackbench-staged", "trials.csv"] { _ = try folder.write("", to: ".results.staged-1/\(name)") }
    #expect(try await run(to: "results", "--replace").status == 0)
    #expect(folder.contents(of: ".") == ["results"])
    #expect(folder.contents(of: "results") == [".probe-own"] + Self.files)
  }

  @Test func `a result left by an interrupted move is restored by the next run`() async throws {
    #expect(try await run(to: "before").status == 0)
    #expect(try await run(to: "results").status == 0)
    _ = try folder.write("own", to: "before/notes.txt")
    // The new result has replaced the earlier one, which has not been moved to its dated folder yet.
    rename(path("before"), path(".results.staged-1"))
    _ = try folder.write("", to: "results/.stackbench-staged")
    #expect(try await run(to: "results").status == 0)
    let kept = (folder.contents(of: ".") ?? []).filter { $0.wholeMatch(of: /[0-9-]+/) != nil }
    #expect(kept.count == 2)
    for name in kept { #expect(folder.contents(of: name)?.filter { $0 != "origin.json" } == Self.files) }
    #expect(folder.contents(of: "results") == (Self.files + ["notes.txt"]).sorted())
    #expect(folder.contents(of: ".") == kept + ["results"])
  }

  // MARK: Names

  @Test func `an argument that is not UTF-8 prints one line and writes no files`() async throws {
    let script = #"cd "$1" && shift && exec "$@" "$(printf 'Res\377')""#
    for arguments in [
      Simulator.small + ["--output"], ["report", "--output"], ["show"], ["sweep", "--vary", "seed=1,2", "--plan"],
      ["compare"], ["calibrate", "--from"], ["validate", "--published"], ["gate", "--baseline"],
    ] {
      let outcome = try await Program.run(
        .path("/bin/sh"), ["-c", script, "sh", folder.path, Program.path] + arguments)
      #expect(outcome.status == 64)
      #expect(
        outcome.errors == [
          "error: argument \(arguments.count + 1), Res\\xFF: is not valid UTF-8; use names of files in UTF-8"
        ])
      #expect(folder.contents(of: ".") == [])
    }
  }

  @Test func `a working folder that is not UTF-8 prints one line and writes no files`() async throws {
    let script =
      #"cd "$1" && shift && mkdir "$(printf 'cw\377')" && cd "$(printf 'cw\377')" && "$@"; s=$?; ls -A; exit $s"#
    let outcome = try await Program.run(
      .path("/bin/sh"), ["-c", script, "sh", folder.path, Program.path] + Simulator.small)
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == [
        "error: the working folder \(folder.path)/cw\\xFF: is not valid UTF-8; use one whose path is in UTF-8"
      ])
    #expect(outcome.output.isEmpty)
    unlinkFolder()
  }

  /// Removes a folder whose name is not UTF-8, which Foundation cannot do.
  private func unlinkFolder() {
    rmdir(Array("\(folder.path)/cw".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0])
  }
}
