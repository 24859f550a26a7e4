import Experiments
import Foundation
import Reporting
import TestSupport
import Testing

@testable import stackbench

/// Tests of `stackbench claims` with the shipped claims and the committed figures.
@Suite struct ClaimsCommandTests {
  private static let committed = ClaimsFolder(
    path: Repository.root.appendingPathComponent(ClaimsFolder.standardPath).path)

  private static let known = SharedValues<String, (ClaimCatalogue, FigureTable, [JudgedClaim])>()

  /// Returns the shipped claims, the committed figures and the verdicts, which are read once for all tests.
  private static func judged() throws -> (ClaimCatalogue, FigureTable, [JudgedClaim]) {
    try known.value(for: "") {
      let (catalogue, figures) = (try ClaimLibrary.catalogue(), try committed.figures())
      let judge = ClaimJudge(catalogue, figures: figures)
      return (catalogue, figures, try catalogue.claims.map(judge.judged))
    }
  }

  @Test func `the committed page is made from the committed figures`() throws {
    let (catalogue, _, judged) = try Self.judged()
    #expect(ClaimsCommand.page(of: judged, catalogue) == Self.committed.page())
  }

  @Test func `the program or make understands the command of each claim`() throws {
    let (_, _, judged) = try Self.judged()
    let makefile = try Repository.text("Makefile")
    #expect(judged.allSatisfy { !$0.commands.isEmpty || $0.claim.test == nil })
    for command in Set(judged.flatMap(\.commands)).sorted() {
      let words = DocumentedCommandsTests.Command(page: "claims", text: command).words
      if words.first == "make" {
        #expect(words.count == 2 && makefile.contains("\n\(words[1]):"), "\(command)")
        continue
      }
      try #expect(#require(words.first) == "stackbench")
      try DocumentedCommandsTests.check(Array(words.dropFirst()))
    }
  }

  @Test func `five articles have claims, and each experiment decides one`() throws {
    let (catalogue, _, judged) = try Self.judged()
    #expect(catalogue.articles.count == 5)
    #expect(catalogue.articles.allSatisfy { article in judged.contains { $0.claim.article == article.key } })
    let used = Set(judged.compactMap { $0.claim.test?.experiment })
    #expect(Set(catalogue.experiments.map(\.id)) == used)
    #expect(judged.contains { $0.verdict == .holds })
    #expect(judged.contains { $0.verdict == .doesNotHold })
    #expect(judged.contains { $0.verdict == .depends })
    #expect(judged.contains { $0.claim.test == nil })
  }

  @Test func `a changed threshold flips the verdict of a shipped claim`() throws {
    var (catalogue, figures, _) = try Self.judged()
    let place = try #require(catalogue.claims.firstIndex { $0.id == "main-needs-merging" })
    #expect(try ClaimJudge(catalogue, figures: figures).judged(catalogue.claims[place]).verdict == .holds)
    var test = try #require(catalogue.claims[place].test)
    test.condition.threshold = 1_000_000
    catalogue.claims[place].decision = .test(test)
    #expect(try ClaimJudge(catalogue, figures: figures).judged(catalogue.claims[place]).verdict == .doesNotHold)
  }

  // MARK: The list

  @Test(arguments: [60, 80, 200])
  func `the list has a line for each claim, and fits the terminal`(width: Int) throws {
    let (_, _, judged) = try Self.judged()
    let lines = TerminalPage(ClaimsList(judged, width: width).page, width: width).text.components(separatedBy: "\n")
    #expect(lines.allSatisfy { $0.count <= width })
    for claim in judged {
      let line = try #require(lines.first { $0.hasPrefix("\(claim.claim.id) ") })
      if width >= 80 { #expect(line.contains(" \(claim.verdict.name) ")) }
      if width >= 200 { #expect(line.contains(claim.claim.statement.prefix(80))) }
    }
  }

  @Test func `a verdict filters the claims of each format`() async throws {
    let (_, _, judged) = try Self.judged()
    for name in ClaimVerdict.names {
      let outcome = try await Program.run(["claims", "--verdict", name, "--format", "csv"])
      let claims = Set(
        outcome.output.components(separatedBy: "\r\n").dropFirst().compactMap {
          $0.components(separatedBy: ",").dropFirst().first
        })
      #expect(claims == Set(judged.filter { $0.verdict.name == name }.map(\.claim.id)), "\(name)")
    }
    let unknown = try await Program.run(["claims", "--verdict", "hold"])
    #expect(unknown.status == 64)
    #expect(
      unknown.errors == [
        "error: --verdict hold: not known; did you mean holds? use one of holds, does-not-hold, depends, undecidable"
      ])
  }

  // MARK: The command

  private static let small = "merging-by-hand"

  private func claims(_ arguments: String..., in folder: String? = nil) async throws -> Program.Outcome {
    try await Program.run(["claims", "--folder", folder ?? Self.committed.path] + arguments)
  }

  @Test(arguments: ["text", "csv"])
  func `the command shows the given claims only`(format: String) async throws {
    let outcome = try await claims(Self.small, "--format", format)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(Self.small))
    #expect(!outcome.output.contains("json-off-main"))
  }

