import MachineCore

/// The form of a value in a YAML file: the way in which the value of a key is read and written.
package struct YAMLForm<Value>: Sendable {
  /// A value, in YAML, that shows the form.
  let example: String
  /// The message for a required value that is missing, or nil for one with the example.
  let missing: String?
  /// The keys of the mappings in the value, with their meanings.
  let innerKeys: [YAMLLegend]
  /// Reads the value of a key of a mapping.
  package let read: @Sendable (YAMLMapping, String) throws(YAMLError) -> Value
  /// Returns the value as it is written, or nil if there is nothing to write.
  let write: @Sendable (Value) -> YAMLValue?

  /// Creates the form of a value that the program reads, and writes if there is `write`.
  package init(
    example: String = "", missing: String? = nil, innerKeys: [YAMLLegend] = [],
    _ read: @escaping @Sendable (YAMLMapping, String) throws(YAMLError) -> Value,
    write: @escaping @Sendable (Value) -> YAMLValue? = { _ in nil }
  ) {
    self.example = example
    self.missing = missing
    self.innerKeys = innerKeys
    self.read = read
    self.write = write
  }

  /// Creates the form of a value that a method of the mapping reads.
  private init(
    method: @escaping @Sendable (YAMLMapping) -> (String) throws(YAMLError) -> Value,
    write: @escaping @Sendable (Value) -> YAMLValue?
  ) {
    self.init({ (mapping, key) throws(YAMLError) in try method(mapping)(key) }, write: write)
  }

  /// The same form of a value that may be nil.
  var optional: YAMLForm<Value?> {
    YAMLForm<Value?>(
      example: example, missing: missing, innerKeys: innerKeys,
      { (mapping, key) throws(YAMLError) in try read(mapping, key) }, write: { $0.flatMap(write) })
  }

  /// The same form with the value in one line, whose texts have quotes.
  var inOneLine: YAMLForm {
    YAMLForm(read, write: { [write] in write($0).map { .word($0.quotedLine) } })
  }
}

// MARK: - Texts and flags

extension YAMLForm<String> {
  package static var text: YAMLForm { YAMLForm(method: YAMLMapping.text) { .text($0) } }

  /// Returns the form of a text that is one of some names.
  package static func name(of names: [String]) -> YAMLForm {
    YAMLForm { (mapping, key) throws(YAMLError) in
      try mapping.name(key, of: names)
    } write: {
      .text($0)
    }
  }
}

extension YAMLForm<[String]> {
  package static var texts: YAMLForm { YAMLForm(method: YAMLMapping.texts) { .list($0.map(YAMLValue.text)) } }
}

extension YAMLForm<[[String]]> {
  package static var textLists: YAMLForm {
    YAMLForm(method: YAMLMapping.textLists) { .list($0.map { .list($0.map(YAMLValue.text)) }) }
  }
}

extension YAMLForm<Bool> {
  package static var flag: YAMLForm { YAMLForm(method: YAMLMapping.boolean) { .flag($0) } }
}

// MARK: - Numbers

extension YAMLForm where Value: BinaryInteger & Sendable {
  /// Returns the form of a whole number in a range.
  package static func integer(in range: ClosedRange<Int>) -> YAMLForm {
    YAMLForm { (mapping, key) throws(YAMLError) in
      Value(try mapping.integer(key, in: range))
    } write: {
      .word("\($0)")
    }
  }
}

extension YAMLForm<Double> {
  /// Returns the form of a number in a range.
  package static func number(in range: ClosedRange<Double>) -> YAMLForm {
    YAMLForm { (mapping, key) throws(YAMLError) in
      try mapping.number(key, in: range)
    } write: {
      .word($0.plainText)
    }
  }
}

extension YAMLForm<[Double]> {
  /// Returns the form of one number, or of a list of numbers that is not empty.
  package static func numbers(in range: ClosedRange<Double>) -> YAMLForm {
    YAMLForm { (mapping, key) throws(YAMLError) in
      try mapping.numbers(key, in: range)
    } write: {
      .list($0.map { .word($0.plainText) })
    }
  }
}

extension YAMLForm<TimeSpan> {
  /// Returns the form of a number of units.
  ///
  /// - Parameters:
  ///   - unit: The length of the unit, in nanoseconds.
  ///   - range: The valid range, in units.
  /// - Returns: The form.
  static func span(_ unit: Double, in range: ClosedRange<Double>) -> YAMLForm {
    YAMLForm { (mapping, key) throws(YAMLError) in
      TimeSpan(nanoseconds: Int64((try mapping.number(key, in: range) * unit).rounded()))
    } write: {
      .word((Double($0.nanoseconds) / unit).plainText)
    }
  }
}

// MARK: - Choices

extension YAMLForm where Value: RawRepresentable<String> & Equatable & Sendable {
  /// Returns the form of one of some values, whose names a message lists if the value is missing.
  package static func choice(among values: [Value]) -> YAMLForm {
    let names = values.map(\.rawValue)
    return choice(among: values, missing: "missing; use one of \(names.joined(separator: ", "))")
  }

  fileprivate static func choice(among values: [Value], missing: String?) -> YAMLForm {
    let names = values.map(\.rawValue)
    return YAMLForm(example: names[0], missing: missing) { (mapping, key) throws(YAMLError) in
      let name = try mapping.name(key, of: names)
      return values[names.firstIndex(of: name) ?? 0]
    } write: {
      .text($0.rawValue)
    }
  }
}

