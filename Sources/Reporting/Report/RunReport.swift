import Foundation
import Metrics
import Mustache

/// The report of a run: one HTML file with all its contents, which makes no request to the network.
///
/// The report depends on the result and its charts only: the same folder gives the same bytes.
package struct RunReport: Sendable {
  package static let fileName = "report.html"
  private static let stallCount = 5

  package var result: ReportedResult
  /// The charts, in the order of the page.
  package var charts: [ReportChart]

  package init(result: ReportedResult, charts: [ReportChart]) {
    self.result = result
    self.charts = charts
  }

  /// The whole file.
  package var html: String {
    VisibleText.lines(Self.templates.render(view, withTemplate: "page") ?? "")
  }

  /// Parsed once; a fault in one of them is a fault of the program.
  private static let templates: MustacheLibrary = {
    do {
      return MustacheLibrary(templates: [
        "page": try MustacheTemplate(string: String(decoding: PackageResources.page_mustache, as: UTF8.self)),
        "table": try MustacheTemplate(string: String(decoding: PackageResources.table_mustache, as: UTF8.self)),
      ])
    } catch {
      fatalError("a template of the report cannot be read: \(error)")
    }
  }()
}

// MARK: - What the template takes

extension RunReport {
  private struct View {
    let style: String
    let headline: String
    let subject: String
    let statements: [Statement]
    let tables: [ReportTables.Table]
    let bands: [Source]
    let terms: [ColumnMeaning]
    let measures: ReportTables.Table
    let charts: [Chart]
    let stallLists: [StallList]
    let commandNote: String
    /// The pieces of the command that line breaks do not split.
    let command: [String]
    let facts: [RunDescription.Fact]
    let flags: [RunDescription.Fact]
  }

  private struct Statement {
    let tone: String
    let sign: String
    let title: String
    let text: String?
    let hasItems: Bool
    let items: [String]

    init(_ statement: ReportVerdict.Statement) {
      tone = statement.tone.name
      sign = statement.tone.sign
      title = statement.title
      text = statement.sentences.isEmpty ? nil : statement.sentences.joined(separator: " ")
      hasItems = !statement.items.isEmpty
      items = statement.items
    }
  }

  struct Chart {
    let name: String
    let title: String
    let svg: String?
    let narrow: String?
    let missing: String?
  }

  private struct StallList {
    /// The name of its heading.
    let id: String
    let title: String
    let hasStalls: Bool
    let stalls: [String]
    let note: String?
  }

  /// Bands, and where Apple publishes them.
  private struct Source {
    let text: String
    let source: String
    let link: String
  }

  private var view: View {
    let verdict = ReportVerdict(result)
    let tables = ReportTables(result: result)
    let run = RunDescription(manifest: result.manifest, roles: result.roles)
    return View(
      style: String(decoding: PackageResources.page_css, as: UTF8.self), headline: verdict.headline,
      subject: subject, statements: verdict.statements.map(Statement.init), tables: tables.printed, bands: bands,
      terms: ColumnMeaning.all, measures: tables.measures, charts: charts.map(Self.chart),
      stallLists: stallLists(of: verdict), commandNote: commandNote, command: run.command, facts: run.facts,
      flags: run.flags)
  }

  private var subject: String {
    guard let first = result.trials.first?.identity else { return result.title }
    let machine = first.profile.map { "\(first.machine) \($0)" } ?? first.machine
    let existing = result.manifest.count(of: .existingRows).map { " into \(Self.grouped($0))" } ?? ""
    return "\(first.workload), \(Self.grouped(first.rows)) rows\(existing), \(machine) machine, seed \(first.seed), "
      + "from \(result.title)"
  }

  static func chart(_ chart: ReportChart) -> Chart {
    switch chart.drawing {
    case .svg(let svg):
      let wide = ChartMarkup(svg: svg, name: chart.name).element
      let narrow = chart.narrow.map {
        ChartMarkup(svg: $0, name: chart.name, prefix: chart.name + ReportChart.narrowSuffix).element
      }
      return Chart(name: chart.name, title: chart.title, svg: wide, narrow: narrow, missing: nil)
    case .missing(let reason):
      return Chart(name: chart.name, title: chart.title, svg: nil, narrow: nil, missing: reason)
    }
  }

  /// Digits in groups of three: 15,000.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}

// MARK: - Sentences

extension RunReport {
  /// The longest stalls of the stacks that the verdict takes, then those of all.
  private func stallLists(of verdict: ReportVerdict) -> [StallList] {
    let all = stallList("stalls", "The longest stalls", of: result.stalls)
    let leaders = verdict.leaders
    guard !leaders.isEmpty, leaders.count < result.summaries.count else { return [all] }
    let own = result.stalls?.filter { stalls in
      leaders.contains(stalls.variant.map { "\(stalls.topology)/\($0)" } ?? stalls.topology)
    }
    return [stallList("best-stalls", "The longest stalls of \(ReportVerdict.joined(leaders))", of: own), all]
  }

  private func stallList(_ id: String, _ title: String, of stalls: [TopologyRows<StallRow>]?) -> StallList {
    let sentences = StallSentence.longest(Self.stallCount, of: stalls ?? []).map { "\($0.text)." }
    let note: String? =
      if stalls == nil {
        "Not here: \(result.title) has no \(StallTable.fileName)."
      } else {
        sentences.isEmpty ? "None: no frame started more than one interval after its tick." : nil
      }
    return StallList(id: id, title: title, hasStalls: !sentences.isEmpty, stalls: sentences, note: note)
  }

  private var commandNote: String {
    result.manifest.machine == "simulated"
      ? "This command gives the same bytes again, on any computer:"
      : "This command measures the same again; figures of a live run differ from run to run:"
  }

  private var bands: [Source] {
    let documentation = "https://developer.apple.com/documentation/xcode/"
    let hitches: Source
    switch result.hitchScale {
    case .scroll:
      hitches = Source(
        text: "hitch ms/s is hitch time per second. \(result.hitchScale.legend); a poor stack is unacceptable.",
        source: "Xcode Organizer, scroll hitch rate",
        link: documentation + "analyzing-responsiveness-issues-in-your-shipping-app")
    case .animation:
      hitches = Source(
        text:
          "hitch ms/s is hitch time per second. \(result.hitchScale.legend); from critical on, a stack is unacceptable.",
        source: "Xcode Organizer, hitches of all animations",
        link: documentation + "understanding-hitches-in-your-app")
    }
    let split =
      result.stalls == nil
      ? "Without \(StallTable.fileName), the longest wait of any tick tells on which side of 500 ms they lie."
      : "In brackets: those above 500 ms."
    return [
      hitches,
      Source(
        text: "Hangs are frames that start 250 ms late or more, from where on Apple's tools report them; Instruments "
          + "calls them microhangs up to about 500 ms, and above that a stack is unacceptable. \(split)",
        source: "Improving app responsiveness", link: documentation + "improving-app-responsiveness"),
    ]
  }
}
