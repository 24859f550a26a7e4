import Foundation

/// The different values of an attribute that the rules of a model allow, numbered from 0. A pattern is not considered.
struct DistinctValues {
  /// The number of values, or nil if it is larger than any number of rows.
  let count: Int64?
  private let make: (Int64) -> FieldValue

  private init(_ count: Int64? = nil, _ make: @escaping (Int64) -> FieldValue) {
    self.count = count
    self.make = make
  }

  /// Returns the value with a number, and the part of the number that the value cannot hold.
  func value(_ number: Int64) -> (value: FieldValue, rest: Int64) {
    guard let count else { return (make(number), 0) }
    return (make(number % count), number / count)
  }

  init(_ attribute: FeedMapping.Attribute) {
    switch attribute.type {
    case .uuid: self.init { .uuid(Self.uuid($0)) }
    case .string: self.init(strings: attribute.declaration)
    case .uri: self.init { .uri("https://example.org/rows/\($0)") }
    case .integer16: self.init(Int64(Int16.min)...Int64(Int16.max), attribute.declaration)
    case .integer32: self.init(Int64(Int32.min)...Int64(Int32.max), attribute.declaration)
    case .integer64: self.init(Int64.min...Int64.max, from: 1, attribute.declaration)
    case .date: self.init(attribute.declaration, steps: 1_000_000) { .date($0) }
    case .double: self.init(attribute.declaration, steps: 1_000_000) { .double($0) }
    case .float: self.init(attribute.declaration, steps: 1_000, most: 16_000_000) { .double(Double(Float($0))) }
    case .decimal:
      self.init(attribute.declaration, steps: 1_000_000) { .decimal(Decimal(string: "\($0)") ?? Decimal($0)) }
    case .boolean: self.init(2) { .boolean($0 == 1) }
    case .binary, .transformable:
      self.init { number in .binary(Data((0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * $0)) })) }
    }
  }

  private static func uuid(_ number: Int64) -> UUID {
    var bytes = [UInt8](repeating: 0, count: 16)
    for place in 0..<8 { bytes[15 - place] = UInt8(truncatingIfNeeded: number >> Int64(8 * place)) }
    bytes[6] = 0x40
    bytes[8] = 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Creates short texts of as many characters as the attribute allows, or longer ones.
  private init(strings attribute: ModelDocument.Attribute) {
    if let most = attribute.maximumLength, most < 8 {
      self.init((0..<most).reduce(1) { count, _ in count * 36 }) { number in
        guard most > 0 else { return .string("") }
        let text = String(number, radix: 36)
        return .string(String(repeating: "0", count: most - text.count) + text)
      }
      return
    }
    let least = attribute.minimumLength ?? 0
    self.init { number in
      let digits = String(number, radix: 36)
      let text = "r" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
      return .string(text + String(repeating: "a", count: max(0, least - text.count)))
    }
  }

  /// Creates the whole numbers of a type that an attribute allows, those from `first` upwards before those below it.
  private init(_ type: ClosedRange<Int64>, from first: Int64 = 0, _ attribute: ModelDocument.Attribute) {
    let low = max(type.lowerBound, attribute.minimum?.fieldValue.wholeNumber ?? type.lowerBound)
    let high = max(low, min(type.upperBound, attribute.maximum?.fieldValue.wholeNumber ?? type.upperBound))
    let start = first > high || attribute.minimum != nil ? low : first
    let (span, overflows) = high.subtractingReportingOverflow(low)
    self.init(overflows || span > 1_000_000_000_000 ? nil : span + 1) { number in
      let (last, isBeyond) = high.subtractingReportingOverflow(start)
      return .integer(isBeyond || number <= last ? start + number : low + number - last - 1)
    }
  }

  /// Creates the whole numbers that an attribute allows, or fractions in a number of steps if these are few. `most` is
  /// the largest number of different whole numbers.
  private init(
    _ attribute: ModelDocument.Attribute, steps: Int64, most: Int64? = nil, _ make: @escaping (Double) -> FieldValue
  ) {
    let low = attribute.minimum?.number
    let high = attribute.maximum?.number
    guard let first = low?.rounded(.up) ?? high?.rounded(.down) else {
      self.init(most) { make(Double($0)) }
      return
    }
    guard let low, let high else {
      self.init(most) { make(high == nil ? first + Double($0) : first - Double($0)) }
      return
    }
    let whole = high.rounded(.down) - first + 1
    if whole >= Double(steps) {
      self.init(min(Int64(exactly: whole) ?? .max, most ?? .max)) { make(first + Double($0)) }
    } else {
      self.init(high > low ? steps : 1) { make(min(high, low + (high - low) * (Double($0) / Double(steps)))) }
    }
  }
}

extension ModelDocument.Value {
  /// The bound of numbers or dates as a number.
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value), .date(let value): value
    case .decimal(let value): Double("\(value)")
    case .boolean, .string, .uuid, .uri: nil
    }
  }
}
