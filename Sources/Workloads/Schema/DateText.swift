import Foundation

/// Reads dates that feeds write as text. Results are seconds since 2001-01-01 00:00 UTC.
package enum DateText {
  /// The seconds from 1970-01-01 to 2001-01-01.
  static let secondsFrom1970To2001 = 978_307_200.0

  /// Returns the date of a text in the ISO 8601 format, or nil if the text is not such a date.
  ///
  /// The date may lack a time, the time may lack seconds or have a fraction, and a space may stand in place of the T. A
  /// time without a time zone is in UTC.
  package static func iso8601(_ text: String) -> Double? {
    guard
      let match = text.wholeMatch(
        of:
          /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,12}))?)?\ ?(Z|z|[-+][0-9]{2}(?::?[0-9]{2})?)?)?/
      )
    else { return nil }
    let parts = match.output
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    guard let days = day(year: number(parts.1), month: number(parts.2), day: number(parts.3)) else { return nil }
    let (hour, minute, second) = (number(parts.4), number(parts.5), number(parts.6))
    guard hour <= 24, minute < 60, second <= 60 else { return nil }
    var seconds = Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    if let zone = parts.8 { seconds -= Double(offset(zone)) }
    guard let digits = parts.7, let fraction = Double("0." + digits) else { return seconds }
    return seconds + fraction
  }

  /// Returns the date of a text in the format of RFC 822 and RFC 2822, such as `Mon, 02 Jan 2006 15:04:05 GMT`, or nil
  /// if the text is not such a date.
  package static func rfc822(_ text: String) -> Double? {
    guard
      let match = text.wholeMatch(
        of:
          /(?:[A-Za-z]{3},?\ +)?([0-9]{1,2})\ +([A-Za-z]{3})[a-z]*\ +([0-9]{2,4})\ +([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(?:\ +([A-Za-z]{1,4}|[-+][0-9]{4}))?/
      )
    else { return nil }
    let parts = match.output
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    guard let month = months.firstIndex(of: parts.2.lowercased()) else { return nil }
    var year = number(parts.3)
    if year < 50 { year += 2_000 } else if year < 1_000 { year += 1_900 }
    guard let days = day(year: year, month: month + 1, day: number(parts.1)) else { return nil }
    let seconds = days * 86_400 + number(parts.4) * 3_600 + number(parts.5) * 60 + number(parts.6)
    guard let zone = parts.7 else { return Double(seconds) }
    if let hours = zones[zone.uppercased()] { return Double(seconds - hours * 3_600) }
    return zone.first == "+" || zone.first == "-" ? Double(seconds - offset(zone)) : nil
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let zones = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
    "PDT": -7,
  ]

  /// Returns the seconds of a time zone such as `+01:00`, `-0530`, `+02` or `Z`.
  private static func offset(_ zone: Substring) -> Int {
    let digits = zone.filter(\.isNumber)
    guard digits.count >= 2 else { return 0 }
    let hours = Int(digits.prefix(2)) ?? 0
    let minutes = Int(digits.dropFirst(2)) ?? 0
    return (zone.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  /// Returns the number of days from 2001-01-01 to a day of the Gregorian calendar, or nil if the day does not exist.
  private static func day(year: Int, month: Int, day: Int) -> Int? {
    let lengths = [
      31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), year > 0 else { return nil }
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400
    let days = before * 365 + leapDays + lengths.prefix(month - 1).reduce(0, +) + day - 1
    return days - 730_485
  }
}
