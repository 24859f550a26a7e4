import MachineCore

/// A key of a mapping in a topology's file: its meaning, and the way in which its value is read and written.
///
/// Each mapping has a table of its keys, from which the reader, the writer, the comments of printed files and the
/// messages about unknown keys are made.
struct TopologyKey<Subject>: Sendable {
  let name: String
  /// The meaning of the key, in words that a comment of a printed file shows.
  let meaning: String
  /// A value, in YAML, that shows how the key is written.
  let example: String
  /// True if a file must have the key.
  let isRequired: Bool
  /// The keys of the mappings in the value, with their meanings.
  let innerKeys: [Legend]
  /// Reads the key's value into the subject.
  let read: @Sendable (YAMLMapping, inout Subject) throws(YAMLError) -> Void
  /// Returns the subject's value, or nil if the subject has no value for the key.
  let write: @Sendable (Subject) -> YAMLValue?
  /// Returns true if a file without the key gives the subject the same value.
  let isStandard: @Sendable (Subject) -> Bool

  /// A key and its meaning.
  struct Legend: Sendable {
    let name: String
    let meaning: String
  }

  init(
    _ name: String, _ meaning: String, example: String, isRequired: Bool = false, innerKeys: [Legend] = [],
    read: @escaping @Sendable (YAMLMapping, inout Subject) throws(YAMLError) -> Void,
    write: @escaping @Sendable (Subject) -> YAMLValue?,
    isStandard: @escaping @Sendable (Subject) -> Bool
  ) {
    self.name = name
    self.meaning = meaning
    self.example = example
    self.isRequired = isRequired
    self.innerKeys = innerKeys
    self.read = read
    self.write = write
    self.isStandard = isStandard
  }

  var legend: Legend { Legend(name: name, meaning: meaning) }
}

// MARK: - Reading and writing a table

extension Array {
  /// Reads the values of the keys that a mapping has into a subject, in the order of the table.
  ///
  /// - Throws: `YAMLError` for a key that is missing although it is required, and for an invalid value.
  func read<Subject>(_ mapping: YAMLMapping, into subject: inout Subject) throws(YAMLError)
  where Element == TopologyKey<Subject> {
    for key in self {
      if mapping.has(key.name) {
        try key.read(mapping, &subject)
      } else if key.isRequired {
        throw YAMLError(
          .missingKey, "missing; use \(key.name): \(key.example)", place: mapping.place, line: mapping.line,
          key: mapping.path + key.name)
      }
    }
  }

  /// Returns the members of a subject's mapping without those that a file need not have.
  func members<Subject>(of subject: Subject) -> [YAMLValue.Member] where Element == TopologyKey<Subject> {
    compactMap { key in
      key.isStandard(subject) ? nil : key.write(subject).map { YAMLValue.Member(key: key.name, value: $0) }
    }
  }

  func names<Subject>() -> [String] where Element == TopologyKey<Subject> { map(\.name) }
}

// MARK: - Texts and flags

extension TopologyKey {
  /// Returns a key for a text. The key is required without a standard value.
  static func text(
    _ name: String, _ path: WritableKeyPath<Subject, String> & Sendable, _ meaning: String, example: String,
    standard: String? = nil
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: example, isRequired: standard == nil,
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try mapping.text(name) },
      write: { .text($0[keyPath: path]) },
      isStandard: { $0[keyPath: path] == standard })
  }

  static func optionalText(
    _ name: String, _ path: WritableKeyPath<Subject, String?> & Sendable, _ meaning: String, example: String
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: example,
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try mapping.text(name) },
      write: { $0[keyPath: path].map(YAMLValue.text) },
      isStandard: { $0[keyPath: path] == nil })
  }

  /// Returns a key for a value that is true or false, and false without the key.
  static func flag(
    _ name: String, _ path: WritableKeyPath<Subject, Bool> & Sendable, _ meaning: String
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: "true",
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try mapping.boolean(name) },
      write: { .flag($0[keyPath: path]) },
      isStandard: { !$0[keyPath: path] })
  }
}

// MARK: - Numbers

extension TopologyKey {
  /// Returns a key for a number that a file need not have.
  static func optionalInteger(
    _ name: String, _ path: WritableKeyPath<Subject, Int?> & Sendable, _ meaning: String, in range: ClosedRange<Int>
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: "\(range.lowerBound)",
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try mapping.integer(name, in: range) },
      write: { $0[keyPath: path].map(YAMLValue.number) },
      isStandard: { $0[keyPath: path] == nil })
  }
}

// MARK: - Choices

