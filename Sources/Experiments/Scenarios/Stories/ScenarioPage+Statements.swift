import OrderedCollections
import Reporting
import TrialProcesses

extension ScenarioPage {
  /// The section with the SQL statements that the main thread ran on one side more often than on the other, at most
  /// three, or no section if both sides ran the same.
  var statements: [Page.Section] {
    let trouble = Self.statements(of: outcome.trouble)
    let cure = Self.statements(of: outcome.cure)
    let shown = trouble.keys.union(cure.keys).elements.filter { trouble[$0] != cure[$0] }.prefix(3).map { sql in
      Figure(name: sql, trouble: trouble[sql] ?? 0, cure: cure[sql] ?? 0)
    }
    guard !shown.isEmpty else { return [] }
    let table = PageTable(
      of: shown,
      [
        PageColumn.code("SQL on the main thread") { $0.name },
        PageColumn("trouble", .right) { CountText.grouped($0.trouble) },
        PageColumn("cure", .right) { CountText.grouped($0.cure) },
      ])
    let items = shown.map { row in
      Page.Item(
        PageText(
          "SQL on the main thread, \(CountText.of(row.trouble, "time")), with the cure "
            + "\(CountText.of(row.cure, "time")): \(row.name)"))
    }
    return [Page.Section([.fitting(table, otherwise: [Page.Section([.list(Page.List(nil, items))])])])]
  }

  /// Returns the statements of the main thread with their numbers, without those that begin and end transactions.
  private static func statements(of run: RecordedRun) -> OrderedDictionary<String, Int> {
    run.mainSteps.reduce(into: [:]) { counts, step in
      let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE"]
      guard let sql = step.sql, verbs.contains(where: { sql.hasPrefix($0) }) else { return }
      counts[sql, default: 0] += step.count
    }
  }
}
