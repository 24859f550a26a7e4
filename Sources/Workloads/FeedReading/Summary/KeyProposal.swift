/// A search for a member that can be the key of a feed's records although it is not called like an ID.
///
/// The member is in all records, and no two of them have the same value. Its values are short strings or integers. A
/// name such as `number` or `email` makes it likelier. Without such a name, a few records may have different values by
/// chance, so more of them are required, and integers must be close to each other.
struct KeyProposal {
  /// A member that has had a different value in each record so far.
  private struct Candidate {
    var id: FeedMemberID
    var name: String
    var hasKeyName: Bool
    var hashes = HashSet64()
    var areStrings = false
    var smallest = Int64.max
    var largest = Int64.min
  }

  /// The words with which names of keys end.
  private static let keyWords: Set<String> = [
    "number", "no", "nr", "code", "slug", "sku", "isbn", "issn", "ean", "upc", "barcode", "email", "username", "login",
    "handle", "url", "uri", "link", "href", "permalink", "hash", "symbol", "reference", "ref", "serial", "identifier",
  ]
  /// The last words of names whose values differ without identifying a record.
  private static let otherWords: Set<String> = [
    "date", "time", "timestamp", "at", "on", "created", "updated", "modified", "edited", "published", "lat", "lng",
    "lon", "latitude", "longitude",
  ]
  private static let fewestRecords = 20
  private static let fewestRecordsOfKeyName = 5
  private static let longestKey = 64
  private static let longestNamedKey = 256

  private var candidates: [Candidate] = []
  private var recordCount = 0

  /// Adds a record.
  mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    recordCount += 1
    // A member of all records is a member of the first one.
    if recordCount == 1 {
      candidates = record.members.compactMap { id, _ in
        let name = nameOf(id)
        let word = Self.lastWord(of: name)
        return Self.otherWords.contains(word)
          ? nil : Candidate(id: id, name: name, hasKeyName: Self.keyWords.contains(word))
      }
    }
    for index in candidates.indices.reversed() {
      guard let value = record[candidates[index].id], Self.test(value, for: &candidates[index]) else {
        candidates.remove(at: index)
        continue
      }
    }
  }

  /// Adds a value, and returns false if the member cannot be a key.
  private static func test(_ value: FeedValue, for candidate: inout Candidate) -> Bool {
    let isFirst = candidate.hashes.count == 0
    switch value {
    case .string(let text):
      if isFirst { candidate.areStrings = true }
      let isShort = text.withUTF8 { bytes in
        !bytes.isEmpty && bytes.count <= (candidate.hasKeyName ? longestNamedKey : longestKey) && !isDate(bytes)
      }
      guard candidate.areStrings, isShort else { return false }
    case .integer(let number):
      guard !candidate.areStrings else { return false }
      candidate.smallest = min(candidate.smallest, number)
      candidate.largest = max(candidate.largest, number)
    default: return false
    }
    return candidate.hashes.insert(ValueHash.of(value))
  }

  /// Returns true for text that begins like a date, such as `2014-12-20`.
  private static func isDate(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count >= 10 && text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-")
      && [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { JSONBytes.isDigit(text[$0]) }
  }

  /// Returns the last word of a name in lower case, such as `number` for `itemNumber` and `item_number`.
  private static func lastWord(of name: String) -> String {
    let part = name.split { !$0.isLetter && !$0.isNumber }.last ?? ""
    let start = part.indices.last {
      part[$0].isUppercase && $0 > part.startIndex && part[part.index(before: $0)].isLowercase
    }
    return part[(start ?? part.startIndex)...].lowercased()
  }

  /// The member that can be the key, or nil if there is none. The first one with a name of a key is preferred, then a
  /// name or a title, another string, and an integer.
  var found: IDSearch.Found? {
    let best = candidates.enumerated().compactMap { place, candidate in
      rank(candidate).map { (rank: $0, place: place, candidate: candidate) }
    }.min { ($0.rank, $0.place) < ($1.rank, $1.place) }?.candidate
    return best.map {
      IDSearch.Found(name: $0.name, type: $0.areStrings ? "string" : "integer", hashes: $0.hashes)
    }
  }

  private func rank(_ candidate: Candidate) -> Int? {
    guard recordCount >= (candidate.hasKeyName ? Self.fewestRecordsOfKeyName : Self.fewestRecords) else { return nil }
    if candidate.hasKeyName { return 0 }
    if candidate.areStrings { return ["name", "title"].contains(Self.lastWord(of: candidate.name)) ? 1 : 2 }
    let (span, overflows) = candidate.largest.subtractingReportingOverflow(candidate.smallest)
    return !overflows && span < 4 * Int64(recordCount) ? 3 : nil
  }
}
