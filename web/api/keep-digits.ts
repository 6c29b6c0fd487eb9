/**
 * For JSON.parse: a number that a double would write with other digits, 7.10, is its text. A browser that does not tell how it is written
 * shows the double.
 */
export function keepDigits(_name: string, value: unknown, written?: { source?: string }): unknown {
  const digits = written?.source
  return typeof value === 'number' && digits !== undefined && String(value) !== digits ? digits : value
}