  @Test func `wrong usage is refused in one line`() async throws {
    let unknown = try await claims("merging-by-hands")
    #expect(unknown.status == 64)
    #expect(
      unknown.errors == [
        "error: merging-by-hands: not a claim; did you mean merging-by-hand? 'stackbench claims' lists them"
      ])
    #expect(try await claims("--check", "--renew", "live").status == 64)
    let missing = try await claims(in: "/nowhere")
    #expect(missing.status == 64)
    #expect(missing.errors[0].hasPrefix("error: /nowhere/figures.csv: cannot be read; "))
    for flags in [["--profile", "iphone-4s"], ["--verdict", "holds"], ["mine.yaml"]] {
      let outcome = try await Program.run(["claims"] + flags + ["--check"])
      #expect(outcome.status == 64 && outcome.errors[0].hasSuffix("leave it out"), "\(outcome.errors)")
    }
    let live = try await Program.run(["claims", "save-is-cpu", "--profile", "iphone-4s"])
    #expect(live.status == 64)
    #expect(live.errors[0].hasPrefix("error: --profile iphone-4s: save-is-cpu is not about one simulated device; "))
  }

  @Test func `a check finds a changed figure, and a renewal repairs it`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/claims"
    try FileManager.default.copyItem(atPath: Self.committed.path, toPath: path)
    try FileManager.default.copyItem(atPath: Self.committed.pagePath, toPath: "\(path).md")
    let file = "\(path)/\(FigureTable.fileName)"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    var lines = text.components(separatedBy: "\r\n")
    let row = try #require(lines.firstIndex { $0.hasPrefix("merge-variants,,worker-merge/none,device,") })
    let column = try #require(lines[0].components(separatedBy: ",").firstIndex(of: "stale_rows_count"))
    var fields = lines[row].components(separatedBy: ",")
    let value = fields[column]
    fields[column] = "987654"
    lines[row] = fields.joined(separator: ",")
    try lines.joined(separator: "\r\n").write(toFile: file, atomically: true, encoding: .utf8)
    let changed = try await claims("--check", Self.small, in: path)
    #expect(changed.status == 1)
    #expect(
      changed.errors == [
        "error: merge-variants, worker-merge/none, device: stale_rows_count is \(value), and figures.csv has 987654",
        "error: \(path).md: not the page of the committed figures; make it again with 'make claims'",
      ])

    #expect(try await claims("--renew", "simulated", Self.small, in: path).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(try String(contentsOfFile: "\(path).md", encoding: .utf8) == Self.committed.page())
  }

  @Test func `a scenario on drawn devices comes to the committed figures, and its commands are kept`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/claims"
    try FileManager.default.copyItem(atPath: Self.committed.path, toPath: path)
    let outcome = try await claims("--renew", "simulated", "observers-cost", in: path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let figures = try ClaimsFolder(path: path).figures()
    #expect(figures == (try Self.judged().1))
    #expect(figures.rows.count { $0.key.experiment == "many-observers" && $0.key.trial.hasPrefix("draw ") } == 20)
    let manifest = try String(contentsOfFile: "\(path)/\(Manifest.fileName)", encoding: .utf8)
    #expect(manifest.contains(#""many-observers" : "stackbench scenario many-observers""#))
  }

  @Test func `a file of peers that is missing is an error, and the figures stay`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/claims"
    try FileManager.default.copyItem(atPath: Self.committed.path, toPath: path)
    let outcome = try await claims("--renew", "live", "save-is-cpu", "--peers", "/nowhere/peers.csv", in: path)
    #expect(outcome.status == 64)
    #expect(outcome.errors == ["error: /nowhere/peers.csv: cannot be read; make it with 'make peers'"])
    #expect(try ClaimsFolder(path: path).figures() == Self.judged().1)
  }
}
