/**
 * PostgreSQL's binary form of arrays (`array_recv`). In the text form, the driver quotes each element and PostgreSQL
 * parses it, character by character. For statements with many long texts that is a large part of the cost. The driver
 * sends a Buffer as it is, so its place in the statement must name the type: `${textArray(bodies)}::text[]`.
 */

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** The types' numbers in pg_type. */
const OIDS = { bool: 16, int4: 23, text: 25, float8: 701, timestamptz: 1184, uuid: 2950 } as const
const UUID_BYTES = 16
const UUID_LENGTH = 36
/** by character code; characters that are no hexadecimal digits get a larger number than any digit */
const DIGITS = Uint8Array.from({ length: 256 }, (_unused, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? 255 : digit
})
/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/** `text[]`: UTF-8; a lone surrogate becomes the replacement character, as in the text form. */
export function textArray(values: ReadonlyArray<string | null>): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0)
  return arrayOf(OIDS.text, values, bytes, (value, into, at) => into.write(value, at))
}

/**
 * `uuid[]`.
 * @throws TypeError if an element is not a uuid
 */
export function uuidArray(values: readonly string[]): Buffer {
  return arrayOf(OIDS.uuid, values, values.length * UUID_BYTES, writeUuid)
}

/**
 * `int4[]`.
 * @throws RangeError if an element does not fit
 */
export function intArray(values: ReadonlyArray<number | null>): Buffer {
  return arrayOf(OIDS.int4, values, values.length * 4, (value, into, at) => into.writeInt32BE(value, at) - at)
}

/** `float8[]`. */
export function floatArray(values: ReadonlyArray<number | null>): Buffer {
  return arrayOf(
    OIDS.float8,
    values,
    values.length * 8,
    (value, into, at) => into.writeDoubleBE(value, at) - at,
  )
}

/** `boolean[]`. */
export function booleanArray(values: readonly boolean[]): Buffer {
  return arrayOf(
    OIDS.bool,
    values,
    values.length,
    (value, into, at) => into.writeUInt8(value ? 1 : 0, at) - at,
  )
}

/**
 * `timestamptz[]`, to the millisecond.
 * @throws RangeError if an element is no valid date
 */
export function momentArray(values: readonly Date[]): Buffer {
  return arrayOf(
    OIDS.timestamptz,
    values,
    values.length * 8,
    (value, into, at) => into.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * 1000n, at) - at,
  )
}

function arrayOf<Value>(
  oid: number,
  values: ReadonlyArray<Value | null>,
  mostBytes: number,
  write: (value: Value, into: Buffer, at: number) => number,
): Buffer {
  const into = Buffer.allocUnsafe(HEADER_BYTES + values.length * LENGTH_BYTES + mostBytes)
  // dimensions, whether there are nulls, the elements' type, their number, the first index
  const header = values.length === 0 ? [0, 0, oid] : [1, values.includes(null) ? 1 : 0, oid, values.length, 1]
  let at = 0
  for (const number of header) at = into.writeInt32BE(number, at)
  for (const value of values) {
    if (value === null) {
      at = into.writeInt32BE(NULL_LENGTH, at)
      continue
    }
    const written = write(value, into, at + LENGTH_BYTES)
    into.writeInt32BE(written, at)
    at += LENGTH_BYTES + written
  }
  return into.subarray(0, at)
}

function writeUuid(value: string, into: Buffer, at: number): number {
  let from = 0
  for (let place = 0; place < UUID_BYTES; place += 1) {
    // 8-4-4-4-12
    if (value[from] === '-' && (from === 8 || from === 13 || from === 18 || from === 23)) from += 1
    const high = DIGITS[value.charCodeAt(from)] ?? 255
    const low = DIGITS[value.charCodeAt(from + 1)] ?? 255
    if (high > 15 || low > 15) throw new TypeError('not a uuid')
    into[at + place] = high * 16 + low
    from += 2
  }
  if (from !== UUID_LENGTH || value.length !== UUID_LENGTH) throw new TypeError('not a uuid')
  return UUID_BYTES
}
