/// A key of a mapping in a YAML file: its meaning, and the way in which its value is read and written.
///
/// Each mapping has a table of its keys, from which its reader, its writer, the comments of printed files and the
/// messages about unknown keys are made:
///
/// ```swift
/// let keys: [YAMLKey<Hardware>] = [
///   .required("cores", \.cores, .integer(in: 1...1_024)), .standard("favoursMain", \.favoursMain, .flag, false),
/// ]
/// ```
package struct YAMLKey<Subject>: Sendable {
  package let name: String
  /// The meaning of the key, in words that a comment of a printed file shows.
  let meaning: String
  /// A value, in YAML, that shows how the key is written.
  let example: String
  /// The message for a mapping without the key, or nil if the mapping need not have it.
  let missing: String?
  /// The keys of the mappings in the value, with their meanings.
  let innerKeys: [YAMLLegend]
  /// Reads the key's value into the subject.
  let read: @Sendable (YAMLMapping, inout Subject) throws(YAMLError) -> Void
  /// Returns the subject's value, or nil if the subject has no value for the key.
  let write: @Sendable (Subject) -> YAMLValue?
  /// Returns true if a file without the key gives the subject the same value.
  let isStandard: @Sendable (Subject) -> Bool
}

/// A key and its meaning.
package struct YAMLLegend: Sendable {
  let name: String
  let meaning: String
}

// MARK: - Reading and writing a table

extension Array {
  /// Reads the values of the keys that a mapping has, in the order of the table.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - subject: The subject with the values that it has if the mapping has no keys.
  /// - Returns: The subject with the values of the mapping.
  /// - Throws: `YAMLError` for a key that is missing although it is required, and for an invalid value.
  package func value<Subject>(of mapping: YAMLMapping, _ subject: Subject) throws(YAMLError) -> Subject
  where Element == YAMLKey<Subject> {
    var subject = subject
    for key in self {
      if mapping.has(key.name) {
        try key.read(mapping, &subject)
      } else if let missing = key.missing {
        throw mapping.missing(key.name, missing)
      }
    }
    return subject
  }

  /// Returns the members of a subject's mapping without those that a file need not have.
  func members<Subject>(of subject: Subject) -> [YAMLValue.Member] where Element == YAMLKey<Subject> {
    compactMap { key in
      key.isStandard(subject) ? nil : key.write(subject).map { YAMLValue.Member(key: key.name, value: $0) }
    }
  }

  package func names<Subject>() -> [String] where Element == YAMLKey<Subject> { map(\.name) }
}

// MARK: - Keys

extension YAMLKey {
  /// Creates a key whose value is at a path of the subject.
  private init<Value>(
    _ name: String, path: WritableKeyPath<Subject, Value> & Sendable, form: YAMLForm<Value>, meaning: String,
    example: String?, missing: String? = nil, isStandard: @escaping @Sendable (Value) -> Bool = { _ in false }
  ) {
    self.init(
      name: name, meaning: meaning, example: example ?? form.example, missing: missing, innerKeys: form.innerKeys,
      read: { (mapping, subject) throws(YAMLError) in subject[keyPath: path] = try form.read(mapping, name) },
      write: { form.write($0[keyPath: path]) }, isStandard: { isStandard($0[keyPath: path]) })
  }

  /// Returns a key that a mapping must have.
  package static func required<Value>(
    _ name: String, _ path: WritableKeyPath<Subject, Value> & Sendable, _ form: YAMLForm<Value>,
    _ meaning: String = "", example: String? = nil
  ) -> YAMLKey {
    let shown = example ?? form.example
    return YAMLKey(
      name, path: path, form: form, meaning: meaning, example: example,
      missing: form.missing ?? (shown.isEmpty ? "missing" : "missing; use \(name): \(shown)"))
  }

  /// Returns a key without which the subject's value is nil.
  package static func optional<Value>(
    _ name: String, _ path: WritableKeyPath<Subject, Value?> & Sendable, _ form: YAMLForm<Value>,
    _ meaning: String = "", example: String? = nil
  ) -> YAMLKey {
    YAMLKey(name, path: path, form: form.optional, meaning: meaning, example: example) { $0 == nil }
  }

  /// Returns a key without which the subject has the value `standard`.
  package static func standard<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<Subject, Value> & Sendable, _ form: YAMLForm<Value>, _ standard: Value,
    _ meaning: String = "", example: String? = nil
  ) -> YAMLKey {
    YAMLKey(name, path: path, form: form, meaning: meaning, example: example) { $0 == standard }
  }

  /// Returns a key for a mapping whose keys belong to the subject itself. A file need not have it.
  static func group(_ name: String, _ keys: [YAMLKey<Subject>]) -> YAMLKey {
    YAMLKey(
      name: name, meaning: "", example: "", missing: nil, innerKeys: [],
      read: { (mapping, subject) throws(YAMLError) in
        subject = try keys.value(of: try mapping.mapping(name, keys: keys.names()), subject)
      },
      write: { .mapping(keys.members(of: $0)) },
      isStandard: { keys.members(of: $0).isEmpty })
  }

  /// Returns a key that a function reads and that is never written.
  package static func reading(
    _ name: String, isRequired: Bool = false,
    _ read: @escaping @Sendable (YAMLMapping, inout Subject) throws(YAMLError) -> Void
  ) -> YAMLKey {
    YAMLKey(
      name: name, meaning: "", example: "", missing: isRequired ? "missing" : nil, innerKeys: [], read: read,
      write: { _ in nil }, isStandard: { _ in true })
  }

  /// Returns a key whose value makes the whole subject, and that is never written.
  package static func making<Value>(
    _ name: String, _ form: YAMLForm<Value>, _ make: @escaping @Sendable (Value) -> Subject
  ) -> YAMLKey {
    .reading(name) { (mapping, subject) throws(YAMLError) in subject = make(try form.read(mapping, name)) }
  }

  /// Returns the same key with a check that follows the reading of its value.
  package func checked(
    _ check: @escaping @Sendable (Subject, YAMLMapping) throws(YAMLError) -> Void
  ) -> YAMLKey {
    YAMLKey(
      name: name, meaning: meaning, example: example, missing: missing, innerKeys: innerKeys,
      read: { [read] (mapping, subject) throws(YAMLError) in
        try read(mapping, &subject)
        try check(subject, mapping)
      }, write: write, isStandard: isStandard)
  }
}
