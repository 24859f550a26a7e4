import ArgumentParser
import Experiments
import Foundation
import Inspection
import Reporting
import TrialProcesses

/// The command `stackbench inspect`, which shows what a model, a store or a feed contains.
struct InspectCommand: BlockingCommand {
  private static let formats = ["text", "markdown", "json"]

  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what a store contains: its settings, entities, rows and metadata.",
    discussion: """
      The contents of the file decide its kind, not its name. A store is the SQLite file of a persistent store. Its \
      rows are counted with those that are only in its write-ahead log. The command reads a private copy: no byte of \
      the store changes and no file appears beside it, also while an app writes the store.

      Status: 0 success; 64 bad usage, or a file that is damaged, locked, unreadable or of another kind; 130 \
      interrupted, after cleaning up.
      """)

  @Argument(help: ArgumentHelp("The file of a store.", valueName: "path"), transform: OptionValue.path)
  var path: String

  @Option(
    help: ArgumentHelp(
      "The format of standard output: \(formats.joined(separator: ", ")). (default: text)", valueName: "name"),
    completion: .list(formats), transform: OptionValue.name(of: formats))
  var format = "text"

  func runBlocking() throws -> ExitStatus {
    do {
      switch try InspectedKind(of: path) {
      case .store: try printStore()
      case .model, .feed:
        throw RunFailure.usage("\(path): is not the file of a store; use a file that begins with \"SQLite format 3\"")
      }
    } catch let error as InspectionError {
      throw error.code == .fullDisk ? RunFailure(kind: .diskFull, "\(error)") : RunFailure.usage("\(error)")
    }
    return .success
  }

  private func print(_ page: Page, _ summary: some Encodable) throws {
    switch format {
    case "json": StandardOutput.write(try JSONText.text(of: summary))
    case "markdown": StandardOutput.write(MarkdownPage(page).text)
    default: StandardOutput.write(TerminalPage(page, width: StandardOutput.width).text)
    }
  }
}

// MARK: - Stores

extension InspectCommand {
  private func printStore() throws {
    let interruption = Interruption()
    let scratch = try ScratchFolder(in: URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path)
    defer { scratch.remove() }
    let store = try interruption.run(removing: scratch) {
      try InspectedStore(path, copyingInto: scratch.path)
    }
    try print(StorePage.page(of: store), StoreSummary(store.contents))
  }
}
