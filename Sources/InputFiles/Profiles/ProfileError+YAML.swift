import MachineSimulated

extension ProfileError {
  /// Creates the error for a profile's file from an error in its YAML.
  init(_ error: YAMLError) {
    self.init(Code(error.code), error.message, place: error.place, line: error.line, key: error.key)
  }

  /// Runs a body that reads YAML, and returns its value.
  ///
  /// - Throws: `ProfileError` in place of the body's `YAMLError`.
  static func reading<Value>(_ body: () throws(YAMLError) -> Value) throws(ProfileError) -> Value {
    do throws(YAMLError) {
      return try body()
    } catch {
      throw ProfileError(error)
    }
  }

  /// Runs a body whose errors have a key and no place, and returns its value.
  ///
  /// - Throws: The body's error with the file of `root` and the line of the key added.
  static func locating<Value>(
    in root: YAMLMapping, _ body: () throws(ProfileError) -> Value
  ) throws(ProfileError) -> Value {
    do throws(ProfileError) {
      return try body()
    } catch {
      var error = error
      error.place = root.place
      error.line = error.key.flatMap(root.line(of:))
      throw error
    }
  }
}

extension ProfileError.Code {
  fileprivate init(_ code: YAMLError.Code) {
    self =
      switch code {
      case .malformedText: .malformedText
      case .missingKey: .missingKey
      case .unknownKey: .unknownKey
      case .invalidValue: .invalidValue
      }
  }
}
