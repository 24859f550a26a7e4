import Reporting
import TrialProcesses

/// The SQL statements that the main thread ran on one side more often than on the other.
struct MainStatements {
  private struct Row: Hashable {
    var sql: String
    var trouble: Int
    var cure: Int
  }

  private let rows: [Row]

  /// The largest number of rows.
  private static let limit = 3

  /// Compares two sides.
  init(_ outcome: ScenarioOutcome) {
    let trouble = Self.counts(of: outcome.trouble)
    let cure = Self.counts(of: outcome.cure)
    let texts = trouble.map(\.sql) + cure.map(\.sql).filter { sql in !trouble.contains { $0.sql == sql } }
    rows = texts.map { sql in
      Row(
        sql: sql, trouble: trouble.first { $0.sql == sql }?.count ?? 0,
        cure: cure.first { $0.sql == sql }?.count ?? 0)
    }.filter { $0.trouble != $0.cure }
  }

  /// Returns the statements of the main thread without those that begin and end transactions.
  private static func counts(of run: RecordedRun) -> [RecordedRun.Statement] {
    run.statements.filter { statement in
      statement.thread == ScheduleThreads.main
        && ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { statement.sql.hasPrefix($0) }
    }
  }

  /// The section with the statements, or no section if both sides ran the same.
  var sections: [Page.Section] {
    guard !rows.isEmpty else { return [] }
    let shown = Array(rows.prefix(Self.limit))
    let table = PageTable(
      of: shown,
      [
        PageColumn.code("SQL on the main thread") { $0.sql },
        PageColumn("trouble", .right) { CountText.grouped($0.trouble) },
        PageColumn("cure", .right) { CountText.grouped($0.cure) },
      ])
    let items = shown.map { row in
      Page.Item(
        PageText(
          "SQL on the main thread, \(CountText.of(row.trouble, "time")), with the cure "
            + "\(CountText.of(row.cure, "time")): \(row.sql)"))
    }
    return [Page.Section([.fitting(table, otherwise: [Page.Section([.list(Page.List(nil, items))])])])]
  }
}
