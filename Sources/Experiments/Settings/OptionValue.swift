import Harness
import MachineCore
import Reporting
import Topologies
import Workloads

/// Reads the values of flags. Its errors describe only what is wrong and which values are valid, since a message puts
/// the flag and its value before them.
package enum OptionValue {
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) {
      self.description = description
    }
  }

  /// Returns the value of a body that reads a field of a workload, and turns its error into a refusal.
  static func refused<Value>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as WorkloadError {
      throw Refusal(description: error.message)
    }
  }

  /// Returns a function that reads a whole number in a range.
  package static func integer(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      guard let value = Int(text) else {
        throw Refusal(description: "not a whole number; use \(range.lowerBound) to \(range.upperBound)")
      }
      guard range.contains(value) else {
        throw Refusal(description: "out of range; use \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
  }

  /// Returns a function that reads a number of milliseconds from 0 to `limit`. It is rounded to whole nanoseconds.
  package static func milliseconds(upTo limit: Int) -> @Sendable (String) throws -> TimeSpan {
    span(in: "milliseconds", of: 1_000_000, upTo: limit)
  }

  /// Returns a function that reads a number of microseconds from 0 to `limit`. It is rounded to whole nanoseconds.
  static func microseconds(upTo limit: Int) -> @Sendable (String) throws -> TimeSpan {
    span(in: "microseconds", of: 1_000, upTo: limit)
  }

  /// Returns a function that reads a number of seconds from 0 to `limit`. It is rounded to whole nanoseconds.
  package static func seconds(upTo limit: Int) -> @Sendable (String) throws -> TimeSpan {
    span(in: "seconds", of: 1_000_000_000, upTo: limit)
  }

  /// Reads a number of per cent from 0 to 100, which may have decimal places.
  static func percent(_ text: String) throws -> Double {
    guard let value = number(text), value <= 100 else {
      throw Refusal(description: "not a percentage; use 0 to 100")
    }
    return value
  }

  /// Returns the value of digits with at most one point among them, or nil for any other text.
  private static func number(_ text: String) -> Double? {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    return isPlain ? Double(text) : nil
  }

  private static func span(
    in units: String, of nanoseconds: Double, upTo limit: Int
  ) -> @Sendable (String) throws -> TimeSpan {
    { text in
      guard let value = number(text) else {
        throw Refusal(description: "not a number of \(units); use 0 to \(limit)")
      }
      guard value <= Double(limit) else {
        throw Refusal(description: "out of range; use 0 to \(limit) \(units)")
      }
      return TimeSpan(nanoseconds: Int64((value * nanoseconds).rounded()))
    }
  }

  /// Returns a function that reads one of `names`.
  ///
  /// The function throws `Refusal` for any other text. Its message begins with the reason that `later` has for the
  /// text, if there is one.
  package static func name(of names: [String], later: [String: String] = [:]) -> @Sendable (String) throws -> String {
    { text in
      guard names.contains(text) else { throw refusal(of: text, among: names, because: later[text]) }
      return text
    }
  }

  /// Returns a function that reads the raw value of one of some values. It throws `Refusal` for any other text.
  package static func choice<Value: RawRepresentable<String> & Sendable>(
    of values: [Value]
  ) -> @Sendable (String) throws -> Value {
    { text in
      guard let value = values.first(where: { $0.rawValue == text }) else {
        throw refusal(of: text, among: values.map(\.rawValue))
      }
      return value
    }
  }

  private static func refusal(of text: String, among names: [String], because reason: String? = nil) -> Refusal {
    let choice = names.count == 1 ? "use \(names[0])" : "use one of \(names.joined(separator: ", "))"
    return Refusal(
      description: reason.map { "\($0); \(choice)" }
        ?? "not known; \(NearestName.clause(text, among: names))\(choice)")
  }

  /// Reads the time at which a root saves to the store.
  static func storeSave(_ text: String) throws -> StoreSave {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("immediate", 1): return .immediate
    case ("at-end", 1): return .atEnd
    case ("every", 2): return .every(try interval(parts[1]))
    case ("idle", 2): return .idle(try interval(parts[1]))
    default: throw Refusal(description: "not known; use \(StoreSave.choices)")
    }
  }

  /// Reads a number of milliseconds above 0.
  private static func interval(_ text: String) throws -> TimeSpan {
    let span = try milliseconds(upTo: 3_600_000)(text)
    guard span > .zero else { throw Refusal(description: "zero; use immediate") }
    return span
  }

  /// Reads a fault of files.
  static func fileFault(_ text: String) throws -> FileFault {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let kind = try choice(of: FileFault.Kind.allCases)(parts[0])
    guard parts.count == 2, let number = Int(parts[1]), (1...largestCallNumber).contains(number) else {
      throw Refusal(
        description: "has no number of a call; use \(kind.rawValue):N with 1 to \(largestCallNumber)")
    }
    return FileFault(kind, at: number)
  }

  private static let largestCallNumber = 1_000_000_000

  /// Reads a seed.
  package static func seed(_ text: String) throws -> UInt64 {
    guard let value = UInt64(text) else {
      throw Refusal(description: "not a seed; use a whole number from 0 to \(UInt64.max)")
    }
    return value
  }

  /// Reads different names with commas between them.
  static func names(_ text: String) throws -> [String] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains(""), Set(names).count == names.count else {
      throw Refusal(description: "not a list of different names; use A,B,…")
    }
    return names
  }

  /// Reads a path, or any other text that is not empty.
  package static func path(_ text: String) throws -> String {
    guard !text.isEmpty else { throw Refusal(description: "empty; use the path of a folder") }
    return text
  }
}
