/// The names by which `--published` selects tables of published measurements.
package enum PublishedNames {
  /// The name that selects all shipped tables.
  package static let all = "all"

  /// The names of the shipped tables, the oldest measurement first.
  package static let shipped = [
    "kugler-2013", "iphone-5-fetches", "iphone-6-child-of-main", "mac-2016-inserts", "iphone-7-plus-inserts",
    "anchor-iphone-6", "iphone-11-pro-dflat", "iphone-14-pro-inserts",
  ]
}
