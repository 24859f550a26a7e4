import Foundation
import MachineCore

/// Draws the values of generated records.
struct RecordValues {
  private var random: SeededRandom
  /// Indicates whether an update changes the name too, and with it the row's place in a list.
  private let updatesNames: Bool

  init(random: SeededRandom, updatesNames: Bool = false) {
    self.random = random
    self.updatesNames = updatesNames
  }

  /// Returns values for a new row of an entity.
  mutating func values(for entity: WorkloadSchema.Entity, key: String) -> [FieldValue] {
    entity.attributes.indices.map { index in
      entity.keyIndexes.contains(index) ? .string(key) : value(of: entity.attributes[index])
    }
  }

  /// Returns values for an update. Every attribute changes except the key and, unless names are updated, the name.
  mutating func changedValues(for entity: WorkloadSchema.Entity, from old: [FieldValue]) -> [FieldValue] {
    entity.attributes.indices.map { index in
      let attribute = entity.attributes[index]
      if entity.keyIndexes.contains(index) || (attribute.name == "name" && !updatesNames) { return old[index] }
      var new = value(of: attribute)
      while new == old[index] { new = value(of: attribute) }
      return new
    }
  }

  private mutating func value(of attribute: WorkloadSchema.Attribute) -> FieldValue {
    value(of: attribute.name, attribute.type)
  }

  /// Returns a value of an attribute, by its name and its type.
  mutating func value(of name: String, _ type: ValueType) -> FieldValue {
    switch (type, name) {
    case (.string, "detail"): .string(sentence(ofLength: 60))
    case (.string, "currency"): .string(RecordValues.currencies[random.below(RecordValues.currencies.count)])
    case (.string, _): .string(word())
    case (.double, _), (.float, _): .double(Double(1 + random.below(99_999)) / 100)
    case (.integer64, _), (.integer32, _): .integer(Int64(random.below(1_000_000)))
    case (.integer16, _): .integer(Int64(random.below(10_000)))
    case (.decimal, _): .decimal(Decimal(1 + random.below(99_999)) / 100)
    case (.binary, _), (.transformable, _): .binary(Data((0..<8).map { _ in UInt8(random.below(256)) }))
    case (.uuid, _): .uuid(uuid())
    case (.uri, _): .uri("https://example.org/" + word().lowercased())
    case (.boolean, _): .boolean(random.below(2) == 1)
    case (.date, _): .date(Double(RecordValues.firstSecond + random.below(RecordValues.secondCount)))
    }
  }

  private mutating func uuid() -> UUID {
    var bytes = (0..<16).map { _ in UInt8(random.below(256)) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Returns a capitalised word of two to four syllables.
  private mutating func word() -> String {
    var bytes: [UInt8] = []
    for _ in 0..<2 + random.below(3) {
      bytes.append(contentsOf: RecordValues.onsets[random.below(RecordValues.onsets.count)].utf8)
      bytes.append(contentsOf: RecordValues.rhymes[random.below(RecordValues.rhymes.count)].utf8)
    }
    bytes[0] -= 32
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func sentence(ofLength length: Int) -> String {
    var text = word()
    while text.utf8.count < length {
      text += " " + word().lowercased()
    }
    return String(decoding: text.utf8.prefix(length), as: UTF8.self)
  }

  private static let onsets = [
    "b", "br", "c", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w", "z",
  ]
  private static let rhymes = ["a", "an", "ar", "e", "el", "en", "i", "in", "o", "on", "or", "u", "um"]
  private static let currencies = ["CHF", "DKK", "EUR", "GBP", "JPY", "NOK", "SEK", "USD"]

  /// The first second of all dates, 2010-01-02 00:00 UTC, in seconds since 2001-01-01. Dates cover the following
  /// fifteen years of 365 days, up to the end of 2024-12-28.
  private static let firstSecond = 284_083_200
  private static let secondCount = 15 * 365 * 86_400
}
