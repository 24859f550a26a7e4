import Metrics

/// The gate's outcome for CI servers, as JUnit's XML: one suite for each run, and one case for each limit and for each
/// measure of a stack.
///
/// A measure that is worse is a failure, and so is a limit that is not kept. Each reason why a run cannot be compared is an error in a separate case.
package struct GateJUnit: Sendable {
  private let report: GateOutcome

  package init(_ report: GateOutcome) {
    self.report = report
  }

  package var text: String {
    let suites = report.comparisons.map(suite)
    let mismatches = report.comparisons.reduce(0) { $0 + $1.mismatches.count }
    let attributes = attributes([
      ("name", "stackbench gate"), ("tests", "\(report.changeCount + report.limitCount + mismatches)"),
      ("failures", "\(report.count(.worse) + report.brokenLimits.count)"), ("errors", "\(mismatches)"),
    ])
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(attributes)>\n\(suites.joined())</testsuites>\n"
  }

  private func suite(_ comparison: GateComparison) -> String {
    let changes = comparison.stacks.flatMap(\.changes)
    let attributes = attributes([
      ("name", comparison.run), ("tests", "\(changes.count + comparison.limits.count + comparison.mismatches.count)"),
      ("failures", "\(changes.count { $0.verdict == .worse } + comparison.limits.count { !$0.isKept })"),
      ("errors", "\(comparison.mismatches.count)"),
    ])
    let cases =
      comparison.mismatches.enumerated().map { index, mismatch in
        element(
          className: comparison.run, name: "comparable \(index + 1)",
          outcome: "<error\(self.attributes([("type", mismatch.kind.rawValue), ("message", mismatch.message)]))/>")
      } + comparison.limits.map { element($0, in: comparison.run) }
      + comparison.stacks.flatMap { stack in stack.changes.map { element($0, of: stack, in: comparison.run) } }
    let bands = comparison.stacks.compactMap { stack in
      stack.band.map { "\(stack.name): Apple's band for hitches: \($0.text)" }
    }
    let lines = comparison.changed + bands
    let output =
      lines.isEmpty ? "" : "    <system-out>\(HTMLText.escaped(lines.joined(separator: "\n")))</system-out>\n"
    return "  <testsuite\(attributes)>\n\(cases.joined())\(output)  </testsuite>\n"
  }

  private func element(_ change: GateChange, of stack: GateComparison.Stack, in run: String) -> String {
    let name = "\(run).\(stack.name)"
    guard change.verdict == .worse else {
      let hasMoved = change.verdict == .better || change.isUncertain
      let note = change.verdict == .better ? "better" : "within chance"
      return element(
        className: name, name: change.measure.name,
        outcome: hasMoved ? "<system-out>\(HTMLText.escaped("\(note): \(change.sentence)"))</system-out>" : nil)
    }
    let message =
      "\(change.beforeText) -> \(change.nowText) "
      + "(\(change.shareText))"
    let details = ["evidence: \(change.evidence.rawValue)"] + GateExcerpt(stack, verdict: .worse).explanations
    return element(
      className: name, name: change.measure.name,
      outcome:
        "<failure\(attributes([("type", "worse"), ("message", message)]))>\(HTMLText.escaped(details.joined(separator: "\n")))"
        + "</failure>")
  }

  private func element(_ result: GateLimitResult, in run: String) -> String {
    element(
      className: "\(run).\(result.stack)", name: "limit \(result.limit.name)",
      outcome: result.isKept
        ? "<system-out>\(HTMLText.escaped(result.sentence))</system-out>"
        : "<failure\(attributes([("type", "limit"), ("message", result.sentence)]))/>")
  }

  private func element(className: String, name: String, outcome: String?) -> String {
    let attributes = attributes([("classname", className), ("name", name)])
    return outcome.map { "    <testcase\(attributes)>\($0)</testcase>\n" } ?? "    <testcase\(attributes)/>\n"
  }

  private func attributes(_ attributes: [(name: String, value: String)]) -> String {
    attributes.map { " \($0.name)=\"\(HTMLText.escaped($0.value))\"" }.joined()
  }
}
