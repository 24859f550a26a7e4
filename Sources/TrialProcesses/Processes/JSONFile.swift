import Foundation
import Reporting

/// Reads and writes values in JSON files.
enum JSONFile {
  /// Returns the value in a file.
  ///
  /// - Throws: `RunFailure` of wrong usage if the file cannot be read or does not hold such a value.
  static func read<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RunFailure.usage("\(path): cannot be read; use a file that an earlier step wrote")
    }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw RunFailure.usage("\(path): does not hold a \(type): \(error)")
    }
  }

  /// Writes a value to a file. If it fails, the file is not changed.
  ///
  /// - Throws: `RunFailure` of an unexpected error if the file cannot be written.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      try AtomicFile.write(try JSONEncoder().encode(value), to: path)
    } catch {
      throw RunFailure.unexpected(error)
    }
  }
}
