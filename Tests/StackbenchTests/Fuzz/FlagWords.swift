import MachineCore

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Command lines for the fuzzer: those that read damaged files, and random flags of every command.
enum FlagWords {
  /// Flags that make a simulated run take milliseconds. They come last, since the last value of a flag counts.
  static let small = [
    "--machine", "simulated", "--rows", "6", "--existing-rows", "4", "--batch-size", "3", "--save-every", "3",
    "--draws", "0", "--trials", "1", "--warmup", "0", "--topology", "all-main", "--time-limit", "20",
    "--arrival-interval", "0", "--idle-seconds", "0", "--quiet",
  ]

  /// Returns the command line that reads the files of a reader.
  static func commandLine(of reader: FuzzInput.Reader, _ random: inout SeededRandom) -> [String] {
    func one(_ choices: [String]) -> String { choices[random.below(choices.count)] }
    switch reader {
    case .comparison: return ["compare", "run", "other", "--format", one(["text", "markdown", "json"])]
    case .run: return ["show", "run", "--format", one(["text", "json", "csv"])]
    case .report: return ["report", "run", "--output", "out.html"]
    case .gate, .gatePlan:
      return ["gate", "--baseline", "baseline", "--output", "out", "--format", one(["text", "junit"])]
    case .plan: return ["collect", "sweep/plan.jsonl", "--output", "out"]
    case .sweep: return ["show", "sweep", "--format", one(["text", "json", "csv"])]
    case .profile: return ["profiles", "profile.yaml"]
    case .topology:
      return one([
        "topologies topology.yaml --format yaml", "topologies topology.yaml --format swift", "explain topology.yaml",
      ])
      .split(separator: " ").map(String.init)
    case .publishedTable: return ["validate", "--published", "table.yaml", "--output", "out"]
    // The file is read before the id is refused, so that no experiment runs.
    case .claims: return ["claims", "claims.yaml", "no-such-claim"]
    case .measurements: return ["calibrate", "--from", "measurements.csv", "--output", "out.yaml"]
    case .feed:
      return ["run", "--workload", one(["feed.json", "feed.jsonl", "feed.geojson"]), "--output", "out"] + feedRun
    case .map:
      return ["run", "--workload", "feed.json", "--map", "map.yaml", "--rows", "4", "--output", "out"] + feedRun
    case .killed: return ["show", "killed", "--format", one(["text", "json", "csv"])]
    case .answer: return ["show", "answer", "--format", one(["text", "markdown", "json"])]
    case .model: return ["inspect", "App.xcdatamodel", "--format", one(["text", "markdown", "json", "dot"])]
    // The file is read before the workload is refused.
    case .settings: return ["run", "--workload", "no-such-feed.json"]
    case .store: return ["inspect", "store.sqlite", "--format", one(["text", "json"])]
    // No command reads predicates as text. This one refuses the file.
    case .predicate: return ["inspect", "predicate.txt"]
    case .flags: return commandLine(&random)
    }
  }

  /// The flags of a small run, without those that a feed determines.
  private static let feedRun = [
    "--machine", "simulated", "--draws", "0", "--topology", "all-main", "--time-limit", "20", "--quiet",
  ]

  /// The names of the commands, with some words that are not commands.
  private static let commands = [
    "run", "topologies", "workloads", "profiles", "compare", "report", "show", "collect", "trial", "explain", "gate",
    "sweep", "advise", "validate", "calibrate", "claims", "help", "walk", "",
  ]

  private static let flags = [
    "--topology", "--machine", "--profile", "--workload", "--rows", "--existing-rows", "--batch-size", "--save-every",
    "--lookup", "--mix", "--arrival-interval", "--decode", "--concurrent-imports", "--overlap", "--view-controllers",
    "--visible-rows", "--scroll-speed", "--user-edit-interval", "--fetch-batch-size", "--properties-to-fetch",
    "--refresh-rate", "--frame-work", "--cell-work", "--merge", "--merge-policy", "--store-save", "--strategy",
    "--in-flight", "--edit-rows",
    "--connection-pool", "--journal-mode", "--synchronous", "--trials", "--warmup", "--seed", "--schedule-seed",
    "--draws", "--draws-within", "--time-limit", "--kill-at", "--file-fault", "--format", "--idle-seconds", "--name",
    "--vary",
    "--plan",
    "--index", "--baseline", "--live", "--pairs", "--published", "--from", "--swift", "--rank-by",
    "--help", "--version", "--", "-", "-x", "--\u{1b}[1m", "--rows=5", "--trace", "--check-determinism",
  ]

  private static let values = [
    "all", "all-main", "worker-merge/automatic", "three-tier", "six", "live", "simulated", "iphone-6s", "catalog",
    "flat",
    "feed.json", "none.json", "unit", "record", "100:0:0", "70:25:5", "9:9:9:9", "immediate", "every:5", "idle:0",
    "at-end", "objects", "batch-insert", "wal", "delete", "normal", "rows=1,2", "batch-size=0", "topology=all", "run",
    "write:5", "power-cut:9", "none", ".", "profile.yaml", "topology.yaml", "{}", "measurements.csv", "plan.jsonl",
  ]

  /// Returns a random command line. Commands that run trials receive final flags that make the trials small.
  static func commandLine(_ random: inout SeededRandom) -> [String] {
    let command = commands[random.below(commands.count)]
    var words = [command]
    for _ in 0..<random.below(5) {
      words.append(flags[random.below(flags.count)])
      switch random.below(4) {
      case 0: words.append(Damage.numbers[random.below(Damage.numbers.count)])
      case 1: words.append(Damage.texts[random.below(Damage.texts.count)].replacing("\0", with: "0"))
      case 2: words.append(values[random.below(values.count)])
      default: words.append(random.below(20) == 0 ? String(repeating: "1", count: 20_000) : "\(random.below(100))")
      }
    }
    switch command {
    case "run": return words + small + ["--output", "out"]
    case "sweep": return words + ["--output", "out"] + small
    // These commands take seconds by themselves. An unknown flag makes sure that they do not run.
    case "advise", "validate", "calibrate", "gate", "claims": return words + ["--no-such-flag"]
    case "compare": return words.filter { $0 != "--live" }
    default: return words
    }
  }
}
