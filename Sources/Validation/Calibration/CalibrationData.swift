import Foundation
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Metrics

/// The measurements from which a profile is fitted, and facts about the computer on which they were made.
package struct CalibrationData {
  package var rows: [WorkMeasurement]
  /// The title of the profile.
  package var title: String
  /// The place where the measurements were made, as the profile names it.
  package var origin: String
  package var hardware: Hardware
  package var handOver: HandOverMeter.HandOver?
  package var yardstick: TimeSpan?
  /// The signs that the computer was busy, or nil for measurements from a file.
  package var disturbance: Disturbance?
  /// The text that is printed after the table. It can be empty.
  package var note = ""
}

extension CalibrationData {
  /// Reads measurements of another device from a table.
  ///
  /// The hardware is taken from `host`, since the table does not describe it.
  ///
  /// - Throws: `RunFailure` with status 64 if the table cannot be read.
  package init(path: String, host: ProfileDeclaration) throws {
    let file = URL(fileURLWithPath: path).lastPathComponent
    var hardware = host.hardware
    hardware.source = "assumption: as host; \(file) does not give it"
    self.init(
      rows: try MeasurementTable(path: path).measurements, title: "Measurements in \(file)", origin: file,
      hardware: hardware)
  }
}
