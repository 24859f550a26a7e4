import Foundation
import Metrics
import Reporting
import TestSupport
import Testing
import TrialSupport

/// Tests of stores of the user in the commands that take them.
@Suite(.serialized) struct OwnStoreTests {
  private let shop: ShopStore

  init() throws {
    shop = try ShopStore()
  }

  private var folder: String { shop.folder.path }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(arguments, in: folder)
  }

  static let simulated = ["--machine", "simulated", "--draws", "0"]
  static let live = ["--machine", "live", "--trials", "1", "--idle-seconds", "0", "--warmup", "1"]

  private func start(
    _ store: String, _ arguments: [String] = [], machine: [String] = Self.simulated, output: String = "out"
  ) async throws -> Program.Outcome {
    let workload = [
      "--workload", "items.json", "--model", "Shop.xcdatamodel", "--store", store, "--batch-size", "10",
      "--repeat-limit", "0",
    ]
    return try await Program.run(["run", "--output", output] + workload + machine + arguments, in: folder)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  private func manifest(_ output: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/\(output)/manifest.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test(arguments: [OwnStoreTests.simulated, OwnStoreTests.live])
  func `all stacks start from a store, whose files stay as they are`(machine: [String]) async throws {
    let before = try shop.bytes()
    let outcome = try await start("store/app.sqlite", machine: machine)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try shop.bytes() == before)
    let flags = try #require(try manifest("out")["flags"] as? [String: String])
    #expect(flags["store"] == "store/app.sqlite" && flags["existing-rows"] == "0")
    #expect(try text("out/summary.csv").split(whereSeparator: \.isNewline).count >= 7)
  }

  @Test func `results depend on the store, and not on its path`() async throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/other place", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: shop.path, toPath: "\(folder)/other place/renamed.sqlite")
    try FileManager.default.copyItem(
      atPath: "\(folder)/store/.app_SUPPORT", toPath: "\(folder)/other place/.renamed_SUPPORT")
    let arguments = ["--topology", "worker-merge", "--topology", "three-tier"]
    #expect(try await start("store/app.sqlite", arguments, output: "one").status == 0)
    #expect(try await start("other place/renamed.sqlite", arguments, output: "two").status == 0)
    #expect(try text("one/summary.csv") == text("two/summary.csv"))
    try ShopStore.execute("UPDATE ZITEM SET ZTITLE = 'a longer title' || Z_PK; DELETE FROM ZLOG", in: shop.path)
    #expect(try await start("store/app.sqlite", arguments, output: "three").status == 0)
    #expect(try text("one/summary.csv") != text("three/summary.csv"))
    let compared = try await run("compare", "one", "two")
    #expect(compared.output.contains("--store") || compared.errors.joined().contains("--store"))
    let replay = try #require(try manifest("one")["replay"] as? String)
    #expect(replay.contains("--store store/app.sqlite"))
  }

  @Test func `sweeps and advice start from a store`() async throws {
    let common = ["--model", "Shop.xcdatamodel", "--store", "store/app.sqlite", "--rows", "60"]
    let sweep = try await Program.run(
      [
        "sweep", "--vary", "batch-size=10,20", "--topology", "worker-merge", "--machine", "simulated", "--output",
        "swept",
      ]
        + common, in: folder)
    #expect(sweep.status == 0, "\(sweep.errors)")
    let advice = try await Program.run(
      ["advise", "--priority", "smoothness", "--draws", "2"] + common, in: folder)
    #expect(advice.status == 0, "\(advice.errors)")
  }

  @Test func `an app that dies leaves a store with its rows`() async throws {
    let arguments = ["--kill-at", "40", "--rows", "500", "--topology", "worker-merge", "--topology", "three-tier"]
    let outcome = try await start("store/app.sqlite", arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let records = try ResultsFolder(path: "\(folder)/out").killed()
    #expect(records.count == 2 && records.allSatisfy { $0.consistent == 1 }, "\(records)")
  }

  @Test func `a file that is no store of the model is refused in one line`() async throws {
    try shop.folder.write("", to: "empty.sqlite")
    try shop.folder.write("not a database, but long enough to be one of some kind", to: "text.sqlite")
    try Data(contentsOf: URL(fileURLWithPath: shop.path)).prefix(5_000)
      .write(to: URL(fileURLWithPath: "\(folder)/short.sqlite"))
    try ShopStore.execute("CREATE TABLE T (a)", in: "\(folder)/plain.sqlite")
    try Data(contentsOf: URL(fileURLWithPath: shop.path)).write(to: URL(fileURLWithPath: "\(folder)/later.sqlite"))
    try ShopStore.execute("ALTER TABLE ZITEM ADD COLUMN ZSIZE INTEGER", in: "\(folder)/later.sqlite")
    try shop.folder.write("log", to: "gone.sqlite-wal")
    for (file, sentence) in [
      ("missing.sqlite", "cannot be read"), ("gone.sqlite", "cannot be read"), ("empty.sqlite", "is empty"),
      ("text.sqlite", "is not an SQLite database"), ("short.sqlite", "is damaged"),
      ("plain.sqlite", "but not a store of Core Data"), ("store", "is a folder"),
      ("later.sqlite", "the store's table ZITEM has a column ZSIZE of type INTEGER"),
    ] {
      let outcome = try await start(file)
      #expect(outcome.status == 64 && outcome.errors.count == 1 && outcome.output.isEmpty, "\(file): \(outcome)")
      #expect(outcome.errors.first?.hasPrefix("error: --store \(file): ") == true, "\(outcome.errors)")
      #expect(outcome.errors.first?.contains(sentence) == true, "\(outcome.errors)")
      #expect(shop.folder.contents(of: "out") == nil)
    }
    let flat = try await start("store/app.sqlite", ["--workload", "flat"])
    #expect(flat.status == 64 && flat.errors.count == 1, "\(flat.errors)")
    let alone = try await run("run", "--store", "store/app.sqlite")
    #expect(alone.status == 64)
    #expect(
      alone.errors == ["error: --store store/app.sqlite: needs the model of the app; add --model with its path"])
  }
}

/// A store that Core Data wrote, in the folder that `STACKBENCH_SAMPLES` names.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] != nil, "set STACKBENCH_SAMPLES to run these"))
struct SampleStoreRunTests {
  @Test(arguments: ["simulated", "live"])
  func `all stacks start from a store of Core Data`(machine: String) async throws {
    let folder = try TemporaryFolder()
    let samples = ProcessInfo.processInfo.environment["STACKBENCH_SAMPLES"] ?? ""
    let outcome = try await Program.run(
      [
        "run", "--machine", machine, "--model", "\(samples)/models/coredataplus/SampleModel.xcdatamodeld", "--store",
        "\(samples)/stores/SampleModel_V1.sqlite", "--rows", "600", "--output", "\(folder.path)/out",
      ] + (machine == "live" ? ["--trials", "1", "--idle-seconds", "0", "--repeat-limit", "0"] : ["--draws", "0"]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = "Car (115), ExpensiveSportCar (5), Person (20), SportCar (5)"
    #expect(outcome.errors.contains { $0.contains("the store has the rows of \(rows)") }, "\(outcome.errors)")
  }
}
