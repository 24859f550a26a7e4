import ArgumentParser
import Claims
import CommandShell
import Experiments
import Foundation
import MachineCore
import Reporting
import TrialProcesses
import YAMLReading

/// The command `stackbench claims`, which holds statements of articles against results.
struct ClaimsCommand: BlockingCommand {
  private static let formats = ["text", "markdown", "json", "csv"]

  static let configuration = CommandConfiguration(
    commandName: "claims",
    abstract: "Shows which statements of five articles about stacks of contexts hold, with the figures that decide.",
    discussion: """
      Each claim is a short paraphrase of an article's statement. A query computes its figure from the results of an \
      experiment, and the claim holds if the figure fulfils a condition. A claim depends on the device if drawn \
      devices disagree, and on a setting if its values do. Its evidence is a counter or an order, a simulated time, \
      or a live time. A claim that no experiment can decide says why.

      The figures are read from \(ClaimsFolder.standardPath). --renew runs the experiments of the given claims again and \
      writes the figures, their manifest and the page \(ClaimsFolder.standardPath).md. --check simulates each \
      experiment on the devices with their profiles' own values, and compares the figures and the page with the \
      committed ones.

      --format json prints one object: schema, articles[] {key, author, title, year} and claims[] {id, article, \
      statement, evidence (counter, simulated or live), experiment, label, unit, holds_if {comparison: threshold}, verdict \
      (holds, does-not-hold, depends or undecidable), reason, cases[] {settings, trial, figure, holds}, commands[]}. \
      Members may be added; none changes its meaning. --format csv prints a row for each case.

      Status: 0 success, whatever the verdicts; 1 a trial failed, or --check found a difference; 64 bad usage, or \
      damaged figures; 130 interrupted, with the files unchanged.
      """)

  @Argument(help: ArgumentHelp("The claims. (default: all)", valueName: "id"))
  var ids: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of standard output: \(formats.joined(separator: ", ")). (default: text)", valueName: "name"),
    completion: .list(formats), transform: OptionValue.name(of: formats))
  var format = "text"

  @Option(
    help: ArgumentHelp("Run the experiments on that machine again.", valueName: "simulated|live|all"),
    completion: .list(ClaimsRenewal.Scope.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: ClaimsRenewal.Scope.allCases.map(\.rawValue)))
  var renew: String?

  @Flag(help: "Check that the committed figures and the page are right.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "The folder of the figures; the page is beside it. (default: \(ClaimsFolder.standardPath))", valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var folder = ClaimsFolder.standardPath

  @Option(
    help: ArgumentHelp(
      "The file of 'make peers' with the times of the engine and its peers. (default: \(PeersFile.standardPath))",
      valueName: "file"),
    completion: .file(extensions: ["csv"]), transform: OptionValue.path)
  var peers = PeersFile.standardPath

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    if check, renew != nil { throw RunFailure.usage("--check: contradicts --renew; use one of the two") }
    let catalogue = try UserInput.read(ClaimLibrary.catalogue)
    let claims = try chosen(catalogue)
    let store = ClaimsFolder(path: folder)
    let renewal = ClaimsRenewal(
      catalogue,
      run: ClaimRun(
        catalogue, words: .standard,
        // Live trials use the file system of the figures, because a sync may cost nothing in a temporary folder.
        scratchParent: renew == nil
          ? FileManager.default.temporaryDirectory.path : WorkingFolder.absolutePath(folder),
        peers: PeersFile(path: peers), progress: ProgressLine(isQuiet: quiet)))
    if let scope = renew.flatMap(ClaimsRenewal.Scope.init) {
      let output = try OutputFolder(WorkingFolder.absolutePath(folder), flag: "--folder")
      defer { output.removeIfUnused() }
      let known = (try? store.figures()) ?? FigureTable()
      let outcome = try Interruption.run { try await renewal.renew(claims, scope, of: known) }
      try store.write(outcome, of: catalogue)
      try store.write(page: ClaimsCommand.page(of: try judged(catalogue.claims, catalogue, outcome.figures), catalogue))
    }
    let figures = try store.figures()
    let judged = try judged(claims, catalogue, figures)
    if check { return try checkFigures(figures, catalogue, renewal, store) }
    if !quiet { try show(judged, catalogue) }
    return .success
  }

  /// Returns the claims that the command line names, in the order of the catalogue.
  private func chosen(_ catalogue: ClaimCatalogue) throws -> [Claim] {
    for id in ids where catalogue.claim(named: id) == nil {
      throw RunFailure.usage(
        "\(QuotedText.of(id)): not a claim; \(NearestName.clause(id, among: catalogue.claims.map(\.id)))"
          + "'stackbench claims' lists them")
    }
    return ids.isEmpty ? catalogue.claims : catalogue.claims.filter { ids.contains($0.id) }
  }

  private func judged(
    _ claims: [Claim], _ catalogue: ClaimCatalogue, _ figures: FigureTable
  ) throws -> [JudgedClaim] {
    let judge = ClaimJudge(catalogue, figures)
    return try claims.map(judge.judged)
  }
}

// MARK: - Output

extension ClaimsCommand {
  /// Returns the text of the committed page.
  static func page(of judged: [JudgedClaim], _ catalogue: ClaimCatalogue) -> String {
    MarkdownPage(ClaimsPage(judged, of: catalogue).page, level: 1).text
  }

  private func show(_ judged: [JudgedClaim], _ catalogue: ClaimCatalogue) throws {
    switch format {
    case "markdown": StandardOutput.write(ClaimsCommand.page(of: judged, catalogue))
    case "json": StandardOutput.write(try JSONText.text(of: ClaimsDocument(judged, of: catalogue)))
    case "csv": StandardOutput.write(table: ClaimsTable.csv(judged).text)
    default:
      StandardOutput.write(
        TerminalPage(ClaimsPage(judged, of: catalogue).page, usesColour: StandardOutput.showsColour).text,
        keepsColours: StandardOutput.showsColour)
    }
  }

  /// Compares the committed figures and page with fresh ones, and prints a line for each difference.
  private func checkFigures(
    _ figures: FigureTable, _ catalogue: ClaimCatalogue, _ renewal: ClaimsRenewal, _ store: ClaimsFolder
  ) throws -> ExitStatus {
    let claims = try chosen(catalogue)
    var lines = try Interruption.run { try await renewal.differences(claims, from: figures) }
    let page = ClaimsCommand.page(of: try judged(catalogue.claims, catalogue, figures), catalogue)
    if store.page() != page {
      lines.append("\(store.pagePath): not the page of the committed figures; make it again with 'make claims'")
    }
    for line in lines { StandardError.write(line: "error: \(line)") }
    if lines.isEmpty, !quiet { StandardOutput.write("\(catalogue.claims.count) claims are as committed\n") }
    return lines.isEmpty ? .success : .failed
  }
}
