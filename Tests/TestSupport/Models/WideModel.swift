import ContextEngine

/// A model for tests of entities with more slots than a word has bits. A report has 1,100 attributes of different types
/// and to-one relationships behind them; an annual report inherits from it.
package enum WideModel {
  /// The number of a report's own attributes.
  package static let attributeCount = 1_100

  package static let model = ManagedObjectModel([
    .init(
      "Report",
      attributes: attributes + [
        .init("scratch", .string, isTransient: true),
        .init("upper", .string, derivationExpression: "uppercase:(a1097)"),
        .init("scan", .binary, allowsExternalBinaryDataStorage: true),
        .init("kept", .string, preservesValueInHistoryOnDeletion: true),
        .init("code", .integer64),
        .init("mandatory", .integer64, isOptional: false, defaultValue: .integer(0)),
      ],
      relationships: [
        .init("author", to: "Writer", inverse: "reports"), .init("previous", to: "Report", inverse: "next"),
        .init("next", to: "Report", inverse: "previous", deleteRule: .cascade),
      ], uniquenessConstraints: [["code"]]),
    .init("AnnualReport", attributes: [.init("year", .integer16)], superentity: "Report"),
    .init(
      "Writer", attributes: [.init("name", .string)],
      relationships: [.init("reports", to: "Report", inverse: "author", isToMany: true, isOrdered: true)]),
  ])

  private static var attributes: [AttributeDescription] {
    (0..<attributeCount).map { .init("a\($0)", $0 % 3 == 0 ? .integer64 : $0 % 3 == 1 ? .double : .string) }
  }

  package static let report = model.entity("Report")
  package static let annual = model.entity("AnnualReport")
  package static let writer = model.entity("Writer")

  /// Returns the value that the tests give to an attribute, which depends on the attribute's number and a seed.
  package static func value(of number: Int, _ seed: Int) -> Value {
    switch number % 3 {
    case 0: .integer(Int64(number * 31 + seed))
    case 1: .double(Double(number) / 8 + Double(seed))
    default: .string("\(number) of \(seed)")
    }
  }
}

extension ManagedObjectContext {
  /// Inserts a report of an entity with all its numbered attributes set.
  @discardableResult
  package func insertReport(_ seed: Int, _ entity: EntityDescription = WideModel.report) -> ManagedObject {
    let report = insert(entity)
    for number in 0..<WideModel.attributeCount { report["a\(number)"] = WideModel.value(of: number, seed) }
    report["code"] = .integer(Int64(seed))
    return report
  }

  /// Returns the only report of a seed.
  package func report(_ seed: Int) throws -> ManagedObject {
    let path = WideModel.report.path("a0")
    let found = try fetch(FetchRequest(WideModel.report, predicate: .equal(path, WideModel.value(of: 0, seed))))
    guard found.count == 1 else { throw MissingObject(name: "report \(seed)") }
    return found[0]
  }
}

extension ManagedObject {
  /// Returns the numbers of the attributes that do not have the value of a seed.
  package func differences(from seed: Int) -> [Int] {
    (0..<WideModel.attributeCount).filter { self["a\($0)"] != WideModel.value(of: $0, seed) }
  }
}
