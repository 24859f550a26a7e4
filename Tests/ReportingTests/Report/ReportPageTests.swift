import Foundation
import Metrics
import Testing

@testable import Reporting

@Suite struct ReportPageTests {
  private static let svg = """
    <?xml version="1.0" encoding="utf-8"  standalone="no"?>
    <svg 
     width="1200" height="839"
     viewBox="0 0 1200 839"
    >
    <title>Gnuplot</title>
    <desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>
    <rect x="0" y="0" width="1200" height="839" fill="#ffffff"/>
    <circle id='gpPt5' r='1'/>
    <use xlink:href='#gpPt5' color='rgb(  0, 114, 178)'/>
    <g fill="none" color="black" stroke="rgb(51,51,51)"><text>0.1</text></g>
    </svg>
    """

  private func html(_ result: ReportedResult = MadeUpReport.result(), charts: [ReportChart] = []) -> String {
    RunReport(result: result, charts: charts).html
  }

  @Test func `the same result and charts give the same bytes`() {
    let charts = [ReportChart(name: "lateness", drawing: .svg(Self.svg))]
    #expect(html(charts: charts) == html(charts: charts))
  }

  @Test func `the page asks the network for nothing`() {
    let page = html(charts: [ReportChart(name: "lateness", drawing: .svg(Self.svg))])
    #expect(page.contains(#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src"#))
    for part in ["<script", "<link", "<img", "src=", "@import", "url(http"] {
      #expect(!page.contains(part), "\(part)")
    }
  }

  @Test func `the verdict is the heading, above all else`() throws {
    let page = html(
      MadeUpReport.result(["a", "b"]) { trial in
        if trial.identity.topology == "b" { trial.measures.hitchTotalNanoseconds = 70_000_000 }
      })
    let heading = try #require(page.range(of: "<h1>Best: a</h1>"))
    let table = try #require(page.range(of: "<table role="))
    #expect(heading.lowerBound < table.lowerBound)
  }

  @Test(arguments: ["<&\">'", "</title><script>alert(1)</script>", "a & b"])
  func `names from outside are text, wherever they stand`(name: String) {
    var result = MadeUpReport.result(["a"]) { trial in
      trial.identity.workload = name
      trial.identity.topology = name
    }
    result.title = name
    result.manifest.flags["workload"] = name
    result.manifest.host.cpuModel = name
    result.missingFiles = [name]
    result.stalls = [MadeUpReport.stalls(of: name, [30])]
    let page = html(result, charts: [ReportChart(name: "lateness", drawing: .missing(name))])
    let escaped = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    #expect(!page.contains(name))
    // The title, the subject twice, the headline twice, three tables, a stall, a chart, the host and the flag.
    #expect(page.components(separatedBy: escaped).count - 1 >= 10)
  }

  @Test func `best cells and unacceptable rows have signs, not colour alone`() {
    let page = html(
      MadeUpReport.result(["a", "b"]) { trial in
        if trial.identity.topology == "b" {
          trial.measures.hitchTotalNanoseconds = 900_000_000
          trial.measures.hitchMicrosecondsPerSecond = 450_000
        }
      })
    let bad = #"<span class="badge bad"><span aria-hidden="true">✕</span>"#
    #expect(page.contains(#"<th role="rowheader" scope="row">b \#(bad) unacceptable</span></th>"#))
    #expect(page.contains("\(bad) poor</span>"))
    #expect(page.contains(#"<span class="star" aria-hidden="true">★</span><span class="spoken">best: </span>0.0</td>"#))
  }

  @Test func `the bands are named with their source`() {
    var result = MadeUpReport.result()
    #expect(html(result).contains("Apple&#39;s bands for scrolling: good &lt; 5, fair &lt;= 10, poor above"))
    #expect(html(result).contains("analyzing-responsiveness-issues-in-your-shipping-app"))
    result.manifest.flags["scroll-speed"] = "0"
    #expect(html(result).contains("Apple&#39;s bands for all animations"))
    #expect(html(result).contains("understanding-hitches-in-your-app"))
    #expect(html(result).contains("improving-app-responsiveness"))
  }

  @Test func `every column has its meaning, in the order of the tables`() {
    let titles = ReportTables(result: MadeUpReport.result()).printed.flatMap { $0.columns.dropFirst().map(\.title) }
    #expect(titles.map { $0.replacing(" (> 500 ms)", with: "") } == ColumnMeaning.all.map(\.term))
  }

  @Test func `what is missing is named in its place`() {
    var result = MadeUpReport.result()
    result.stalls = nil
    let page = html(
      result, charts: [ReportChart(name: "lateness", drawing: .missing("Not drawn: the folder lacks frames.csv."))])
    #expect(page.contains(#"<p class="missing">Missing: Results/latest has no stalls.csv.</p>"#))
    #expect(page.contains(#"<p class="missing">Not drawn: the folder lacks frames.csv.</p>"#))
    #expect(!page.contains("<svg"))
  }

  @Test func `the five longest stalls are sentences, and none is said to be none`() {
    var result = MadeUpReport.result()
    let stalls = [MadeUpReport.stalls(of: "a", [20, 30, 40]), MadeUpReport.stalls(of: "b", [50, 60, 70])]
    result.stalls = stalls
    let sentences = StallSentence.longest(6, of: stalls).map { "<li>\($0.text).</li>" }
    let page = html(result)
    #expect(sentences.count == 6)
    #expect(page.contains(sentences.prefix(5).joined(separator: "\n")))
    #expect(!page.contains(sentences[5]))
    #expect(html().contains("No frame started more than one tick interval late."))
    #expect(page.components(separatedBy: "<h2 id=\"stalls\">").count == 2)
  }

