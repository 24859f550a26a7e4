import CommandShell
import MachineCore
import Testing
import Topologies
import TrialProcesses
import Workloads

@testable import Experiments
@testable import Validation
@testable import stackbench

@Suite struct RunCommandTests {
  @Test func `a run without flags imports the catalog into all six stacks`() throws {
    let experiment = try experiment()
    #expect(experiment.topologies.map(\.title) == Topology.all.map(\.title))
    #expect(experiment.workload.workload == .catalog)
    #expect(experiment.workload.rows == 70_000)
    #expect(experiment.workload.existingRows == 10_000)
    #expect(experiment.workload.batchSize == 2_000)
    #expect(experiment.options.saveEvery == 2_000)
    #expect(experiment.workload.mix == Mix(inserts: 70, updates: 25, deletes: 5))
    #expect(experiment.trials == 5)
    #expect(experiment.options.warmup == 1)
    #expect(experiment.output.hasSuffix("/Results/latest"))
  }

  @Test func `the batch size is at most the rows, and a unit is a batch`() throws {
    let experiment = try experiment("--rows", "300")
    #expect(experiment.workload.batchSize == 300)
    #expect(experiment.options.saveEvery == 300)
  }

  @Test func `a feed has no default rows, no existing rows and only inserts`() throws {
    let experiment = try experiment("--workload", "some/feed.geojson")
    #expect(experiment.workload.workload == .feed(path: "some/feed.geojson"))
    #expect(experiment.workload.rows == nil)
    #expect(experiment.workload.existingRows == 0)
    #expect(experiment.workload.mix == .insertsOnly)
  }

