import ArgumentParser
import CommandShell
import Experiments
import Foundation
import InputFiles
import MachineCore
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench claims`, which holds statements of articles and of users against results.
struct ClaimsCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "claims",
    abstract: "Shows which statements about stacks of contexts hold, with the figures that decide.",
    discussion: """
      Each claim is a short paraphrase of an article's statement. A query computes its figure from the results of an \
      experiment, and the claim holds if the figure fulfils a condition. A claim depends on the device if drawn \
      devices disagree, and on a setting if its values do. Its evidence is a counter or an order, a simulated time, \
      or a live time. A claim that no experiment can decide says why.

      Without a name, the command lists the shipped claims: each with its verdict, the cases in which it holds, and \
      the beginning of its statement. With names or --verbose it shows their figures. The figures of shipped claims \
      are in the program. --profile simulates the experiments on another device.

      A YAML file has claims of your own, in the form of the shipped ones:

        experiments:
          old-phone: {settings: {topology: worker-merge, profile: iphone-4s}}
        claims:
          - id: worker-is-smooth
            statement: An import beside main drops no frame on an iPhone 4s.
            experiment: old-phone
            label: dropped frames
            figure: {value: {column: frames_dropped_count, of: worker-merge}}
            holds-if: {at-most: 0}

      The settings have the names of the flags of 'stackbench run'. Beside them, 'vary' has lists of values, and \
      'draws' the number of drawn devices. A claim may name a shipped experiment too. Ids behind the file choose some \
      of its claims.

      --renew runs the experiments of the given claims again and writes the figures, their manifest and the page into \
      \(ClaimsFolder.standardPath) and \(ClaimsFolder.standardPath).md. --check simulates each experiment on the \
      devices with their profiles' own values, and compares the figures and the page there with the new ones.

      --format json prints one object: schema, profile (absent without --profile), articles[] {key, author, title, \
      year} and claims[] {id, article, statement, evidence (counter, simulated or live), experiment, label, unit, \
      holds_if {comparison: threshold}, verdict (\(ClaimVerdict.names.joined(separator: ", "))), reason, cases[] {settings, \
      trial, figure, holds}, commands[]}. Members may be added; none changes its meaning. --format csv prints a row \
      for each case.

      Status: 0 success, whatever the verdicts; 1 a trial failed, or --check found a difference; 64 bad usage, a wrong \
      file, or damaged figures; 130 interrupted, with the files unchanged.
      """)

  @Argument(
    help: ArgumentHelp(
      "The claims, and before them a file if they are your own. (default: the list of all)", valueName: "id|file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var names: [String] = []

  @Option(
    formats: PrintedClaims.formats, inWords: PrintedClaims.formats.map(\.rawValue).joined(separator: ", "))
  var format = OutputFormat.text

  @Option(
    help: ArgumentHelp(
      "Show only the claims with that verdict: \(ClaimVerdict.names.joined(separator: ", ")).", valueName: "name"),
    completion: .list(ClaimVerdict.names), transform: OptionValue.name(of: ClaimVerdict.names))
  var verdict: String?

  @Flag(help: "Show the figure, the condition and the commands of each claim in the list.")
  var verbose = false

  @OptionGroup var device: SettingFlags<ExperimentDeviceSettings>

  @Option(
    help: ArgumentHelp("Run the experiments on that machine again.", valueName: "simulated|live|all"),
    completion: .list(ClaimsRenewal.Scope.allCases.map(\.rawValue)),
    transform: OptionValue.name(of: ClaimsRenewal.Scope.allCases.map(\.rawValue)))
  var renew: String?

  @Flag(help: "Check that the committed figures and the page are right.")
  var check = false

  @Option(
    help: ArgumentHelp(
      """
      A folder with other figures; the page is beside it. (default: the figures of the program; \
      \(ClaimsFolder.standardPath) with --renew and --check)
      """,
      valueName: "dir"),
    completion: .directory, transform: OptionValue.path)
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "The file of 'make peers' with the times of the engine and its peers. (default: \(PeersFile.standardPath))",
      valueName: "file"),
    completion: .file(extensions: ["csv"]), transform: OptionValue.path)
  var peers = PeersFile.standardPath

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    try checkFlags()
    let shipped = try UserInput.read(ClaimLibrary.catalogue)
    if check || renew != nil { return try maintain(shipped) }
    let catalogue = try asked(shipped)
    let claims = try chosen(catalogue)
    let kept = try folder.map { try ClaimsFolder(path: $0).figures() } ?? ClaimLibrary.figures()
    // Live trials use the file system of the working folder, because a sync may be free in a temporary folder.
    let isLive = file != nil && catalogue.experiments(of: claims).contains { $0.machine == .live }
    let collection = FigureCollection(
      of: catalogue, known: shipped, kept: kept,
      run: claimRun(
        catalogue, scratchParent: isLive ? WorkingFolder.absolutePath(".") : FileManager.default.temporaryDirectory.path
      ))
    let figures = try Interruption.run { try await collection.figures(of: claims) }
    if !quiet {
      try show(
        try judged(claims, catalogue: catalogue, figures: figures, besideSettingsFile: SettingsFile.isInWorkingFolder),
        catalogue: catalogue)
    }
    return .success
  }

  private func claimRun(_ catalogue: ClaimCatalogue, scratchParent: String) -> ClaimRun {
    ClaimRun(
      catalogue, words: .standard, scratchParent: scratchParent, peers: PeersFile(path: peers),
      progress: ProgressLine(isQuiet: quiet))
  }

  private func judged(
    _ claims: [Claim], catalogue: ClaimCatalogue, figures: FigureTable, besideSettingsFile: Bool = false
  ) throws -> [JudgedClaim] {
    let judge = ClaimJudge(catalogue, figures: figures, ignoringSettingsFile: besideSettingsFile)
    return try claims.map(judge.judged)
  }
}

// MARK: - Choosing claims

extension ClaimsCommand {
  /// The file with the claims, or nil if these are the shipped ones.
  private var file: String? { names.first.flatMap { ClaimLibrary.isPath($0) ? $0 : nil } }

  private var ids: [String] { Array(names.dropFirst(file == nil ? 0 : 1)) }

  private var profile: String? { device.request.profile }

  /// Checks that no flag contradicts another.
  ///
  /// - Throws: `RunFailure` of bad usage.
  private func checkFlags() throws(RunFailure) {
    if check, renew != nil { throw .usage("--check: contradicts --renew; use one of the two") }
    if let other = ids.first(where: ClaimLibrary.isPath) {
      throw .usage("\(other): must be the first argument, and the only file; use claims of one file")
    }
    guard check || renew != nil else { return }
    let others = [file, profile.map { "--profile \($0)" }, verdict.map { "--verdict \($0)" }]
    if let other = others.compactMap(\.self).first {
      throw .usage(
        "\(other): \(check ? "--check" : "--renew") concerns the shipped claims on their own devices; leave it out")
    }
  }

  /// Returns the catalogue of the file, or the shipped one, on the device of the flag.
  private func asked(_ shipped: ClaimCatalogue) throws -> ClaimCatalogue {
    let catalogue =
      try file.map { file in
        try UserInput.read { () throws(YAMLError) in try ClaimLibrary.catalogue(at: file, with: shipped) }
      } ?? shipped
    guard let profile else { return catalogue }
    _ = try device.request.namedProfile()
    let simulated = catalogue.simulated(on: profile)
    for id in ids where simulated.claim(named: id) == nil && catalogue.claim(named: id) != nil {
      throw RunFailure.usage(
        "--profile \(profile): \(id) is not about one simulated device; leave the flag or the claim out")
    }
    return simulated
  }

  /// Returns the claims that the command line names, in the order of the catalogue.
  private func chosen(_ catalogue: ClaimCatalogue) throws -> [Claim] {
    for id in ids where catalogue.claim(named: id) == nil {
      let list = ["stackbench claims", file.map(ShellWord.quoted)].compactMap(\.self).joined(separator: " ")
      throw RunFailure.usage(
        "\(QuotedText.of(id)): not a claim; \(NearestName.clause(id, among: catalogue.claims.map(\.id)))"
          + "'\(list)' lists them")
    }
    return ids.isEmpty ? catalogue.claims : catalogue.claims.filter { ids.contains($0.id) }
  }
}

// MARK: - Output

extension ClaimsCommand {
  /// Returns the text of the committed page.
  static func page(of judged: [JudgedClaim], _ catalogue: ClaimCatalogue) -> String {
    MarkdownPage(ClaimsPage(judged, of: catalogue, isWhole: true).page, level: 1).text
  }

  private func show(_ all: [JudgedClaim], catalogue: ClaimCatalogue) throws {
    let judged = all.filter { verdict == nil || $0.verdict.name == verdict }
    let page = ClaimsPage(judged, of: catalogue, isWhole: names.isEmpty && verdict == nil && profile == nil)
    let list = ClaimsList(judged, width: StandardOutput.width)
    let isList = names.isEmpty && !verbose || judged.isEmpty
    try StandardOutput.write(
      PrintedClaims(page, list: isList ? list : nil, judged: judged, of: catalogue, profile: profile), as: format)
  }
}

// MARK: - Committed figures

extension ClaimsCommand {
  /// Renews or checks the committed figures and the page.
  private func maintain(_ catalogue: ClaimCatalogue) throws -> ExitStatus {
    let claims = try chosen(catalogue)
    let path = folder ?? ClaimsFolder.standardPath
    let store = ClaimsFolder(path: path)
    guard let scope = renew.flatMap(ClaimsRenewal.Scope.init) else {
      let run = claimRun(catalogue, scratchParent: FileManager.default.temporaryDirectory.path)
      return try checkFigures(
        of: claims, catalogue: catalogue, renewal: ClaimsRenewal(catalogue, run: run), store: store)
    }
    let output = try OutputFolder(WorkingFolder.absolutePath(path), flag: "--folder")
    defer { output.removeIfUnused() }
    // Live trials use the file system of the figures, because a sync may be free in a temporary folder.
    let renewal = ClaimsRenewal(catalogue, run: claimRun(catalogue, scratchParent: WorkingFolder.absolutePath(path)))
    let known = (try? store.figures()) ?? FigureTable()
    let outcome = try Interruption.run { try await renewal.renew(claims, scope: scope, of: known) }
    try store.write(outcome, of: catalogue)
    try store.write(
      page: ClaimsCommand.page(
        of: try judged(catalogue.claims, catalogue: catalogue, figures: outcome.figures), catalogue))
    if !quiet { try show(try judged(claims, catalogue: catalogue, figures: outcome.figures), catalogue: catalogue) }
    return .success
  }

  /// Compares the committed figures and page with fresh ones, and prints a line for each difference.
  private func checkFigures(
    of claims: [Claim], catalogue: ClaimCatalogue, renewal: ClaimsRenewal, store: ClaimsFolder
  ) throws -> ExitStatus {
    let figures = try store.figures()
    var lines = try Interruption.run { try await renewal.differences(claims, from: figures) }
    let page = ClaimsCommand.page(of: try judged(catalogue.claims, catalogue: catalogue, figures: figures), catalogue)
    if store.page() != page {
      lines.append("\(store.pagePath): not the page of the committed figures; make it again with 'make claims'")
    }
    for line in lines { StandardError.write(line: "error: \(line)") }
    if lines.isEmpty, !quiet { StandardOutput.write("\(catalogue.claims.count) claims are as committed\n") }
    return lines.isEmpty ? .success : .failed
  }
}