extension YAMLForm where Value: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
  /// The form of a case of an enumeration, whose message for a missing value has the first case as an example.
  static var choice: YAMLForm { choice(among: Array(Value.allCases), missing: nil) }

  /// The form of a case of an enumeration, whose message for a missing value lists all cases.
  package static var listedChoice: YAMLForm { choice(among: Array(Value.allCases)) }
}

extension YAMLForm {
  /// Returns the form of a list of different cases of an enumeration, which may be empty.
  static func choices<Choice>() -> YAMLForm
  where Value == [Choice], Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
    let names = Choice.allCases.map(\.rawValue)
    return YAMLForm(
      example: "[\(names[0])]",
      { (mapping, key) throws(YAMLError) in
        guard !mapping.isEmptyList(key) else { return [] }
        var choices: [Choice] = []
        for name in try mapping.texts(key) {
          guard let choice = Choice(rawValue: name) else {
            throw mapping.error(
              key, "\(QuotedText.of(name)) is not known; use some of \(names.joined(separator: ", "))")
          }
          guard !choices.contains(choice) else { throw mapping.error(key, "\(name) is given twice; use it once") }
          choices.append(choice)
        }
        return choices
      },
      write: { $0.isEmpty ? nil : .list($0.map { .text($0.rawValue) }) })
  }
}

// MARK: - Mappings

extension YAMLForm {
  /// Returns the form of a mapping, whose value is `blank` before its keys are read.
  package static func mapping(_ keys: [YAMLKey<Value>], _ blank: Value) -> YAMLForm where Value: Sendable {
    YAMLForm(
      { (mapping, key) throws(YAMLError) in
        try keys.value(of: try mapping.mapping(key, keys: keys.names()), blank)
      },
      write: { .mapping(keys.members(of: $0)) })
  }

  /// Returns the form of a list of mappings.
  ///
  /// - Parameters:
  ///   - keys: The keys of each mapping.
  ///   - blank: The item before its mapping is read.
  ///   - mayBeEmpty: True if a list without mappings is valid.
  /// - Returns: The form.
  package static func list<Item: Sendable>(
    of keys: [YAMLKey<Item>], _ blank: Item, mayBeEmpty: Bool = false
  ) -> YAMLForm where Value == [Item] {
    list(
      of: keys, mayBeEmpty: mayBeEmpty,
      make: { (mapping) throws(YAMLError) in try keys.value(of: mapping, blank) }, draft: { $0 })
  }

  /// Returns the form of a list of mappings whose items are read and written by way of drafts.
  static func list<Item, Draft>(
    of keys: [YAMLKey<Draft>], mayBeEmpty: Bool,
    make: @escaping @Sendable (YAMLMapping) throws(YAMLError) -> Item, draft: @escaping @Sendable (Item) -> Draft
  ) -> YAMLForm where Value == [Item] {
    YAMLForm(
      innerKeys: keys.map { YAMLLegend(name: $0.name, meaning: $0.meaning) },
      { (mapping, key) throws(YAMLError) in
        if mayBeEmpty, mapping.isEmptyList(key) { return [] }
        var items: [Item] = []
        for mapping in try mapping.mappings(key, keys: keys.names()) { items.append(try make(mapping)) }
        return items
      },
      write: { items in
        items.isEmpty ? nil : .list(items.map { .mapping(keys.members(of: draft($0))) })
      })
  }

  /// Returns the form of a mapping with exactly one of some keys, each of which reads the whole value.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - flaw: A function that returns the message for another number of keys.
  /// - Returns: The form, which is not written.
  package static func one(
    of keys: [YAMLKey<Value?>], flaw: @escaping @Sendable (Int) -> String
  ) -> YAMLForm {
    YAMLForm { (parent, key) throws(YAMLError) in
      let mapping = try parent.mapping(key, keys: keys.names())
      guard mapping.keys.count == 1, let value = try keys.value(of: mapping, nil) else {
        throw parent.error(
          key, "\(flaw(mapping.keys.count)); use one of \(keys.names().joined(separator: ", "))")
      }
      return value
    }
  }

  /// Returns the form of a mapping from names to values.
  ///
  /// - Parameters:
  ///   - form: The form of a value, whose key is the item's name.
  ///   - name: The path of an item's name.
  ///   - mayBeNull: True if the value may be null instead of a mapping, for no items.
  /// - Returns: The form.
  static func named<Item>(
    _ form: YAMLForm<Item>, name: KeyPath<Item, String> & Sendable, mayBeNull: Bool = false
  ) -> YAMLForm where Value == [Item] {
    YAMLForm(
      { (mapping, key) throws(YAMLError) in
        if mayBeNull, mapping.isNull(key) { return [] }
        let mapping = try mapping.mapping(key, keys: nil)
        var items: [Item] = []
        for name in mapping.keys { items.append(try form.read(mapping, name)) }
        return items
      },
      write: { items in
        .mapping(
          items.compactMap { item in
            form.write(item).map { YAMLValue.Member(key: item[keyPath: name], value: $0) }
          })
      })
  }

  /// Returns the form of a mapping from names to mappings.
  ///
  /// - Parameters:
  ///   - keys: The keys of each inner mapping.
  ///   - name: The path of an item's name.
  ///   - blank: A function that returns the item of a name before its mapping is read.
  /// - Returns: The form.
  package static func named<Item>(
    _ keys: [YAMLKey<Item>], name: KeyPath<Item, String> & Sendable, _ blank: @escaping @Sendable (String) -> Item
  ) -> YAMLForm where Value == [Item] {
    named(
      YAMLForm<Item>(
        { (mapping, name) throws(YAMLError) in
          try keys.value(of: try mapping.mapping(name, keys: keys.names()), blank(name))
        }, write: { .mapping(keys.members(of: $0)) }),
      name: name)
  }
}
