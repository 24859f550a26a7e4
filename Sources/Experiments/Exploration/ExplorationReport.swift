import MachineSimulated
import Reporting

/// The outcomes of explorations in the forms in which they are printed.
package struct ExplorationReport: Sendable {
  /// The exploration of one program.
  package struct Subject: Sendable {
    /// The name of the stack or the scenario.
    package var name: String
    package var outcome: Exploration.Outcome
    /// The command that repeats the schedule that broke a law, or nil if none did.
    package var replay: String?

    package init(name: String, outcome: Exploration.Outcome, replay: String?) {
      self.name = name
      self.outcome = outcome
      self.replay = replay
    }
  }

  private let subjects: [Subject]
  private let description: String
  private let device: String

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - subjects: The explorations in the order in which they are printed.
  ///   - description: A sentence about what each schedule contains.
  ///   - device: The name of the simulated device.
  package init(_ subjects: [Subject], description: String, device: String) {
    self.subjects = subjects
    self.description = description
    self.device = device
  }

  /// True if no schedule broke a law.
  package var isClean: Bool { subjects.allSatisfy { $0.outcome.failureCount == 0 } }
}

extension ExplorationReport: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .markdown, .json]
  package static let titleLevel = 2

  package func pages(for format: OutputFormat) -> [Page] { [page] }

  package var json: any Encodable {
    let subjects = subjects.map { subject -> JSONObject in
      let outcome = subject.outcome
      let shortened: [JSONObject]? = outcome.shortened?.map { ["decision": $0.decision, "choice": $0.choice] }
      return .leavingOutNulls([
        "name": subject.name, "schedules_count": outcome.count, "without_edit_count": outcome.incompleteCount,
        "orders_count": outcome.orderCount, "decisions_count": outcome.decisionCount,
        "failures_count": outcome.failureCount, "is_exhausted": outcome.isExhausted,
        "complaint": outcome.first?.complaint, "seed": outcome.first?.seed,
        "replay": subject.replay,
        "shortened": shortened,
      ])
    }
    let object: JSONObject = ["schema": 1, "profile": device, "subjects": subjects]
    return object
  }
}

// MARK: - The page

extension ExplorationReport {
  private var page: Page {
    let orders = subjects.reduce(0) { $0 + $1.outcome.orderCount }
    let schedules = subjects.reduce(0) { $0 + $1.outcome.count }
    let table = PageTable(
      of: subjects,
      [
        .code("explored", text: \.name),
        PageColumn("schedules", .right) { CountText.grouped($0.outcome.count) },
        PageColumn("orders", .right) { CountText.grouped($0.outcome.orderCount) },
        PageColumn("no edit", .right) { CountText.grouped($0.outcome.incompleteCount) },
        PageColumn("decisions", .right) { CountText.grouped($0.outcome.decisionCount) },
        PageColumn("failures", .right) { CountText.grouped($0.outcome.failureCount) },
      ])
    let isExhausted = subjects.allSatisfy(\.outcome.isExhausted)
    let sum =
      "\(CountText.of(orders, "different order")) of events in \(CountText.of(schedules, "schedule")): "
      + (isClean ? "no law was broken." : "a law was broken.")
      + (isExhausted ? " These are all schedules within the depth." : "")
    return Page(
      sections: [
        Page.Section([.paragraphs([PageText("\(description) Simulated on \(device), in virtual time.")])]),
        Page.Section([.table(table)]),
      ] + subjects.compactMap(section) + [
        Page.Section([.paragraphs([isClean ? "\(sum, .good)" : "\(sum, .bad)"])])
      ])
  }

  private func section(_ subject: Subject) -> Page.Section? {
    guard let failure = subject.outcome.first else { return nil }
    let complaint = failure.complaint.sentenceCased
    var sentences = [PageText(complaint.hasSuffix(".") ? complaint : "\(complaint).")]
    if let seed = failure.seed {
      let found = "Found with the seed \(seed)"
      let shortened = subject.outcome.shortened.map { shortened in
        ", with \(CountText.of(failure.deviations.count, "choice")) against the usual order; "
          + (shortened.isEmpty ? "none is necessary" : "\(shortened.count) are enough")
      }
      sentences.append(PageText("\(found)\(shortened ?? "")."))
    }
    if let replay = subject.replay { sentences.append("Repeat it: \(command: replay)") }
    return Page.Section(
      PageText(subject.name), [.paragraphs(sentences)] + (subject.outcome.interleaving?.blocks ?? []))
  }
}
