import ContextEngine
import MachineCore
import Workloads

// MARK: - Importing

extension CalibrationScenario {
  /// The scenarios of whole units, as runs have them, and of parts of units.
  static var importing: [CalibrationScenario] {
    [
      CalibrationScenario("import units", sizes: [3, 6, 9, 12], weight: 3) { bench, size in
        let context = bench.context(on: try bench.populated())
        let units = try (0..<size).map { try bench.decoder.decode(bench.catalog.payload($0)) }
        try bench.measure {
          for unit in units {
            try bench.importUnit(unit[...], into: context, schema: bench.catalogSchema, lookup: .unit)
          }
        }
      },
      CalibrationScenario("import units that another thread decoded", sizes: [3, 6, 9, 12], weight: 3) { bench, size in
        let context = bench.context(on: try bench.populated())
        for payload in 0..<size {
          let unit = try bench.elsewhere { [decoder = bench.decoder, archive = bench.catalog] in
            try decoder.decode(archive.payload(payload))
          }
          try bench.measure {
            bench.machine.account(Work(.recordReceived, count: unit.count))
            try bench.importUnit(unit[...], into: context, schema: bench.catalogSchema, lookup: .unit)
          }
        }
      },
      CalibrationScenario("insert flat rows", sizes: [250, 1_000, 2_000, 6_000]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        let records = try bench.records(size, of: bench.flat)
        try bench.measure { try bench.importUnit(records[...], into: context, schema: bench.flatSchema, lookup: .none) }
      },
      CalibrationScenario("insert catalogue rows", sizes: [250, 500, 1_000, 2_000], weight: 2) { bench, size in
        let context = bench.context(on: try bench.empty(bench.catalogSchema))
        let records = try bench.records(size, of: bench.catalog)
        try bench.measure {
          try bench.importUnit(records[...], into: context, schema: bench.catalogSchema, lookup: .unit)
        }
      },
      CalibrationScenario("insert without saving", sizes: [250, 500, 1_000, 2_000]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        let records = try bench.records(size, of: bench.flat)
        try bench.measure {
          try bench.importUnit(records[...], into: context, schema: bench.flatSchema, lookup: .none, saves: false)
        }
      },
      CalibrationScenario("give up decoded records", sizes: [1, 2, 4, 8]) { bench, size in
        var records = try bench.elsewhere { [decoder = bench.decoder, archive = bench.catalog] in
          try (0..<size).flatMap { payload in try decoder.decode(archive.payload(payload)) }
        }
        try bench.measure {
          bench.machine.account(Work(.recordReleased, count: records.count))
          records = []
        }
      },
      decoding("decode flat records") { $0.flat },
      decoding("decode catalogue records") { $0.catalog },
    ]
  }

  private static func decoding(
    _ name: String, archive: @escaping @Sendable (CalibrationBench) -> WorkloadArchive
  ) -> CalibrationScenario {
    CalibrationScenario(name, sizes: [1, 2, 4, 8]) { bench, size in
      let archive = archive(bench)
      let decoder = PayloadDecoder(schema: archive.schema)
      let texts = (0..<size).map { archive.payload($0) }
      try bench.measure {
        for text in texts {
          let records = try decoder.decode(text)
          bench.machine.account(Work(.recordDecoded, count: records.count, bytes: text.count))
        }
      }
    }
  }
}
