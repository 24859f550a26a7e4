import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// The command `stackbench explain`, which lists the steps of one payload and one edit through a stack.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Prints each step of a small import and an edit in a stack: the queue of each step, and the waits.",
    discussion: """
      The command runs one small payload and one edit in virtual time on a simulated device. Times are \
      milliseconds after the payload's arrival. An indented step happens inside the step above it. Equal steps \
      in a row are printed once, with their number. Frames that show nothing new are left out.

      A third each of the payload's records are inserts, updates and deletions.

      Status: 0 success; 1 the stack cannot go on; 64 bad usage.
      """)

  @Argument(
    help: ArgumentHelp("The stack, or a file that describes one.", valueName: "id|file.yaml"), completion: .stack)
  var name: String

  @Option(formats: [.text, .mermaid, .svg]) var format = OutputFormat.text

  @OptionGroup var device: SettingFlags<DeviceSettings>
  @OptionGroup var workload: SettingFlags<RecordSettings>

  @Option(in: 1...1_000, help: "Records in the payload. (default: 6)")
  var rows = 6

  @Option(in: 1...1_000, help: "Records per unit: one fetch, one set of changes, one save. (default: all)")
  var saveEvery: Int?

  @Option(in: 1...8, help: "Screens, each with a list of its own. (default: 1)")
  var viewControllers = 1

  @OptionGroup var settingsFile: SettingsFileFlags

  func run() throws {
    StandardOutput.write("\(try text())\n")
  }
}

// MARK: - Text

extension ExplainCommand {
  /// Returns the text or the diagram that the command prints.
  ///
  /// - Throws: `RunFailure` for an unknown stack, a file that does not describe one, flags that contradict each other or
  ///   a profile that cannot be read, and if the trial fails.
  func text() throws -> String {
    let accepted = DeviceSettings.settings + RecordSettings.settings
    return try settingsFile.use(
      with: device.request.merging(workload.request),
      accepting: { setting in accepted.contains { $0.name == setting.name } }, text)
  }

  private func text(_ request: RunRequest) throws -> String {
    let topology = try StackNames.stack(name).topologies[0]
    guard !topology.importsInSecondProcess else {
      throw RunFailure.usage("\(name): \(StackNames.secondProcessLimit)")
    }
    if let saveEvery, saveEvery > rows {
      throw RunFailure.usage("--save-every \(saveEvery): more than the payload's \(rows) records; use 1 to \(rows)")
    }
    let profile = try request.namedProfile()
    let story = try story(of: topology, request, on: profile)
    let title = "\(topology.title) (\(topology.number)): \(topology.summary)"
    let edit = story.hasEdit ? "one edit" : "no edit, since no optional string attribute is free for one,"
    let subtitle = "one payload of \(rows) records\(ExplainCommand.source(request)) and \(edit) on \(profile.name)"
    if format == .mermaid { return story.diagram(title: topology.title) }
    if format == .svg {
      let name = "\(topology.title) (\(topology.number))"
      return StoryChart(title: name, subtitles: [topology.summary, subtitle], story: story).text
    }
    return """
      \(title)
      \(subtitle)

      \(story.text)
      """
  }
}

// MARK: - Running

extension ExplainCommand {
  private static let existingRows = 24

  /// Runs the trial, records its steps, and blocks until it has ended.
  func story(of topology: Topology, _ request: RunRequest = RunRequest(), on profile: Profile) throws -> Story {
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let options = options(on: profile)
    let archive = try scratch.makeFolder("workload")
    let baseStore = "\(scratch.path)/base.sqlite"
    _ = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: try workload(request, seed: options.seed),
        isBatchSizeStandard: false, isSaveEveryStandard: false, options: options, archive: archive,
        baseStore: baseStore))
    let plan = TrialPlan(
      topology: topology, options: options, archive: archive, baseStore: baseStore,
      scratch: try scratch.makeFolder("trial"), trial: 1, profile: profile.name)
    let recorder = StepRecorder()
    let simulation = Simulation(
      profile: profile, scheduleSeed: request.scheduleSeed, seed: options.seed, isTraced: true)
    do {
      _ = try SimulatedTrial(plan, simulation, trace: recorder)
        .run(WorkLedger(), MainQueueLedger(tickCapacity: 1_000))
    } catch {
      throw RunFailure.failed("\(topology.title): \(error)")
    }
    return Story(recorder)
  }

  /// Returns the options of the payload: a few records of the request's workload beside some existing rows.
  ///
  /// - Throws: `RunFailure` for settings that `run` refuses too.
  private func workload(_ request: RunRequest, seed: UInt64) throws -> WorkloadOptions {
    var small = request.filtered { name in RecordSettings.settings.contains { $0.name == name } }
    small.machine = .simulated
    if small.workload == nil, small.model == nil { small.workload = .flat }
    small.rows = rows
    small.batchSize = rows
    if small.workload?.isFeed == true {
      // The first half of the records updates rows, and the other half inserts some.
      small.existingRows = .count(max(1, rows / 2))
      small.mix = .insertsOnly
    } else {
      small.existingRows = .count(ExplainCommand.existingRows)
      small.mix = Mix(inserts: 34, updates: 33, deletes: 33)
    }
    small.seed = seed
    return try small.experiment().workload
  }

  /// Returns the words about the source of the records, or an empty text for the default ones.
  private static func source(_ request: RunRequest) -> String {
    if let workload = request.workload { return " of \(workload.name)" }
    return request.model.map { " of \(Workload.model(path: $0).name)" } ?? ""
  }

  private func options(on profile: Profile) -> RunOptions {
    var options = RunOptions(simulating: profile)
    options.saveEvery = saveEvery ?? rows
    options.viewControllers = viewControllers
    options.warmup = 0
    // There is only one edit, since the second would be due after the end of the trial.
    options.userEditInterval = .seconds(600)
    options.seed = ExplainCommand.seed(refreshRate: options.refreshRate)
    return options
  }

  /// Returns a seed whose first edit is due late in the half interval before the first tick. This is after a quick
  /// import, and in any case before a frame could end the story without the edit.
  private static func seed(refreshRate: Int) -> UInt64 {
    let interval = 1_000_000_000 / refreshRate
    return (1...).first { seed in
      var random = SeededRandom(seed: seed, stream: "edits")
      let offset = random.below(interval)
      return offset > interval * 6 / 16 && offset < interval * 7 / 16
    } ?? 1
  }
}