  @Test func `the stalls of the stack that the verdict takes come first`() throws {
    var result = MadeUpReport.result(["a", "b"]) { trial in
      if trial.identity.topology == "b" { trial.measures.hitchTotalNanoseconds = 70_000_000 }
    }
    result.stalls = [MadeUpReport.stalls(of: "a", [20]), MadeUpReport.stalls(of: "b", [50, 60])]
    let page = html(result)
    let own = try #require(page.firstRange(of: "<h2 id=\"best-stalls\">The longest stalls of a</h2>"))
    let all = try #require(page.firstRange(of: "<h2 id=\"stalls\">The longest stalls</h2>"))
    #expect(own.upperBound < all.lowerBound)
    let section = page[own.upperBound..<all.lowerBound]
    #expect(section.contains("<li>a, tick 0: 20.00 ms") && !section.contains("<li>b,"))
    result.stalls = [MadeUpReport.stalls(of: "b", [50, 60])]
    #expect(html(result).contains("of a</h2>\n<p class=\"missing\">No frame started"))
  }

  @Test func `a drawing becomes part of the page, with names of its own and the page's colours`() {
    let page = html(charts: [ReportChart(name: "lateness", drawing: .svg(Self.svg))])
    #expect(page.contains(#"<svg role="img" aria-labelledby="chart-lateness""#))
    #expect(
      page.contains(#"<figcaption id="chart-lateness" class="spoken">Frame lateness over time</figcaption>"#))
    #expect(page.contains("<circle id='lateness-gpPt5'") && page.contains("xlink:href='#lateness-gpPt5'"))
    #expect(page.contains(#"fill="var(--chart-paper)""#))
    #expect(page.contains(#"color="var(--chart-ink)" stroke="var(--chart-label)""#))
    // Colours that stand for something stay.
    #expect(page.contains("color='rgb(  0, 114, 178)'"))
    #expect(!page.contains("<?xml") && !page.contains("Gnuplot") && !page.contains("GNUPLOT"))
  }

  @Test func `a chart has a drawing for narrow pages beside the wide one, with names of its own`() {
    let both = html(charts: [ReportChart(name: "lateness", drawing: .svg(Self.svg), narrow: Self.svg)])
    #expect(both.contains(#"<div class="chart wide">"#) && both.contains(#"<div class="chart narrow">"#))
    #expect(both.contains("<circle id='lateness-gpPt5'") && both.contains("<circle id='lateness-phone-gpPt5'"))
    let wide = html(charts: [ReportChart(name: "lateness", drawing: .svg(Self.svg))])
    #expect(wide.contains(#"<div class="chart">"#) && !wide.contains("narrow\""))
  }

  @Test func `every figure carries the title of its column, for pages that have no room for a table`() {
    let page = html()
    for title in ["total hitch ms", "hitch ms/s", "stall p99 ms", "import s", "heap peak MB"] {
      #expect(page.contains("<td role=\"cell\" data-label=\"\(title)\""), "\(title)")
    }
    #expect(page.contains(#"<td role="cell" data-label="a""#))
  }

  @Test func `paths of this computer are not on the page, names of files and stacks are`() {
    var result = MadeUpReport.result()
    result.manifest.replay = "stackbench run --profile '/home/me/my phone.yaml' --topology worker-merge/reset --rows 5"
    result.manifest.flags["profile"] = "/home/me/my phone.yaml"
    result.manifest.flags["topology"] = "all-main worker-merge/reset"
    let page = html(result)
    #expect(!page.contains("/home") && !page.contains("me/my"))
    #expect(page.contains("--profile &#39;my phone.yaml&#39;") && page.contains("<dd>my phone.yaml</dd>"))
    #expect(page.contains("--topology worker-merge/reset") && page.contains("<dd>all-main worker-merge/reset</dd>"))
  }

  @Test(
    arguments: [
      ("--profile=a/b.yaml", "--profile=b.yaml"), ("~/feed.json", "feed.json"), ("../x/y", "y"), ("and/or", "and/or"),
      ("'profile=/a/b c.yaml,iphone-6s,d/e.yml'", "'profile=b c.yaml,iphone-6s,e.yml'"), ("70:25:5", "70:25:5"),
      ("three-tier/x 'a b'", "three-tier/x 'a b'"),
    ])
  func `a path is replaced by its last part`(text: String, shown: String) {
    #expect(LocalPath.removed(from: text) == shown)
  }

  @Test func `a simulated run has its replay, a live one its flags`() {
    var result = MadeUpReport.result()
    result.manifest.replay = "stackbench run --machine simulated --seed 7"
    #expect(
      html(result).contains(
        "<code><span>stackbench run</span> <span>--machine simulated</span> <span>--seed 7</span></code>"))
    result.manifest.replay = nil
    result.manifest.machine = "live"
    result.manifest.flags = [
      "rows": "100", "topology": "all-main worker-merge/reset", "workload": "my feed.json", "decode": "",
    ]
    #expect(
      RunDescription(manifest: result.manifest, roles: result.roles).command.joined(separator: " ")
        == "stackbench run --rows 100 --seed 1 --topology all-main --topology worker-merge/reset "
        + "--workload 'my feed.json'")
    #expect(html(result).contains("<span>--workload &#39;my feed.json&#39;</span>"))
  }

  @Test func `measures that nobody took are left out, and the others have their units`() {
    let page = html(MadeUpReport.result { $0.measures.heapPeakBytes = nil })
    #expect(!page.contains("heap_peak_bytes"))
    #expect(page.contains(#"scope="row">import <code>import_ns</code></th>"#) && page.contains("24.00 s</td>"))
  }
}
