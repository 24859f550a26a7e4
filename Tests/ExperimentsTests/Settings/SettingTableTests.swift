import Foundation
import Reporting
import Testing
import TrialProcesses

@testable import Experiments

/// Tests of a setting that only this file declares, and of everything that is derived from the declaration.
@Suite struct SettingTableTests {
  /// A setting for a field that has no flag in other code.
  private static let panelRows = Setting<Int>(
    "panel-rows", .integer(1...50), in: .screens, role: .wiring, target: \.firstDraw, help: "Rows on a side panel.")

  private static let table = SettingTable(SettingTable.standard.settings + [AnySetting(panelRows)])

  private func experiment(_ arguments: String...) throws -> Experiment {
    try RunRequest(arguments: arguments, Self.table).experiment(Self.table)
  }

  @Test func `the manifest records a setting, and printed commands repeat the flag`() throws {
    let experiment = try experiment("--panel-rows", "7", "--machine", "simulated")
    let flags = Self.table.recorded(experiment)
    #expect(flags["panel-rows"] == "7")
    let replay = PrintedCommand(repeating: flags, Self.table.roles(.standard)).text
    #expect(replay.contains(" --panel-rows 7 "))
    let request = try RunRequest(arguments: ["--panel-rows", "7"], Self.table)
    #expect(request.command("stackbench run", table: Self.table) == "stackbench run --panel-rows 7")
  }

  @Test func `a sweep varies a setting`() throws {
    let plan = try SweepPlan(
      varying: [VariedSetting(argument: "panel-rows=3,4")],
      common: RunRequest(arguments: ["--topology", "all-main"], Self.table), Self.table)
    #expect(plan.trials.map { $0.varied.map(\.value) } == [["3"], ["4"]])
    #expect(plan.trials[1].arguments.contains("--panel-rows=4"))
    let failure = #expect(throws: RunFailure.self) {
      try SweepPlan(varying: [VariedSetting(argument: "panel-rows=99")], common: RunRequest(), Self.table)
    }
    #expect(failure?.message == "--panel-rows 99: out of range; use 1 to 50")
  }

  @Test func `the gate's runs and advice accept a setting`() throws {
    let plan = try GatePlan(yaml: "runs:\n  panel: --panel-rows 9\n", place: "gate.yaml", Self.table)
    #expect(try plan.runs[0].experiment(output: "/x", Self.table).trials == 1)
    #expect(plan.runs[0].request[Self.panelRows] == 9)
    let request = try RunRequest(arguments: ["--panel-rows=9"], Self.table)
    #expect(try request.adviceExperiment(Self.table).firstDraw == 9)
  }

  @Test func `the difference of two manifests has the role of a setting`() throws {
    func manifest() throws -> Manifest {
      Results(
        experiment: try experiment(), words: .standard, fileSystem: "", records: [], draws: [], killed: [],
        start: Date(), end: Date()
      ).manifest
    }
    var first = try manifest()
    var second = first
    first.flags = Self.table.recorded(try experiment("--panel-rows", "7"))
    second.flags = Self.table.recorded(try experiment("--panel-rows", "8"))
    let differences = ManifestDifference.between(first, and: second, roles: Self.table.roles(.standard))
    #expect(differences.map(\.description) == ["--panel-rows: 7, then 8"])
    #expect(differences.map(\.kind) == [.setting(.wiring)])
  }

  @Test func `a flag in place of a number is refused`() {
    let failure = #expect(throws: RunFailure.self) {
      try RunRequest(arguments: ["--panel-rows", "--rows"], Self.table)
    }
    #expect(failure?.message == "--panel-rows --rows: not a whole number; use 1 to 50")
  }
}

// MARK: - The table

