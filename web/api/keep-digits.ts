/**
 * A reviver for JSON.parse: a number whose digits a double would change (7.10) stays text. A browser that
 * does not pass the source text shows the double.
 */
export function keepDigits(_name: string, value: unknown, written?: { source?: string }): unknown {
  const digits = written?.source
  return typeof value === 'number' && digits !== undefined && String(value) !== digits ? digits : value
}