extension TopologyKey {
  /// Returns a key for one of the cases of an enumeration. The key is required without a standard value.
  static func choice<Choice: NamedChoice>(
    _ name: String, _ path: WritableKeyPath<Subject, Choice> & Sendable, _ meaning: String, standard: Choice? = nil
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: Choice.names[0], isRequired: standard == nil,
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try Choice(mapping, name) },
      write: { .text($0[keyPath: path].rawValue) },
      isStandard: { $0[keyPath: path] == standard })
  }

  static func optionalChoice<Choice: NamedChoice>(
    _ name: String, _ path: WritableKeyPath<Subject, Choice?> & Sendable, _ meaning: String
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: Choice.names[0],
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try Choice(mapping, name) },
      write: { $0[keyPath: path].map { .text($0.rawValue) } },
      isStandard: { $0[keyPath: path] == nil })
  }

  /// Returns a key for a list of different cases of an enumeration. The list is empty without the key.
  static func choices<Choice: NamedChoice>(
    _ name: String, _ path: WritableKeyPath<Subject, [Choice]> & Sendable, _ meaning: String
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: "[\(Choice.names[0])]",
      read: { (mapping, subject) throws(YAMLError) in
        subject[keyPath: path] = try Choice.list(mapping, name)
      },
      write: { subject in
        let choices = subject[keyPath: path].map { YAMLValue.text($0.rawValue) }
        return choices.isEmpty ? nil : .list(choices)
      },
      isStandard: { $0[keyPath: path].isEmpty })
  }
}

/// An enumeration whose cases are written as their raw values.
protocol NamedChoice: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

extension NamedChoice {
  static var names: [String] { allCases.map(\.rawValue) }

  /// Reads the value of a key.
  fileprivate init(_ mapping: YAMLMapping, _ key: String) throws(YAMLError) {
    self = try Self.named(try mapping.name(key, of: Self.names), mapping, key)
  }

  fileprivate static func list(_ mapping: YAMLMapping, _ key: String) throws(YAMLError) -> [Self] {
    guard !mapping.isEmptyList(key) else { return [] }
    var choices: [Self] = []
    for name in try mapping.texts(key) {
      let choice = try named(name, mapping, key)
      guard !choices.contains(choice) else { throw mapping.error(key, "\(name) is given twice; use it once") }
      choices.append(choice)
    }
    return choices
  }

  private static func named(_ name: String, _ mapping: YAMLMapping, _ key: String) throws(YAMLError) -> Self {
    guard let choice = Self(rawValue: name) else {
      throw mapping.error(
        key, "\(QuotedText.of(name)) is not known; use some of \(names.joined(separator: ", "))")
    }
    return choice
  }
}

// MARK: - Mappings

extension TopologyKey {
  /// Returns a key for a list of mappings.
  ///
  /// - Parameters:
  ///   - name: The name of the key.
  ///   - path: The path of the list in the subject.
  ///   - meaning: The meaning of the key.
  ///   - example: A list with one mapping.
  ///   - keys: The keys of each mapping.
  ///   - blank: The item before a mapping is read.
  ///   - isRequired: True if a file must have the key, with at least one mapping.
  /// - Returns: The key.
  static func items<Item: Sendable>(
    _ name: String, _ path: WritableKeyPath<Subject, [Item]> & Sendable, _ meaning: String,
    example: String, keys: [TopologyKey<Item>], blank: Item, isRequired: Bool = false
  ) -> TopologyKey {
    items(
      name, path, meaning, example: example, keys: keys, isRequired: isRequired,
      make: { mapping throws(YAMLError) in
        var item = blank
        try keys.read(mapping, into: &item)
        return item
      }, draft: { $0 })
  }

  /// Returns a key for a list of mappings whose items are read and written by way of drafts.
  static func items<Item, Draft>(
    _ name: String, _ path: WritableKeyPath<Subject, [Item]> & Sendable, _ meaning: String,
    example: String, keys: [TopologyKey<Draft>], isRequired: Bool = false,
    make: @escaping @Sendable (YAMLMapping) throws(YAMLError) -> Item, draft: @escaping @Sendable (Item) -> Draft
  ) -> TopologyKey {
    TopologyKey(
      name, meaning, example: example, isRequired: isRequired,
      innerKeys: keys.map { Legend(name: $0.name, meaning: $0.meaning) },
      read: { (mapping, subject) throws(YAMLError) in
        if !isRequired, mapping.isEmptyList(name) { return }
        var items: [Item] = []
        for mapping in try mapping.mappings(name, keys: keys.names()) { items.append(try make(mapping)) }
        subject[keyPath: path] = items
      },
      write: { subject in
        let items = subject[keyPath: path].map { YAMLValue.mapping(keys.members(of: draft($0))) }
        return items.isEmpty ? nil : .list(items)
      },
      isStandard: { $0[keyPath: path].isEmpty })
  }
}