extension SettingTableTests {
  /// Values that differ from the defaults. The value of settings that are missing here is 1.
  private static let texts = [
    "topology": ["three-tier", "all"], "merge": ["reset"], "machine": ["simulated"], "profile": ["iphone-6s"],
    "schedule-seed": ["3"], "draws-within": ["2.5"], "workload": ["flat", "a b/feed.json"], "lookup": ["record"],
    "strategy": ["batch-insert"], "mix": ["50:40:10"], "arrival-interval": ["12.5"], "decode": ["import"],
    "properties-to-fetch": ["name,amount"], "frame-work": ["0.25"], "cell-work": ["12.5"], "kill-at": ["7"],
    "merge-policy": ["rollback"], "store-save": ["every:1.5", "at-end"], "in-flight": ["lock"], "journal-mode": ["off"],
    "synchronous": ["full"], "seed": ["18446744073709551615"], "user-edit-interval": ["0"], "view-controllers": ["2"],
    "trials": ["2"], "concurrent-imports": ["2"], "warmup": ["2"], "model": ["a b/Shop.xcdatamodeld"],
    "model-version": ["Shop 2"], "map": [#"{"records": "Item"}"#], "on-bad-record": ["skip"],
    "max-record-bytes": ["65536"], "edit-rows": ["30"], "store": ["a b/app.sqlite"],
    "existing-rows": ["1", "full", "Supplier=1,Price=20"], "list": ["Price"], "list-sort": ["-amount,name"],
    "list-where": ["amount > 2 and name != \"it\""], "list-prefetch": ["product"], "list-cells": ["name,product.name"],
    "open-screens": ["at-first-payload"], "file-fault": ["torn-write:12", "power-cut:7"],
  ]

  @Test func `the text of each setting round-trips`() throws {
    for setting in SettingTable.standard.settings where !setting.isSwitch {
      for text in Self.texts[setting.name] ?? ["1"] {
        #expect(try setting.read(text).text == text, "\(setting.name)")
        let request = try RunRequest(arguments: ["--\(setting.name)", text])
        #expect(try RunRequest(arguments: request.arguments()) == request, "\(setting.name)")
      }
    }
  }

  @Test func `a file of settings gives each setting the value that its flag gives`() throws {
    for setting in SettingTable.standard.settings {
      for text in setting.isSwitch ? [""] : Self.texts[setting.name] ?? ["1"] {
        let flag = setting.isSwitch ? "--\(setting.name)" : "--\(setting.name)=\(text)"
        let value = setting.isSwitch ? "true" : "'\(text)'"
        let request = try RunRequest(arguments: [flag])
        for line in ["\(setting.name): \(value)"] + (setting.isRepeatable ? ["\(setting.name): [\(value)]"] : []) {
          let file = try SettingsFile(text: "\(line)\n", place: SettingsFile.name)
          #expect(file.request == request, "\(line)")
          #expect(file.names == [setting.name], "\(line)")
        }
      }
    }
  }

  @Test func `each setting changes the run`() throws {
    // Some settings are valid only together with another one.
    let needed = [
      "store-save": "--topology=three-tier", "strategy": "--mix=100:0:0", "lookup": "--mix=100:0:0",
      "save-every": "--batch-size=2", "overlap": "--concurrent-imports=2", "list-sort": "--list=Price",
      "list-where": "--list=Price", "list-prefetch": "--list=Price", "list-cells": "--list=Price",
      "pool-size": "--topology=pooled-children",
    ]
    let alsoNeeded = ["strategy": "--workload=flat", "map": "--workload=a.json", "store": "--model=Shop.xcdatamodeld"]
    func encoded(_ arguments: [String]) throws -> Data {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(RunRequest(arguments: arguments).experiment())
    }
    for setting in SettingTable.standard.settings {
      let text = (Self.texts[setting.name] ?? ["1"])[0]
      let others =
        (setting.machine.map { ["--machine=\($0)"] } ?? [])
        + [needed[setting.name], alsoNeeded[setting.name]].compactMap(\.self)
      let flag = setting.isSwitch ? "--\(setting.name)" : "--\(setting.name)=\(text)"
      #expect(try encoded(others + [flag]) != encoded(others), "\(setting.name)")
    }
  }

  @Test func `setting names are unique and include every name of the manifest`() {
    let names = SettingTable.standard.settings.map(\.name)
    #expect(Set(names).count == names.count)
    for name in Manifest.SettingName.allCases { #expect(names.contains(name.rawValue), "\(name)") }
  }
}
