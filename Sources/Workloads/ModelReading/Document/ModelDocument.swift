/// A version of a data model, as its file describes it.
package struct ModelDocument: Hashable, Sendable, Codable {
  /// The file with the XML text, as errors name it.
  package var place = ""
  /// The names of all versions in the model's bundle, without `.xcdatamodel`. Other versions than `version` are not
  /// read.
  package var versions: [String] = []
  /// The version that the bundle names as its current one. It is nil if the bundle has several versions and names none.
  package var currentVersion: String?
  /// The name of the version that the document describes.
  package var version = ""
  package var header = Header()
  /// The entities, in the order of the file.
  package var entities: [Entity] = []
  package var configurations: [Configuration] = []
  package var fetchRequests: [FetchRequest] = []
  package var composites: [Composite] = []
  /// The elements, attributes and texts that the reader does not know, in the order of the file.
  package var unknownItems: [UnknownItem] = []
  /// The parts of the file that are unusual but no errors, in the order of the lines. Each kind of unknown item is
  /// mentioned once.
  package var remarks: [ModelRemark] = []

  /// The attributes of the model itself.
  package struct Header: Hashable, Sendable, Codable {
    /// The name of the model. Xcode 4 wrote it, mostly as an empty text.
    package var name: String?
    /// The identifier that the model's author gave to this version.
    package var versionIdentifier: String?
    package var type: String?
    package var documentVersion: String?
    package var lastSavedToolsVersion: String?
    package var systemVersion: String?
    package var minimumToolsVersion: String?
    package var sourceLanguage: String?
    package var macOSVersion: String?
    package var iOSVersion: String?
    package var isUsedWithCloudKit = false
    package var isUsedWithSwiftData = false
    package var userInfo: [UserInfoEntry] = []
  }

  /// A part of the model that may have a store for itself.
  package struct Configuration: Hashable, Sendable, Codable {
    package var name: String
    package var entities: [String]
    package var isUsedWithCloudKit: Bool
    package var line: Int
  }

  /// A group of attributes that attributes of the type Composite consist of.
  package struct Composite: Hashable, Sendable, Codable {
    package var name: String
    package var attributes: [Attribute]
    package var userInfo: [UserInfoEntry]
    package var line: Int
  }

  /// A key of a user info dictionary and its value.
  package struct UserInfoEntry: Hashable, Sendable, Codable {
    package var key: String
    package var value: String
  }

  /// A part of the file that the reader does not know. It was kept and has no effect.
  package struct UnknownItem: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
      case element
      case attribute
      case text
    }

    package var kind: Kind
    /// The name of the element that contains the item.
    package var parent: String
    /// The name of the item. It is empty for a text.
    package var name: String
    /// The value of an attribute, the text, or the attributes of an element.
    package var value: String
    package var line: Int
  }
}

/// A remark about a part of a model that is unusual but no error.
package struct ModelRemark: Hashable, Sendable, Codable, CustomStringConvertible {
  package var line: Int
  /// The entity, property or field, such as `Car.color.defaultValueString`.
  package var field: String
  package var message: String

  package init(line: Int, field: String, message: String) {
    self.line = line
    self.field = field
    self.message = message
  }

  /// The remark in one line, `line: field: message`.
  package var description: String {
    String("\(line): \(field): \(message)".map { $0.isNewline ? " " : $0 })
  }
}
