import ContextEngine
import Harness
import InputFiles
import MachineCore
import Topologies
import TrialProcesses
import Workloads

/// The settings of a run, each declared once, in the order in which `--help` lists them.
///
/// To add a setting, add a property here. A setting that fills in a field of ``Experiment`` needs no other code.
package struct RunSettings: Sendable {
  package static let all = RunSettings()

  private static let longestMilliseconds = 3_600_000
  private static let journalModes = ["wal", "delete", "truncate", "persist", "memory", "off"]
  private static let synchronousModes = ["off", "normal", "full", "extra"]

  // MARK: Stacks

  package let topology = Setting<[StackChoice]>(
    "topology", .stacks, in: .stacks, role: .stacks, standard: .words("all"),
    recorded: { .some($0.topologies.map { .named($0.title) }) },
    help: "A stack, 'all' for the six, 'all+' for their relatives too, or a file that describes a stack; repeatable. "
      + "'stackbench topologies' lists the stacks and prints one as such a file.")

  package let merge = Setting<String>(
    "merge", .name(of: StackNames.variants(of: StackNames.merging), placeholder: "name"), in: .stacks, role: .wiring,
    standard: .none,
    help:
      "The way in which worker-merge brings a save to the screen: short for --topology worker-merge/NAME.",
    discussion: "notification, automatic, reset or none.")

  // MARK: Machine

  package let machine = Setting<MachineKind>(
    "machine", .name(placeholder: "name"), in: .machine, uses: [.variation],
    standard: .words(Experiment.standardMachine.rawValue), recorded: { .some($0.machine) },
    help: "The machine of the trials: live (real threads, real time) or simulated (virtual time on a device's profile)."
  )

  package let profile = Setting<String>(
    "profile", .nameOrPath(placeholder: "name|file.yaml", names: ProfileLibrary.shippedNames), in: .machine,
    role: .device, uses: [.variation, .gate, .advice], machine: .simulated,
    standard: .words(ProfileLibrary.standardName),
    recorded: { experiment in
      experiment.simulation.map { .some(experiment.profileArgument ?? $0.profile.name) } ?? nil
    }, help: "The simulated device; 'stackbench profiles' lists them.")

  package let scheduleSeed = Setting<UInt64>(
    "schedule-seed", .seed, in: .machine, uses: [.variation, .gate, .advice], machine: .simulated,
    standard: .words("first come, first served"), recorded: { $0.simulation.map(\.scheduleSeed) },
    help: "Shuffles equal instants of different simulated threads.")

  package let draws = Setting<Int>(
    "draws", .integer(0...10_000), in: .machine, role: .draws, uses: [.variation], machine: .simulated,
    standard: .words("\(Experiment.standardDraws)"),
    recorded: { experiment in experiment.simulation.map { _ in experiment.draws } },
    help:
      "Simulates that many devices drawn from the profile's ranges, the same for every stack, and prints the median of "
      + "each measure over them; 0 simulates one device exactly as the profile says.")

  package let drawsWithin = Setting<Double>(
    "draws-within", .percent, in: .machine, uses: [.variation], machine: .simulated,
    standard: .words("the profile's ranges"),
    recorded: { $0.simulation.map(\.drawPercent) },
    help:
      "Draws devices within that many per cent of the profile's values in place of its ranges, to show the effect of "
      + "chance alone.")

  package let trace = Setting<Bool>(
    "trace", .isPresent, in: .machine, uses: .none, standard: .none,
    help: "Write the first trial of each stack for Perfetto: trace.json.")

  package let checkDeterminism = Setting<Bool>(
    "check-determinism", .isPresent, in: .machine, uses: .none, machine: .simulated, standard: .none,
    help: "Simulate the run twice more, in other processes, and fail unless all results have the same bytes.")

  // MARK: Workload

  package let workload = Setting<Workload>(
    "workload", .workload, in: .workload, uses: .allAndCode, target: \.workload.workload,
    help: "catalog (three linked entities), catalog-reorder (its updates change the sort key), flat (one entity), or a "
      + "feed: .json, .jsonl, .ndjson, .geojson.")

  package let model = Setting<String>(
    "model", .path(placeholder: "path"), in: .workload, uses: .allAndCode, standard: .words("the workload's own"),
    optionalTarget: \.workload.model,
    help: "The model whose entities the records fill: an .xcdatamodeld or .xcdatamodel folder, or its contents file. "
      + "Without a feed, rows are generated for it.")

  package let modelVersion = Setting<String>(
    "model-version", .name(placeholder: "name"), in: .workload, uses: .allAndCode, standard: .words("the current one"),
    optionalTarget: \.workload.modelVersion, help: "The version of the model.")

  package let store = Setting<String>(
    "store", .path(placeholder: "file.sqlite"), in: .workload, standard: .words("an empty store"),
    optionalTarget: \.workload.store,
    help: "A store of the app, from whose copy each trial starts. It must belong to the version of the model that "
      + "--model names.")

  package let map = Setting<FeedMap>(
    "map", .feedMap, in: .workload, uses: .allAndCode, standard: .words("inferred"), optionalTarget: \.workload.map,
    help: "A file with the properties that the members of a feed's records set, where they differ from the inferred "
      + "ones. 'stackbench inspect' writes one with --write-map.")

  package let onBadRecord = Setting<BadRecordPolicy>(
    "on-bad-record", .name(placeholder: "skip|fail"), in: .workload, target: \.workload.onBadRecord,
    help: "What happens to a record of a feed that does not fit its entity: it is left out and counted, or the run is "
      + "refused.")

  package let maxRecordBytes = Setting<Int>(
    "max-record-bytes", .integer(1_024...1 << 29), in: .workload, uses: .allAndCode,
    target: \.workload.maxRecordBytes,
    help: "The size of a feed's largest record. A larger one is refused at its place in the file.")

  package let rows = Setting<Int>(
    "rows", .integer(1...WorkloadOptions.largestRowCount), in: .workload, standard: .targetWith("; a feed's own size"),
    optionalTarget: \.workload.rows, help: "Records imported.")

  package let existingRows = Setting<ExistingRows>(
    "existing-rows", .existingRows, in: .workload,
    standard: .targetWith("; 0 with a feed or a store"), target: \.workload.existingRows,
    help: "Rows that are made before the first payload, and on screen then: a number, spread over the entities, or a "
      + "number for each of some entities, as in Track=130000,Album=251. With --store, they are added to its rows. "
      + "With a feed, they have the keys of its first records and other values; 'full' is as many as it has records.")

  package let batchSize = Setting<Int>(
    "batch-size", .integer(1...WorkloadOptions.largestRowCount), in: .workload, uses: .allAndCode,
    standard: .targetWith(", at most the rows"), target: \.workload.batchSize,
    help: "Records per payload, one delivery from the network.")

  package let saveEvery = Setting<Int>(
    "save-every", .integer(1...WorkloadOptions.largestRowCount), in: .workload, role: .wiring, uses: .allAndCode,
    standard: .words("the batch size"), target: \.options.saveEvery,
    help: "Records per unit: one fetch, one set of changes, one save; at most the batch size.")

  package let lookup = Setting<RunOptions.Lookup>(
    "lookup", .name(placeholder: "unit|record|none"), in: .workload, role: .wiring, uses: .allAndCode,
    target: \.options.lookup,
    help: "The fetches that find updated objects: one per unit, one per record, or none (blind inserts, only with "
      + "--mix 100:0:0).")

  package let strategy = Setting<RunOptions.Strategy>(
    "strategy", .name(placeholder: "objects|batch-insert"), in: .workload, role: .wiring, uses: .allAndCode,
    target: \.options.strategy,
    help:
      "The way to write records: as objects of the import's context, or by batch inserts past all contexts, whose IDs "
      + "are then merged from the root to the UI (only workloads without links, with --mix 100:0:0).")

  package let mix = Setting<Mix>(
    "mix", .mix, in: .workload, uses: .allAndCode, standard: .targetWith("; \(Mix.insertsOnly) with a feed"),
    target: \.workload.mix,
    help: "Inserts, updates and deletes in per cent.")

  package let arrivalInterval = Setting<TimeSpan>(
    "arrival-interval", .milliseconds(upTo: longestMilliseconds), in: .workload, target: \.options.arrivalInterval,
    help: "Milliseconds between payloads; 0 = the next arrives when the last is saved.")

  package let decode = Setting<Topology.DecodePlace>(
    "decode", .name(placeholder: "network|import"), in: .workload, role: .wiring, uses: .allAndCode,
    standard: .words("network; import in all-main"), optionalTarget: \.options.decode,
    help: "The place where JSON is parsed: on the network queue or inside the import block.")

  package let concurrentImports = Setting<Int>(
    "concurrent-imports", .integer(1...WorkloadOptions.largestLaneCount), in: .workload, uses: .allAndCode,
    target: \.options.lanes,
    help: "The number of imports that run at the same time. Each imports the payloads of a separate lane.")

  package let overlap = Setting<Int>(
    "overlap", .integer(0...100, placeholder: "percent"), in: .workload, target: \.workload.overlap,
    help: "Per cent of each import's records whose rows the other imports insert and update too; needs "
      + "--concurrent-imports of 2 or more.")

  // MARK: Screens

  package let viewControllers = Setting<Int>(
    "view-controllers", .integer(0...100), in: .screens, target: \.options.viewControllers,
    help: "Screens, each with a fetched results controller.")

  package let list = Setting<String>(
    "list", .name(placeholder: "entity"), in: .screens, standard: .words("the entities in turn"),
    optionalTarget: \.workload.list.entity, help: "The entity whose rows every screen lists.")

  package let listSort = Setting<[ListSort]>(
    "list-sort", .listSort, in: .screens, standard: .words("a title, then the key"),
    optionalTarget: \.workload.list.sort,
    help: "The attributes by which the list is sorted; a hyphen stands before a descending one, as in -date,name.")

  package let listWhere = Setting<ListCondition>(
    "list-where", .listCondition, in: .screens, standard: .words("all rows"),
    optionalTarget: \.workload.list.condition,
    help: "The condition on the rows of the list, as in \"rating >= 3 and genre == 'Jazz'\".")

  package let listPrefetch = Setting<[String]>(
    "list-prefetch", .names, in: .screens, role: .wiring, standard: .words("none"),
    optionalTarget: \.workload.list.prefetched,
    help: "The relationships that the list's fetch prefetches. A fetch with batches ignores them, so that they need "
      + "--fetch-batch-size 0.")

  package let listCells = Setting<[String]>(
    "list-cells", .names, in: .screens, standard: .words("a title and a number or date"),
    optionalTarget: \.workload.list.cells,
    help: "The attributes that a cell shows, also those of to-one relationships, as in title,album.title.")

  package let visibleRows = Setting<Int>(
    "visible-rows", .integer(0...10_000), in: .screens, target: \.options.visibleRows, help: "Rows on a screen.")

  package let openScreens = Setting<RunOptions.ScreenOpening>(
    "open-screens", .name(placeholder: "before|at-first-payload"), in: .screens, target: \.options.openScreens,
    help: "The time at which screens open and fetch their lists: before the measured window, or at the arrival of the "
      + "first payload, so that frames and hitches include the first fetch.")

  package let scrollSpeed = Setting<Int>(
    "scroll-speed", .integer(0...1_000_000, placeholder: "rows"), in: .screens, target: \.options.scrollSpeed,
    help: "Rows per second that the first screen scrolls.")

  package let userEditInterval = Setting<TimeSpan>(
    "user-edit-interval", .milliseconds(upTo: longestMilliseconds), in: .screens, target: \.options.userEditInterval,
    help: "Milliseconds between the user's edits; 0 = no edits.")

  package let editRows = Setting<Int>(
    "edit-rows", .integer(1...1_000_000), in: .screens, target: \.options.editRows,
    help: "Rows that each edit changes and saves at once, from the topmost visible one on.")

  package let fetchBatchSize = Setting<Int>(
    "fetch-batch-size", .integer(0...1_000_000), in: .screens, role: .wiring, uses: .allAndCode,
    target: \.options.fetchBatchSize,
    help: "Rows per batch of a screen's fetch; 0 = no batching.")

  package let propertiesToFetch = Setting<[String]>(
    "properties-to-fetch", .names, in: .screens, role: .wiring, uses: .allAndCode,
    standard: .words("what is shown in per-view-controller, all elsewhere"),
    optionalTarget: \.options.propertiesToFetch, help: "The properties that a screen's fetch reads.")

  package let refreshRate = Setting<Int>(
    "refresh-rate", .integer(1...1_000, placeholder: "hz"), in: .screens, standard: .profile,
    target: \.options.refreshRate, help: "Ticks per second.")

  package let frameWork = Setting<TimeSpan>(
    "frame-work", .milliseconds(upTo: 10_000), in: .screens, target: \.options.frameWork,
    help: "Milliseconds of CPU that a frame takes in addition to reading its cells.")

  package let cellWork = Setting<TimeSpan>(
    "cell-work", .microseconds(upTo: 100_000), in: .screens, target: \.options.cellWork,
    help:
      "Microseconds of CPU that a frame takes in addition for each cell. It counts --visible-rows cells on each screen, "
      + "however short its list is.")

  // MARK: Contexts and store

  package let mergePolicy = Setting<MergePolicy>(
    "merge-policy", .name(placeholder: "name"), in: .store, role: .wiring, uses: .allAndCode,
    target: \.options.mergePolicy,
    help: "The merge policy of every context on a coordinator: error, store-trump, object-trump, overwrite, "
      + "rollback.")

  package let storeSave = Setting<StoreSave>(
    "store-save", .storeSave, in: .store, role: .wiring, uses: .allAndCode, target: \.options.storeSave,
    help: "The time at which a root saves to the store. Only reversed-parent and three-tier have such a root.",
    discussion: "immediate: after every push and unit; every:MS: that long after the first unsaved change; "
      + "idle:MS: once nothing has been pushed for that long; at-end: when the import has ended. Any but immediate is refused if one "
      + "of the stacks has no such root, so name the stacks with --topology.")

  package let inFlight = Setting<RunOptions.InFlight>(
    "in-flight", .name(placeholder: "policy"), in: .store, role: .wiring, target: \.options.inFlight,
    help:
      "Computations in the background whose input the user deletes, under a policy: off, none, modal, lock, validate.",
    discussion: "off: no computations; none: the result is applied all the same; modal: the user can change nothing "
      + "until a computation ends; lock: the user waits until the input is unlocked, and every second time cancels; "
      + "validate: the input is fetched again, and the result is discarded if it has changed. Any but off is refused "
      + "with --kill-at, --store and --view-controllers 0.")

  package let poolSize = Setting<Int>(
    "pool-size", .integer(1...64), in: .store, role: .wiring, uses: .allAndCode,
    standard: .words("3 in pooled-children"), optionalTarget: \.options.poolSize,
    help: "The contexts of the pool from which payloads take theirs in turn, in stacks that have one.")

  package let connectionPool = Setting<Int>(
    "connection-pool", .integer(1...64), in: .store, role: .wiring, uses: .allAndCode, standard: .profile,
    target: \.options.connectionPool,
    help: "The coordinator's connections; 1 = a serial coordinator, as before iOS 10.")

  package let journalMode = Setting<String>(
    "journal-mode", .name(of: journalModes, placeholder: "mode"), in: .store, role: .wiring, uses: .allAndCode,
    standard: .profile,
    target: \.options.journalMode, help: "SQLite's journal mode: wal, delete, truncate, persist, memory or off.")

  package let synchronous = Setting<String>(
    "synchronous", .name(of: synchronousModes, placeholder: "mode"), in: .store, role: .wiring, uses: .allAndCode,
    standard: .profile,
    target: \.options.synchronous, help: "SQLite's synchronous mode: off, normal, full or extra.")

  // MARK: Trials

  package let trials = Setting<Int>(
    "trials", .integer(1...1_000), in: .trials, role: .extent, uses: [.variation, .gate],
    standard: .words("\(TrialCount.least) to \(TrialCount.most) live, by the computer's speed; 1 simulated"),
    target: \.trials,
    help: "Trials of each stack, each in a process of its own, in turns.")

  package let warmup = Setting<Int>(
    "warmup", .integer(0...100), in: .trials, target: \.options.warmup,
    help: "Throw-away imports of at most 2000 records before each trial, in its process.")

  package let seed = Setting<UInt64>(
    "seed", .seed, in: .trials, target: \.options.seed, help: "The seed of the random numbers.")

  package let timeLimit = Setting<TimeSpan>(
    "time-limit", .wholeSeconds(1...86_400), in: .trials, role: .precaution, target: \.options.timeLimit,
    help: "Seconds after which a trial counts as hung and is killed: of wall time live, of processor time simulated.")

  package let killAt = Setting<TimeSpan>(
    "kill-at", .milliseconds(upTo: longestMilliseconds), in: .trials, uses: .none, standard: .words("it lives"),
    optionalTarget: \.options.killAt,
    help: "Milliseconds after the first payload's arrival at which the app dies.",
    discussion: "The losses go to killed.csv and to standard output in place of all measures; no other file is written "
      + "except manifest.json.")

  package let fileFault = Setting<FileFault>(
    "file-fault", .fileFault, in: .trials, uses: .none, standard: .words("none occurs"),
    optionalTarget: \.options.fileFault,
    help: "A fault of the store's files: its kind, and the number of the call among those of the import.",
    discussion: "write, sync, open, read, truncate, delete: the call fails; torn-write: half of the bytes are written; "
      + "lost-write: no byte is written, and the call succeeds; full: this write and all later ones find the disk "
      + "full; read-only: this write, truncation or deletion and all later ones fail; power-cut: the app dies before a "
      + "write, sync, truncation or deletion, its store has what a device keeps then, and the losses go to killed.csv.")

  package let idleSeconds = Setting<Int>(
    "idle-seconds", .integer(0...3_600, placeholder: "s"), in: .trials, role: .precaution,
    uses: [.variation, .gate], target: \.idleSeconds,
    help: "Seconds of idle ticks before the trials, which show how quiet the computer is; 0 = none.")

  package let repeatLimit = Setting<Int>(
    "repeat-limit", .integer(0...100), in: .trials, role: .precaution,
    standard: .words("\(Experiment.standardRepeatLimit)"), target: \.repeatLimit, recordedOn: .live,
    help:
      "The most repeats of a live trial during which the computer's speed changed by more than 10 %. At most half as many "
      + "trials are repeated as there are. 0 = never.")

  package let takeTurns = Setting<Bool>(
    "take-turns", .isPresent, in: .trials, uses: .none, machine: .live, standard: .none,
    help: "Before each trial, write its name to standard output and wait for a line on standard input.",
    discussion: "For programs that let two live runs take turns. The first trial that fails ends the run.")
}
