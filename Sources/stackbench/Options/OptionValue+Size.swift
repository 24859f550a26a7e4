import Foundation

extension OptionValue {
  private static let sizeUnits: [(name: String, bytes: Double)] = [
    ("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("KiB", 1_024), ("MiB", 1_048_576),
    ("GiB", 1_073_741_824),
  ]

  /// A number of bytes: with a unit, such as `60MB`, `1.5 MiB` or `512kB`, or plain bytes. Units are taken in any case.
  static func size(_ text: String) throws -> Int64 {
    let choices = "use bytes, or a number with a unit such as 512kB, 60MB or 60MiB"
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    guard let value = Double(number), number.first?.isNumber == true else {
      throw Refusal(description: "not a size; \(choices)")
    }
    guard !unit.isEmpty else {
      guard let bytes = Int64(number) else { throw Refusal(description: "not a whole number of bytes; \(choices)") }
      return bytes
    }
    guard let found = sizeUnits.first(where: { $0.name.lowercased() == unit.lowercased() }) else {
      throw Refusal(description: "\(unit): no unit of sizes; \(choices)")
    }
    let bytes = (value * found.bytes).rounded()
    guard bytes < Double(Int64.max) else { throw Refusal(description: "out of range; \(choices)") }
    return Int64(bytes)
  }
}