  @Test func `every flag sets its option`() throws {
    let experiment = try experiment(
      "--workload", "flat", "--rows", "500", "--existing-rows", "7", "--batch-size", "100", "--save-every", "20",
      "--lookup", "record", "--mix", "50:40:10", "--arrival-interval", "12.5", "--decode", "import",
      "--view-controllers", "3", "--visible-rows", "0", "--scroll-speed", "200", "--user-edit-interval", "0",
      "--fetch-batch-size", "0", "--properties-to-fetch", "name,amount", "--refresh-rate", "120", "--frame-work", "4",
      "--cell-work", "12.5",
      "--merge-policy", "rollback", "--connection-pool", "1", "--journal-mode", "delete", "--synchronous", "full",
      "--trials", "2", "--warmup", "0", "--seed", "18446744073709551615", "--time-limit", "5", "--idle-seconds", "1",
      "--output", "/x/../y", "--scratch", "/z", "--quiet")
    let options = experiment.options
    #expect(
      experiment.workload
        == WorkloadOptions(
          workload: .flat, rows: 500, existingRows: 7, batchSize: 100,
          mix: Mix(inserts: 50, updates: 40, deletes: 10), lanes: 1, seed: .max))
    #expect(options.saveEvery == 20)
    #expect(options.lookup == .record)
    #expect(options.arrivalInterval == .microseconds(12_500))
    #expect(options.decode == .import)
    #expect(options.viewControllers == 3)
    #expect(options.visibleRows == 0)
    #expect(options.scrollSpeed == 200)
    #expect(options.userEditInterval == .zero)
    #expect(options.fetchBatchSize == 0)
    #expect(options.propertiesToFetch == ["name", "amount"])
    #expect(options.refreshRate == 120)
    #expect(options.frameWork == .milliseconds(4))
    #expect(options.cellWork == TimeSpan(nanoseconds: 12_500))
    #expect(options.mergePolicy == .rollback)
    #expect(options.connectionPool == 1)
    #expect(options.journalMode == "delete")
    #expect(options.synchronous == "full")
    #expect(options.warmup == 0)
    #expect(options.seed == .max)
    #expect(options.timeLimit == .seconds(5))
    #expect(experiment.trials == 2)
    #expect(experiment.idleSeconds == 1)
    #expect(experiment.output == "/y")
    #expect(experiment.scratchParent == "/z")
  }

  @Test func `a stack that is named with and without its variant runs once`() throws {
    let experiment = try experiment(
      "--topology", "worker-merge", "--topology", "worker-merge/automatic", "--merge", "automatic")
    #expect(experiment.topologies.map(\.title) == ["worker-merge/automatic"])
  }

  @Test func `batch inserts have no look-up`() throws {
    let experiment = try experiment("--workload", "flat", "--mix", "100:0:0", "--strategy", "batch-insert")
    #expect(experiment.options.strategy == .batchInsert)
    #expect(experiment.options.lookup == .none)
    #expect(try self.experiment().options.strategy == .objects)
  }

  @Test func `topologies keep their order and occur once`() throws {
    let experiment = try experiment(
      "--topology", "three-tier", "--topology", "worker-merge", "--topology", "worker-merge/notification",
      "--topology", "worker-merge/reset")
    #expect(
      experiment.topologies.map(\.title) == ["three-tier", "worker-merge/notification", "worker-merge/reset"])
  }

  @Test func `all+ stands for the six stacks and their relatives`() throws {
    let experiment = try experiment("--topology", "all+", "--topology", "three-tier")
    #expect(experiment.topologies == Topology.all + Topology.relatives)
    #expect(experiment.topologies.count == 15)
  }

  @Test func `--merge selects the variant of worker-merge among the six stacks`() throws {
    let experiment = try experiment("--merge", "automatic")
    #expect(experiment.topologies.map(\.id) == Topology.all.map(\.id))
    #expect(experiment.topologies.map(\.title).contains("worker-merge/automatic"))
  }

  @Test func `trials alternate between the topologies`() throws {
    let experiment = try experiment("--topology", "all-main", "--topology", "three-tier", "--trials", "2")
    #expect(
      experiment.scheduledTrials.map { "\($0.topology.id) \($0.trial)" } == [
        "all-main 1", "three-tier 1", "all-main 2", "three-tier 2",
      ])
  }

  @Test(arguments: [
    (["--rows", "0"], "--rows 0: out of range; use 1 to 10000000"),
    (["--rows", "-5"], "--rows -5: out of range; use 1 to 10000000"),
    (["--rows", "many"], "--rows many: not a whole number; use 1 to 10000000"),
    (["--rows"], "missing value for '--rows <n>'; see --help"),
    (["--existing-rows", "-1"], "--existing-rows -1: out of range; use 0 to 10000000"),
    (["--batch-size", "0"], "--batch-size 0: out of range; use 1 to 10000000"),
    (["--save-every", "0"], "--save-every 0: out of range; use 1 to 10000000"),
    (["--mix", "50:60:10"], "--mix 50:60:10: the shares must add up to 100, as in 70:25:5"),
    (["--mix", "110:-10:0"], "--mix 110:-10:0: not three whole numbers; use inserts:updates:deletes, as in 70:25:5"),
    (["--mix", "100"], "--mix 100: not three whole numbers; use inserts:updates:deletes, as in 70:25:5"),
    (["--lookup", "some"], "--lookup some: not known; use one of unit, record, none"),
    (["--strategy", "fast"], "--strategy fast: not known; use one of objects, batch-insert"),
    (["--arrival-interval", "-1"], "--arrival-interval -1: not a number of milliseconds; use 0 to 3600000"),
    (["--decode", "main"], "--decode main: not known; use one of network, import"),
    (["--refresh-rate", "0"], "--refresh-rate 0: out of range; use 1 to 1000"),
    (["--refresh-rate", "1001"], "--refresh-rate 1001: out of range; use 1 to 1000"),
    (["--frame-work", "10001"], "--frame-work 10001: out of range; use 0 to 10000 milliseconds"),
    (["--frame-work", "inf"], "--frame-work inf: not a number of milliseconds; use 0 to 10000"),
    (["--cell-work", "100001"], "--cell-work 100001: out of range; use 0 to 100000 microseconds"),
    (["--cell-work", "-1"], "--cell-work -1: not a number of microseconds; use 0 to 100000"),
    (["--scroll-speed", "-1"], "--scroll-speed -1: out of range; use 0 to 1000000"),
    (["--visible-rows", "x"], "--visible-rows x: not a whole number; use 0 to 10000"),
    (["--view-controllers", "101"], "--view-controllers 101: out of range; use 0 to 100"),
    (["--properties-to-fetch", "a,,b"], "--properties-to-fetch a,,b: not a list of different names; use A,B,…"),
    (
      ["--merge-policy", "mine"],
      "--merge-policy mine: not known; use one of error, store-trump, object-trump, overwrite, rollback"
    ),
    (["--connection-pool", "0"], "--connection-pool 0: out of range; use 1 to 64"),
    (
      ["--journal-mode", "fast"],
      "--journal-mode fast: not known; use one of wal, delete, truncate, persist, memory, off"
    ),
    (["--synchronous", "2"], "--synchronous 2: not known; use one of off, normal, full, extra"),
    (["--trials", "0"], "--trials 0: out of range; use 1 to 1000"),
    (["--warmup", "-1"], "--warmup -1: out of range; use 0 to 100"),
    (["--seed", "-1"], "--seed -1: not a seed; use a whole number from 0 to 18446744073709551615"),
    (["--time-limit", "0"], "--time-limit 0: out of range; use 1 to 86400"),
    (["--output", ""], "--output : empty; use the path of a folder"),
    (["--rwos", "3"], "--rwos: unknown flag; did you mean --rows? see --help"),
    (["now"], "unexpected argument 'now'; see --help"),
  ])
  func `an invalid value is refused with a hint`(
    arguments: [String], expected: String
  ) {
    #expect(refusal(arguments) == expected)
  }

  @Test(arguments: [
    (
      ["--save-every", "500", "--batch-size", "100"],
      "--save-every 500: over the batch size of 100; use 1 to 100, or a larger --batch-size"
    ),
    (
      ["--rows", "50", "--save-every", "100"],
      "--save-every 100: over the batch size of 50; use 1 to 50, or a larger --batch-size"
    ),
    (
      ["--strategy", "batch-insert", "--mix", "100:0:0"],
      "--strategy batch-insert: batch inserts cannot set the links of --workload catalog; "
        + "use --workload flat or a feed"
    ),
    (
      ["--strategy", "batch-insert", "--workload", "flat"],
      "--strategy batch-insert: batch inserts cannot apply the updates and deletes of --mix 70:25:5; use --mix 100:0:0"
    ),
    (
      ["--strategy", "batch-insert", "--workload", "flat", "--mix", "100:0:0", "--lookup", "record"],
      "--strategy batch-insert: batch inserts do not look up records; leave --lookup record out"
    ),
    (
      ["--lookup", "none"],
      "--lookup none: blind inserts cannot apply the updates and deletes of --mix 70:25:5; "
        + "use --mix 100:0:0 or another look-up"
    ),
    (
      ["--mix", "0:100:0", "--existing-rows", "0"],
      "--mix 0:100:0: without inserts there is nothing to update or delete; "
        + "use 1 or more existing rows, or insert some"
    ),
    (
      ["--merge", "reset", "--topology", "all-main"],
      "--merge reset: concerns worker-merge only; add --topology worker-merge"
    ),
    (
      ["--merge", "reset", "--topology", "worker-merge/automatic"],
      "--merge reset: contradicts --topology worker-merge/automatic; use one of the two"
    ),
    (["--merge", "now"], "--merge now: not known; use one of notification, automatic, reset, none"),
    (
      ["--workload", "feed.xml"],
      "--workload feed.xml: not a workload; use catalog, catalog-reorder, flat or a feed ending in .json, .jsonl, .ndjson or .geojson"
    ),
    (
      ["--concurrent-imports", "65"], "--concurrent-imports 65: out of range; use 1 to 64"
    ),
    (
      ["--overlap", "20"],
      "--overlap 20: one import shares its keys with no other; use 0, or 2 or more concurrent imports"
    ),
    (["--overlap", "101", "--concurrent-imports", "2"], "--overlap 101: out of range; use 0 to 100"),
    (
      ["--overlap", "20", "--concurrent-imports", "2", "--kill-at", "100"],
      "--overlap 20: the losses of an app that dies cannot be attributed to imports that share rows; use 0, or leave "
        + "--kill-at 100 out"
    ),
    (
      ["--topology", "pooled-children", "--kill-at", "100"],
      "--kill-at 100: pooled-children may overwrite a row with the values of an earlier payload, which looks like a loss; "
        + "use another stack, or leave --kill-at 100 out"
    ),
    (
      ["--store-save", "at-end"],
      "--store-save at-end: all-main has no root that saves to the store by itself; "
        + "use --topology reversed-parent or three-tier, or immediate"
    ),
    (
      ["--store-save", "every:1.5", "--topology", "three-tier", "--topology", "child-of-main"],
      "--store-save every:1.5: child-of-main has no root that saves to the store by itself; "
        + "use --topology reversed-parent or three-tier, or immediate"
    ),
    (["--kill-at", "soon"], "--kill-at soon: not a number of milliseconds; use 0 to 3600000"),
    (["--kill-at", "-1"], "--kill-at -1: not a number of milliseconds; use 0 to 3600000"),
    (
      ["--kill-at", "2000", "--time-limit", "2"],
      "--kill-at 2000: not less than the time limit of 2 s; use less, or a larger --time-limit"
    ),
    (
      ["--file-fault", "writes:3"],
      "--file-fault writes:3: not known; did you mean write? use one of write, torn-write, lost-write, full, read-only, "
        + "sync, open, read, truncate, delete, power-cut"
    ),
    (["--file-fault", "write"], "--file-fault write: has no number of a call; use write:N with 1 to 1000000000"),
    (["--file-fault", "write:0"], "--file-fault write:0: has no number of a call; use write:N with 1 to 1000000000"),
    (
      ["--file-fault", "sync:2", "--topology", "pooled-children"],
      "--file-fault sync:2: pooled-children may overwrite a row with the values of an earlier payload, which looks like a "
        + "loss; use another stack, or leave --file-fault sync:2 out"
    ),
    (
      ["--file-fault", "write:3", "--kill-at", "4"],
      "--file-fault write:3: the app may die before the fault occurs; leave it out, or --kill-at 4"
    ),
    (["--in-flight", "ignore"], "--in-flight ignore: not known; use one of off, none, modal, lock, validate"),
    (
      ["--in-flight", "lock", "--kill-at", "500"],
      "--in-flight lock: the losses of an app that dies do not include computations; use off, or leave --kill-at 500 out"
    ),
    (
      ["--in-flight", "none", "--view-controllers", "0"],
      "--in-flight none: the user deletes on a screen; use off, or --view-controllers of 1 or more"
    ),
    (["--store-save", "later"], "--store-save later: not known; use immediate, every:MS, idle:MS or at-end"),
    (["--store-save", "every"], "--store-save every: not known; use immediate, every:MS, idle:MS or at-end"),
    (["--store-save", "idle:0"], "--store-save idle:0: zero; use immediate"),
    (
      ["--store-save", "idle:soon"],
      "--store-save idle:soon: not a number of milliseconds; use 0 to 3600000"
    ),
    (["--profile", "host"], "--profile host: concerns simulated devices only; add --machine simulated"),
    (["--draws", "3"], "--draws 3: concerns simulated devices only; add --machine simulated"),
    (["--schedule-seed", "1"], "--schedule-seed 1: concerns simulated devices only; add --machine simulated"),
    (
      ["--check-determinism", "--machine", "live"],
      "--check-determinism: concerns simulated devices only; add --machine simulated"
    ),
    (
      ["--take-turns", "--machine", "simulated"],
      "--take-turns: not needed for simulations, which do not disturb each other; use it with --machine live"
    ),
    (["--format", "yaml"], "--format yaml: not known; use one of text, json, csv, markdown"),
  ])
  func `flags that contradict each other are refused with a hint`(arguments: [String], expected: String) {
    #expect(refusal(arguments) == expected)
  }

  @Test(arguments: ["six", "all-main/reset", "stack.json"])
  func `an unknown topology is refused with a list`(name: String) throws {
    let line = try #require(refusal(["--topology", name]))
    #expect(line.hasPrefix("--topology \(name): not known; use all, all+ or one of "))
    for topology in Topology.known { #expect(line.contains(topology.title)) }
  }

  @Test func `an unknown variant is refused with the variants of its stack`() {
    #expect(
      refusal(["--topology", "reversed-parent/push"])
        == "--topology reversed-parent/push: not known; use one of reversed-parent/root, reversed-parent/child, "
        + "reversed-parent/restkit")
  }

  private func experiment(_ arguments: String...) throws -> Experiment {
    try RunCommand.parse(arguments).experiment()
  }

  /// Returns the line that the program prints after `error: `, or nil if the arguments are valid.
  private func refusal(_ arguments: [String]) -> String? {
    do {
      let command = try Stackbench.parseAsRoot(["run"] + arguments)
      _ = try (command as? RunCommand)?.experiment()
      return nil
    } catch {
      return (error as? RunFailure ?? CommandLineRun.failure(parsing: error, Stackbench.self)).message
    }
  }
}
