/// The Swift code of a structure that reads the members of a JSON object.
struct MembersCode: Sendable {
  /// The text of the declarations that use the structure.
  let used: String

  private var lifts: Bool { used.contains("lifting: ") }
  private var omits: Bool { used.contains("omitting: ") }
  private var names: Bool { used.contains("record.name") }

  /// The declaration of the structure, with those functions that are used.
  var declaration: Code {
    let functions = Code.declarations(of: Self.functions) { name in
      used.contains(name == "as" ? ", as: " : ".\(name)(")
    }
    return """
      /// The members of a JSON object.
      nonisolated struct Members {
        nonisolated struct Name: CodingKey {
          let stringValue: String
          var intValue: Int? { nil }
          init(stringValue: String) { self.stringValue = stringValue }
          init?(intValue: Int) { nil }
        }

        \(stored)

        \(initialiser)

        \(object)

        \(members: functions)
      }
      """
  }

  @CodeBuilder private var stored: Code {
    if lifts { "/// The objects whose members are lifted, and the object itself at the end." }
    "private let objects: [KeyedDecodingContainer<Name>]"
    if omits { "/// The members of the object itself that are left out.\nprivate let omitted: [String]" }
    if names { "/// The name under which the object is, or nil if it is in a list.\nlet name: String?" }
  }

  private var initialiser: Code {
    let lifted: Code = """
      let own = try decoder.container(keyedBy: Name.self)
      let inner = lifted.reversed().compactMap { name in
        try? own.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name))
      }
      objects = inner + [own]
      """
    let lifting = lifts ? ", lifting lifted: [String] = []" : ""
    return """
      init(_ decoder: any Decoder\(lifting)\(omits ? ", omitting omitted: [String] = []" : "")) throws {
        \(lifts ? lifted : "objects = [try decoder.container(keyedBy: Name.self)]")
        \(omits ? "self.omitted = omitted" : "")
        \(names ? "name = decoder.codingPath.last.flatMap { $0.intValue == nil ? $0.stringValue : nil }" : "")
      }
      """
  }

  /// The function that finds the object with the last member of a path.
  private var object: Code {
    let first: Code =
      omits
      ? """
      let places = objects.indices.filter { objects[$0].contains(first) }
      guard let place = places.first, place < objects.count - 1 || !omitted.contains(first.stringValue) else { return nil }
      var object = Optional(objects[place])
      """ : "var object = objects.first { $0.contains(first) }"
    return """
      /// Returns the object with the last member of a path, or nil if there is none.
      private func object(with path: [String]) -> KeyedDecodingContainer<Name>? {
        let first = Name(stringValue: path[0])
        \(first)
        for name in path.dropLast() {
          object = try? object?.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name))
        }
        return object
      }
      """
  }

  /// The functions of the structure. The conditions name functions, or the label of a conversion.
  private static let functions: Code = """
    private func value<T: Decodable>(at path: [String]) throws -> T? {
      try object(with: path)?.decodeIfPresent(T.self, forKey: Name(stringValue: path[path.count - 1]))
    }

    #if value
    /// Returns the value at a path of members, or nil if it is missing or null.
    func value<T: Decodable>(_ path: String...) throws -> T? { try value(at: path) }

    #if required
    /// Returns the value at a path of members.
    func required<T: Decodable>(_ path: String...) throws -> T {
      guard let value: T = try value(at: path) else { throw error(path) }
      return value
    }

    #if as
    private func value<T>(at path: [String], _ convert: (JSON) -> T?) throws -> T? {
      guard let json: JSON = try value(at: path) else { return nil }
      guard let value = convert(json) else { throw error(path) }
      return value
    }

    /// Returns the value at a path of members after a conversion, or nil if it is missing or null.
    func value<T>(_ path: String..., as convert: (JSON) -> T?) throws -> T? { try value(at: path, convert) }

    #if required && as
    /// Returns the value at a path of members after a conversion.
    func required<T>(_ path: String..., as convert: (JSON) -> T?) throws -> T {
      guard let value = try value(at: path, convert) else { throw error(path) }
      return value
    }

    #if list, oneOrMore, named
    /// Returns the values of the list at a path of members, without nulls.
    func list<T: Decodable>(_ path: String...) throws -> [T] { try list(at: path) }

    private func list<T: Decodable>(at path: [String]) throws -> [T] {
      let values: [T?]? = try value(at: path)
      return values?.compactMap(\\.self) ?? []
    }

    #if oneOrMore
    /// Returns the values at a path of members: those of a list, or a single one.
    func oneOrMore<T: Decodable>(_ path: String...) throws -> [T] {
      guard let last = path.last, let object = object(with: path) else { return [] }
      let isList = (try? object.nestedUnkeyedContainer(forKey: Name(stringValue: last))) != nil
      return isList ? try list(at: path) : [try value(at: path)].compactMap(\\.self)
    }

    #if named
    /// Returns the objects in the object at a path of members, in the order of their names.
    func named<T: Decodable>(_ path: String...) throws -> [T] {
      var parent = path.isEmpty ? objects.last : object(with: path)
      if let last = path.last {
        parent = try? parent?.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: last))
      }
      guard let parent else { return try path.isEmpty ? [] : list(at: path) }
      return try parent.allKeys.sorted { $0.stringValue < $1.stringValue }.compactMap { name in
        let isObject = (try? parent.nestedContainer(keyedBy: Name.self, forKey: name)) != nil
        return isObject ? try parent.decode(T.self, forKey: name) : nil
      }
    }

    #if values
    /// Returns the values of the list at a path of members after a conversion, without nulls.
    func values<T>(_ path: String..., as convert: (JSON) -> T?) throws -> [T] {
      guard let json: JSON = try value(at: path) else { return [] }
      let values = if case .list(let values) = json { values } else { [json] }
      return try values.compactMap { value -> T? in
        if case .null = value { return nil }
        guard let converted = convert(value) else { throw error(path) }
        return converted
      }
    }

    #if required, as
    private func error(_ path: [String]) -> DecodingError {
      DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: objects.last?.codingPath ?? [],
          debugDescription: "\\(path.joined(separator: ".")) has no valid value"))
    }
    """
}
