import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Harness
import InputFiles
import OutputFiles
import Reporting
import TrialProcesses
import Workloads

/// The command `stackbench inspect`, which shows what a model, a store or a feed contains.
struct InspectCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what a model, a store or a feed contains, and if a store belongs to a model.",
    discussion: """
      The contents of the file decide its kind, not its name. A model is a folder .xcdatamodeld or .xcdatamodel, or \
      the file contents in it. A store is the SQLite file of a persistent store. Its rows are counted with those that \
      are only in its write-ahead log. The command reads a private copy: no byte of the store changes and no file \
      appears beside it, also while an app writes the store. A feed is a file of JSON records.

      Status: 0 success, also if a store does not belong to the model; 64 bad usage, or a file that is damaged, \
      locked, unreadable or of another kind; 130 interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp("A model, the file of a store, or a feed.", valueName: "path"), transform: OptionValue.path)
  var path: String

  @Option(formats: InspectedFile.formats, inWords: "text, markdown, json, dot, a diagram of a model")
  var format = OutputFormat.text

  @Option(
    help: ArgumentHelp("Compare the store with this model, or map the feed to it.", valueName: "path"),
    transform: OptionValue.path)
  var model: String?

  @Option(
    help: ArgumentHelp("The version of the model. (default: the current one)", valueName: "name"),
    transform: OptionValue.path)
  var modelVersion: String?

  @Option(
    help: ArgumentHelp(
      "Write the map of the feed to the entities of the model, or of an inferred one, to a new file. It can be edited "
        + "and passed to 'stackbench run' with --map.", valueName: "file.yaml"),
    completion: .file(extensions: FeedMapFile.endings), transform: OptionValue.path)
  var writeMap: String?

  @OptionGroup var settingsFile: SettingsFileFlags

  func runBlocking() throws -> ExitStatus {
    try refusing {
      let kind = try InspectedKind(of: path)
      try checkFlags(kind)
      switch kind {
      case .model: try printModel()
      case .store: try withModel(printStore)
      case .feed: try withModel(printFeed)
      }
    }
    return .success
  }

  /// Calls a function with the model of the flags, or of the settings file.
  private func withModel(_ body: (RunRequest) throws -> Void) throws {
    let settings = RunSettings.all
    var given = RunRequest()
    (given.model, given.modelVersion) = (model, modelVersion)
    try settingsFile.use(
      with: given, accepting: { [settings.model.name, settings.modelVersion.name].contains($0.name) }
    ) { request in
      try refusing { try body(request) }
    }
  }

  /// Calls a function and turns its errors about files into failures with status 64.
  private func refusing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as FileError {
      throw error.code == .fullDisk ? RunFailure(kind: .diskFull, "\(error)") : RunFailure.usage("\(error)")
    } catch let error as ModelError {
      throw RunFailure.usage("\(error)")
    } catch let error as FeedError {
      throw RunFailure.usage("\(error)")
    }
  }

  private func checkFlags(_ kind: InspectedKind) throws {
    if format == .dot, kind != .model {
      throw RunFailure.usage("--format dot: \(path) is a \(kind.rawValue); use text, markdown or json, or a model")
    }
    if let writeMap, kind != .feed {
      throw RunFailure.usage("--write-map \(writeMap): \(path) is a \(kind.rawValue); leave it out, or inspect a feed")
    }
    if let model, kind == .model {
      throw RunFailure.usage("--model \(model): \(path) is a model; leave it out, or inspect a store or a feed")
    }
    if let modelVersion, kind != .model, model == nil {
      throw RunFailure.usage("--model-version \(modelVersion): needs a model; leave it out, or add --model")
    }
  }

  private func print(_ page: Page, summary: any Encodable) throws {
    try StandardOutput.write(
      InspectedFile(page: page, json: summary), as: format, style: TextStyle(width: StandardOutput.width))
  }
}

// MARK: - Kinds

extension InspectCommand {
  private func printModel() throws {
    let document = try ModelDocument(path: path, version: modelVersion)
    if format == .dot { return StandardOutput.write(ModelDiagram(document).text) }
    try print(ModelPage.page(of: document), summary: ModelSummary(document))
  }

  private func printStore(_ request: RunRequest) throws {
    // A mistake in the model is found before the store is copied.
    let document = try request.model.map { try ModelDocument(path: $0, version: request.modelVersion) }
    let engineModel = try document.map { try EngineModel($0).model }
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let store = try InspectedStore(path, copyingInto: scratch.path)
    let comparison = engineModel.map { model in
      StoreModelComparison(store.contents, with: model, versions: document?.versions ?? []) { version in
        request.model.flatMap { try? EngineModel(ModelDocument(path: $0, version: version)).model }
      }
    }
    try print(
      StorePage.page(of: store, comparison: comparison), summary: StoreSummary(store.contents, comparison: comparison))
  }

  private func printFeed(_ request: RunRequest) throws {
    if let writeMap { try checkNew(writeMap) }
    var summary = try FeedSummary(of: FeedReader(path: path))
    var options = WorkloadOptions(
      workload: .feed(path: path), rows: nil, existingRows: 0, batchSize: 1, mix: .insertsOnly)
    options.model = request.model
    options.modelVersion = request.modelVersion
    let draft = try FeedDraft(options: options, path: path)
    if !draft.dictionaryMembers.isEmpty {
      summary = try FeedSummary(of: FeedReader(path: path), dictionaries: draft.dictionaryMembers)
    }
    if let writeMap { try write(draft, to: writeMap, model: request.model) }
    let description = FeedDescription(summary, draft, hasModel: request.model != nil)
    try print(FeedPage.page(of: description, path: path), summary: description)
  }

  /// Checks that a file does not exist yet.
  ///
  /// - Throws: `RunFailure` if it exists.
  private func checkNew(_ file: String) throws {
    // A link that leads to no file would be written through.
    guard (try? FileManager.default.attributesOfItem(atPath: file)) == nil else {
      throw RunFailure.usage("--write-map \(file): exists and would be overwritten; use the name of a new file")
    }
  }

  /// Writes the map of the feed to a new file.
  ///
  /// - Throws: `RunFailure` if the file cannot be written.
  private func write(_ draft: FeedDraft, to file: String, model: String?) throws {
    let text = FeedMapText(
      draft.mapping, feed: name(of: path), model: model.map(name), problems: draft.problems
    ).text
    do {
      try AtomicFile(staging: Data(text.utf8), for: file).commit()
    } catch {
      throw error.code == .fullDisk ? RunFailure(kind: .diskFull, "\(error)") : RunFailure.usage("\(error)")
    }
    for problem in draft.problems { StandardError.write(line: "note: \(problem)") }
    StandardError.write(
      line: (draft.problems.isEmpty ? "The map is in \(file)." : "A draft of the map is in \(file). Complete it.")
        + " Use it with: stackbench run --workload \(ShellWord.quoted(path))"
        + (model.map { " --model \(ShellWord.quoted($0))" } ?? "") + " --map \(ShellWord.quoted(file))")
  }

  private func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// A description of a model, a store or a feed.
private struct InspectedFile: PrintableResult {
  var page: Page
  var json: any Encodable

  static let formats: [OutputFormat] = [.text, .markdown, .json, .dot]

  func pages(for format: OutputFormat) -> [Page] { [page] }
}
