/**
 * A JSON number as it is written, if JSON.parse would change its text: 7.10, 12345678901234567891. It is an object of
 * ECMAScript's JSON.rawJSON, so JSON.stringify writes the same digits again.
 */
export interface WrittenNumber {
  readonly rawJSON: string
}

// TypeScript does not know them yet.
declare global {
  interface JSON {
    rawJSON: (text: string) => WrittenNumber
    isRawJSON: (value: unknown) => value is WrittenNumber
  }
}

/**
 * Returns a plain number if a double is written in the same way.
 * @param digits a number of JSON
 */
export function readNumber(digits: string): number | WrittenNumber {
  const number = Number(digits)
  return String(number) === digits ? number : JSON.rawJSON(digits)
}

export function isNumber(value: unknown): value is number | WrittenNumber {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && JSON.isRawJSON(value))
}

export function writeNumber(number: number | WrittenNumber): string {
  return typeof number === 'number' ? String(number) : number.rawJSON
}
