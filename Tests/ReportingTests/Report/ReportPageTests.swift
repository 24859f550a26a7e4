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

  private func html(
    _ result: ReportedResult = MadeUpReport.result(), charts: [ReportChart] = [], picture: ReportChart? = nil
  ) -> String {
    RunReport(result: result, answer: MadeUpReport.answer(result), picture: picture, charts: charts).html
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

  @Test func `the first screen is the answer, its picture and its command, and the rest is closed`() throws {
    let picture = ReportChart(name: ReportChart.stackName, drawing: .svg(Self.svg))
    let page = html(
      MadeUpReport.result(["a", "b"]) { trial in
        if trial.identity.topology == "b" { trial.measures.hitchTotalNanoseconds = 70_000_000 }
      }, picture: picture)
    let folded = try #require(page.range(of: "<details>"))
    let first = page[..<folded.lowerBound]
    for part in [
      "<h1>Take a</h1>", "<dt>Take</dt><dd>a (#1): a stack.</dd>", "<dt>Best</dt>", "<dt>Smooth</dt>", "<dt>Next</dt>",
      "aria-labelledby=\"chart-stack\"", "<span>stackbench topologies a</span>",
    ] {
      #expect(first.contains(part), "\(part)")
    }
    #expect(!first.contains("<dt>Changes</dt>") && !first.contains("<table"))
    #expect(!page.contains("<details open"))
  }

  @Test func `a run that was made once says what its answer lacks`() {
    #expect(html(MadeUpReport.result(["a"])).contains("<dt>Best</dt><dd>no other stack was run.</dd>"))
    let simulated = html(MadeUpReport.result(["a", "b"]))
    #expect(simulated.contains("first by the profile&#39;s values; no devices were drawn"))
    let live = html(MadeUpReport.result(["a", "b"], machine: "live"))
    #expect(live.contains("first in a single trial, which may be chance"))
    let repeated = html(MadeUpReport.result(["a", "b"], trials: 3, machine: "live"))
    #expect(repeated.contains("first in 3 of 3 trials; b in 3."))
    #expect(repeated.contains("good by Apple&#39;s bands in 3 of 3."))
  }

  @Test func `figures of several trials have their ranges below them`() {
    let page = html(
      MadeUpReport.result(["a"], trials: 3, machine: "live") { trial in
        trial.measures.hitchTotalNanoseconds = Int64(trial.identity.trial) * 10_000_000
      })
    #expect(page.contains(#"class="number">20.0 <span class="remark">10.0-30.0</span></td>"#))
    #expect(page.contains(#"20.00 ms <span class="remark">10.00 ms to 30.00 ms</span></td>"#))
    #expect(page.contains("Below it are the least and the greatest value."))
    #expect(!html(MadeUpReport.result(["a"])).contains("<span class=\"remark\">1 of 1"))
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
    #expect(
      page.contains(#"<th role="rowheader" scope="row">b <span class="remark">\#(bad) unacceptable</span></span></th>"#)
    )
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
    let parts = html(result).components(separatedBy: "<h2 id=\"stalls\">")
    #expect(sentences.count == 6 && parts.count == 2)
    #expect(parts[1].contains(sentences.prefix(5).joined(separator: "\n")))
    #expect(!parts[1].contains(sentences[5]))
    #expect(html().contains("No frame started more than one tick interval late."))
  }

  @Test func `the stalls of the stack that the answer takes come first`() throws {
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
    #expect(html(result).contains("of a</h2></summary>\n<p class=\"missing\">No frame started"))
  }

  @Test func `a drawing becomes part of the page, with names of its own and the page's colours`() {
    let page = html(charts: [ReportChart(name: "lateness", drawing: .svg(Self.svg))])
    #expect(page.contains(#"<svg role="img" aria-labelledby="chart-lateness""#))
    #expect(
      page.contains(#"<figcaption id="chart-lateness" class="spoken">Frame lateness over time</figcaption>"#))
    #expect(page.contains("<circle id='lateness-gpPt5'") && page.contains("xlink:href='#lateness-gpPt5'"))
    #expect(page.contains(#"fill="var(--chart-paper)""#))
    #expect(page.contains(#"color="var(--chart-ink)" stroke="var(--chart-label)""#))
    // Colours with a meaning stay.
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

  @Test func `the command and the flags name files as the user did`() {
    var result = MadeUpReport.result()
    result.manifest.replay = "stackbench run --profile '../my phone.yaml' --topology worker-merge/reset --rows 5"
    result.manifest.flags["profile"] = "../my phone.yaml"
    let page = html(result)
    #expect(
      page.contains("<span>--profile &#39;../my phone.yaml&#39;</span> <span>--topology worker-merge/reset</span>"))
    #expect(page.contains("<dd>../my phone.yaml</dd>"))
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
    #expect(
      page.contains(#"scope="row">import <span class="remark"><code>import_ns</code></span></th>"#)
        && page.contains("24.00 s</td>"))
  }
}
