import Foundation

/// Checks the inputs of computations in a closed store: which of them exist, and which have a result.
///
/// The inputs belong to no entity of the workload, so the digest does not include them.
package struct ComputationCheck: Sendable {
  /// The facts about one computation that the app has recorded.
  package struct Fact: Hashable, Sendable {
    /// The numbers of the inputs.
    package var numbers: Range<Int64>
    /// The number of the input whose deletion the user's save has accepted.
    package var deleted: Int64
    /// True if a save has accepted the result.
    package var isSaved: Bool

    package init(numbers: Range<Int64>, deleted: Int64, isSaved: Bool) {
      self.numbers = numbers
      self.deleted = deleted
      self.isSaved = isSaved
    }
  }

  private let entity: String
  private let amounts: [Int64]
  private let mayRestore: Bool

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity of the inputs.
  ///   - amounts: The amount of each input, by its number. A result is the sum of the amounts of a computation's inputs.
  ///   - mayRestore: True if a saved result may bring a deleted input back, because the merge policy of a context lets
  ///     its changes take precedence over a deletion.
  package init(entity: String, amounts: [Int64], mayRestore: Bool) {
    self.entity = entity
    self.amounts = amounts
    self.mayRestore = mayRestore
  }

  private struct Row {
    var amount: Int64
    var result: Int64?
  }

  /// Compares the rows of the inputs with the facts, and adds the differences to a report.
  ///
  /// A result must be in all inputs of a computation that was saved, and in no others. A deleted input must be
  /// missing. If results may restore inputs, it may also exist with the result, provided that this was saved.
  ///
  /// - Returns: For each fact, true if the deleted input exists.
  /// - Throws: `VerificationError` if the file cannot be read.
  package func check(
    storeAt file: URL, against facts: [Fact], _ report: inout VerificationReport
  ) throws(VerificationError) -> [Bool] {
    let rows = try rows(of: SQLiteFile(reading: file), &report)
    var isUsed = [Bool](repeating: false, count: amounts.count)
    var restored: [Bool] = []
    for fact in facts {
      let result = fact.numbers.reduce(0) { $0 + amounts[Int($1)] }
      var isRestored = false
      for number in fact.numbers {
        isUsed[Int(number)] = true
        guard let row = rows[number] else {
          if number != fact.deleted { report.add(nil, "\(entity) \(number) is missing") }
          continue
        }
        if number == fact.deleted {
          isRestored = true
          if !mayRestore || !fact.isSaved { report.add(nil, "\(entity) \(number) was deleted and exists") }
        }
        compare(row.result, with: fact.isSaved ? result : nil, number: number, report: &report)
      }
      restored.append(isRestored)
    }
    for number in amounts.indices where !isUsed[number] {
      guard let row = rows[Int64(number)] else {
        report.add(nil, "\(entity) \(number) is missing")
        continue
      }
      compare(row.result, with: nil, number: Int64(number), report: &report)
    }
    return restored
  }

  private func rows(
    of file: SQLiteFile, _ report: inout VerificationReport
  ) throws(VerificationError) -> [Int64: Row] {
    var rows: [Int64: Row] = [:]
    var problems: [String] = []
    try file.forEachRow("SELECT ZNUMBER, ZAMOUNT, ZRESULT FROM Z\(entity.uppercased()) ORDER BY Z_PK") { row in
      let number = row.integer(0)
      let found = Row(amount: row.integer(1), result: row.integerIfPresent(2))
      if rows.updateValue(found, forKey: number) != nil { problems.append("\(entity) \(number) exists twice") }
      if !amounts.indices.contains(Int(number)) || amounts[Int(number)] != found.amount {
        problems.append("\(entity) \(number) has the amount \(found.amount), which nobody gave to it")
      }
    }
    for problem in problems { report.add(nil, problem) }
    return rows
  }

  private func compare(
    _ found: Int64?, with right: Int64?, number: Int64, report: inout VerificationReport
  ) {
    guard found != right else { return }
    func text(_ value: Int64?) -> String { value.map(String.init) ?? "absent" }
    report.add(nil, "\(entity) \(number): result is \(text(found)) and should be \(text(right))")
  }
}
