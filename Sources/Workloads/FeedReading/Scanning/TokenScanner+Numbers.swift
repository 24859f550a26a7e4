import Foundation

// MARK: - Numbers

extension TokenScanner {
  /// Scans a number, beginning at its minus sign or its first digit.
  @inline(__always)
  mutating func scanNumber() -> Bool {
    let first = next
    var place = next
    if place.pointee == UInt8(ascii: "-") { place += 1 }
    let firstDigit = place
    if place.pointee == UInt8(ascii: "0") {
      place += 1
      if JSONBytes.isDigit(place.pointee) { return fail(.superfluousZero, at: place) }
    } else {
      guard JSONBytes.isDigit(place.pointee) else { return fail(.digitAfterMinus, at: place) }
      repeat { place += 1 } while JSONBytes.isDigit(place.pointee)
    }
    let byte = place.pointee
    if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
      return scanFraction(from: first, place)
    }
    let digitCount = place - firstDigit
    var kind = Token.Kind.integer
    if digitCount > 18, NumberText(first, count: place - first).integer == nil { kind = .largeInteger }
    guard append(kind, from: first, length: place - first) else { return false }
    next = place
    return true
  }

  /// Scans the fraction and the exponent of a number.
  ///
  /// - Parameters:
  ///   - first: The first byte of the number.
  ///   - fraction: The place of its decimal point or of its exponent.
  /// - Returns: False after a fault.
  private mutating func scanFraction(from first: UnsafePointer<UInt8>, _ fraction: UnsafePointer<UInt8>) -> Bool {
    var place = fraction
    if place.pointee == UInt8(ascii: ".") {
      place += 1
      guard JSONBytes.isDigit(place.pointee) else { return fail(.digitAfterPoint, at: place) }
      repeat { place += 1 } while JSONBytes.isDigit(place.pointee)
    }
    let mantissaEnd = place
    var exponent = 0
    if place.pointee | 0x20 == UInt8(ascii: "e") {
      place += 1
      if place.pointee == UInt8(ascii: "+") || place.pointee == UInt8(ascii: "-") { place += 1 }
      guard JSONBytes.isDigit(place.pointee) else { return fail(.digitInExponent, at: place) }
      repeat {
        exponent = min(exponent * 10 + Int(place.pointee - UInt8(ascii: "0")), 100_000)
        place += 1
      } while JSONBytes.isDigit(place.pointee)
    }
    let text = NumberText(first, count: place - first)
    // A number of so few digits and so small an exponent cannot leave the range of doubles.
    if text.count + exponent > 300, place < end {
      guard text.double.isFinite else { return fail(.tooLarge, at: first) }
      let isZero = !UnsafeBufferPointer(start: first, count: mantissaEnd - first).contains {
        (0x31...0x39).contains($0)
      }
      guard text.double != 0 || isZero else { return fail(.tooSmall, at: first) }
    }
    guard append(.decimal, from: first, length: place - first) else { return false }
    next = place
    return true
  }
}

/// The text of a number that follows the grammar of JSON.
struct NumberText {
  private let start: UnsafePointer<UInt8>
  let count: Int

  init(_ start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  var string: String { String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }

  /// The number as an integer of 64 bits, or nil if it does not fit. It must have neither fraction nor exponent.
  var integer: Int64? {
    let isNegative = start.pointee == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    var magnitude: UInt64 = 0
    // Nineteen digits always fit into an unsigned integer of 64 bits.
    guard count - index <= 19 else { return nil }
    while index < count {
      magnitude = magnitude &* 10 &+ UInt64(start[index] &- UInt8(ascii: "0"))
      index += 1
    }
    if isNegative {
      return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The double that is nearest to the number. It is infinite if the number is too large.
  var double: Double {
    var mantissa: UInt64 = 0
    var digitCount = 0
    var exponent = 0
    var index = start.pointee == UInt8(ascii: "-") ? 1 : 0
    var isFraction = false
    while index < count {
      let digit = start[index] &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        if mantissa > 0 { digitCount += 1 }
        if isFraction { exponent -= 1 }
      } else if start[index] == UInt8(ascii: ".") {
        isFraction = true
      } else {
        exponent += writtenExponent(at: index + 1)
        break
      }
      index += 1
    }
    // Both factors are exact doubles then, so that their product or quotient is rounded only once (Clinger, "How to
    // read floating point numbers accurately", 1990).
    guard digitCount <= 19, mantissa <= 1 << 53, -22...22 ~= exponent else { return slowDouble }
    let magnitude =
      exponent < 0
      ? Double(mantissa) / NumberText.powersOfTen[-exponent] : Double(mantissa) * NumberText.powersOfTen[exponent]
    return start.pointee == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  private func writtenExponent(at place: Int) -> Int {
    var index = place
    let isNegative = start[index] == UInt8(ascii: "-")
    if isNegative || start[index] == UInt8(ascii: "+") { index += 1 }
    var exponent = 0
    while index < count {
      exponent = min(exponent * 10 + Int(start[index] - UInt8(ascii: "0")), 100_000)
      index += 1
    }
    return isNegative ? -exponent : exponent
  }

  /// The double that the standard library reads. It reads every number that JSON allows.
  private var slowDouble: Double { Double(string) ?? .nan }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
