import Foundation
import Reporting

/// Values in JSON files.
enum JSONFile {
  /// Returns the value in a file.
  ///
  /// - Throws: `RunFailure` if the file is not there or holds something else.
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

  /// Writes the file whole, or not at all.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      try AtomicFile.write(try JSONEncoder().encode(value), to: path)
    } catch {
      throw RunFailure.unexpected(error)
    }
  }
}
