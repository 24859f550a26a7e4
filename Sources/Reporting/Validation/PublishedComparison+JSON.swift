import Metrics

extension PublishedComparison {
  package var json: JSONObject {
    [
      "table": table, "title": title, "profile": profile, "figures": figures.map(\.json), "orders": orders.map(\.json),
    ]
  }

  /// Returns the comparisons of all shipped tables with their summary, and the constraints on profiles, as
  /// `validate --published all --format json` prints them.
  package static func json(_ comparisons: [PublishedComparison], constraints: [ConstraintResult]) -> JSONObject {
    [
      "tables": comparisons.map(\.json), "summary": PublishedSummary(comparisons).json,
      "constraints": constraints.map(\.json),
    ]
  }
}

extension PublishedResult {
  /// The figure with its error and with whether it is within the band, although both follow from the other members.
  package var json: JSONObject {
    let unit = clock.unit
    return [
      "table": table, "row": row, "figure": figure, "topology": topology, "clock": clock, "role": role,
      "published_\(unit)": published, "published_least_\(unit)": leastPublished,
      "published_greatest_\(unit)": greatestPublished, "overhead_\(unit)": overhead, "simulated_\(unit)": simulated,
      "band_ppm": bandPartsPerMillion, "error_ppm": errorPartsPerMillion, "within_band": isWithinBand,
    ]
  }
}

extension PublishedOrder {
  package var json: JSONObject {
    [
      "name": name, "value_ppm": valuePartsPerMillion, "low_ppm": lowPartsPerMillion, "high_ppm": highPartsPerMillion,
      "passed": passed, "required": isRequired,
    ]
  }
}

extension PublishedSummary {
  fileprivate var json: JSONObject {
    ["fitted": fitted.json, "predicted": predicted.json, "orders": orderCount, "orders_passed": passedOrderCount]
  }
}

extension PublishedSummary.Errors {
  /// The means. One without figures is left out.
  fileprivate var json: JSONObject {
    .leavingOutNulls([
      "count": count, "within_band": withinBandCount, "mean_cpu_error_ppm": meanCPUErrorPartsPerMillion,
      "mean_wall_error_ppm": meanWallErrorPartsPerMillion, "mean_memory_error_ppm": meanMemoryErrorPartsPerMillion,
    ])
  }
}

extension ConstraintResult {
  fileprivate var json: JSONObject {
    [
      "name": name, "profile": profile, "what": subject, "unit": unit, "low": low, "high": high, "value": value,
      "holds": holds, "source": source,
    ]
  }
}
