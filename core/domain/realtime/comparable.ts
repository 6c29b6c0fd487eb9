import type { ColumnType } from '#core/contract/rows/row-tables.ts'

/** A value that `===` and `<` compare as PostgreSQL compares those of its type; text by its UTF-16 units. */
export type Comparable = string | number | bigint | boolean

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/
const INTEGER = /^[+-]?\d{1,10}$/
const MOST_INT4 = 2 ** 31 - 1
const TRUE = ['true', 't']
const FALSE = ['false', 'f']
const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d)?)(?:\.(?<fraction>\d{1,6}))?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Reads a value of a column's type; undefined if the text is none. */
export function readComparable(type: ColumnType, text: string): Comparable | undefined {
  switch (type) {
    case 'text':
      return text
    case 'uuid':
      return UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined
    case 'bool':
      return readBoolean(text.toLowerCase())
    case 'int4':
      return INTEGER.test(text) && Math.abs(Number(text)) <= MOST_INT4 ? Number(text) : undefined
    case 'numeric':
      return NUMBER.test(text) ? Number(text) : undefined
    case 'timestamptz':
      return readMoment(text)
    case 'jsonb':
      return undefined
  }
}

function readBoolean(text: string): boolean | undefined {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : undefined
}

/** Microseconds since the epoch; UTC without a zone. */
function readMoment(text: string): bigint | undefined {
  const { day = '', time = '00:00', fraction = '', zone = 'Z' } = MOMENT.exec(text)?.groups ?? {}
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const milliseconds = Date.parse(`${day}T${time.padEnd(8, ':00')}${offset}`)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(milliseconds) || !isDay(day)) return undefined
  return BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
