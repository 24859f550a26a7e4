import CResources
import Experiments
import Foundation
import Harness
import InputFiles
import MachineSimulated
import TrialProcesses

/// The published tables that ship with the program, and those that users write.
package enum PublishedLibrary {
  /// Returns the tables that a value of `--published` names: a shipped table, all shipped tables, or a file.
  ///
  /// - Throws: `RunFailure` for bad usage, with a message of one line. If a field is wrong, the message names the file,
  ///   the line and the field.
  static func tables(named text: String) throws(RunFailure) -> [PublishedTable] {
    var tables: [PublishedTable] = []
    for name in text == PublishedNames.all ? PublishedNames.shipped : [text] { tables.append(try table(named: name)) }
    return tables
  }

  /// Returns the shipped table with the given name, or the table in the file at the given path.
  static func table(named text: String) throws(RunFailure) -> PublishedTable {
    if let shipped = shippedText(of: text) {
      return try UserInput.read { () throws(YAMLError) in
        try PublishedTableReader(place: text).table(from: shipped)
      }
    }
    guard ProfileLibrary.isPath(text) else {
      let names = ([PublishedNames.all] + PublishedNames.shipped).joined(separator: ", ")
      throw .usage("\(text): not known; use one of \(names), or a file ending in .yaml")
    }
    guard let data = FileManager.default.contents(atPath: text) else {
      throw .usage("\(text): cannot be read; use the path of a published table in YAML")
    }
    guard let yaml = String(validating: data, as: UTF8.self) else {
      throw .usage("\(text): not UTF-8 text; use YAML")
    }
    return try UserInput.read { () throws(YAMLError) in
      try PublishedTableReader(place: text, profiles: ProfileLibrary.shippedNames).table(from: yaml)
    }
  }

  /// Returns the text of the shipped table with the given name, or nil if there is no such table.
  static func shippedText(of name: String) -> String? {
    PublishedNames.shipped.contains(name) ? String(cString: resource("\(name).yaml")) : nil
  }
}
