import type { FieldError } from '#core/contract/problem.ts'
import { isNumber, writeNumber, type WrittenNumber } from '#core/contract/written-number.ts'
import { customName } from '#core/domain/leads/custom-name.ts'
import type { Extras, FlatValue } from '#core/domain/leads/normalise-lead.ts'
import { refuseText } from '#core/domain/refuse-text.ts'
import { withFurther } from '#core/domain/with-further.ts'

/** A field that has no column: where it goes, and its `path`, the sender's name for it. */
export interface Extra {
  into: 'custom' | 'utm'
  path: string
  key: string
  value: unknown
}

export interface GatheredExtras extends Extras {
  /** the fields that were left out, each with the reason */
  warnings: FieldError[]
}

/** Values of one name. */
interface Kept extends Omit<Extra, 'value'> {
  values: unknown[]
}

/**
 * Keeps as much as it can of the fields that have no column. A name is made to fit; a list or an object becomes JSON
 * text, and so do all values of a name that is given twice. The rest is left out with a warning. None of it refuses the
 * lead.
 * @param limits for both together
 */
export function gatherExtras(
  extras: readonly Extra[],
  limits: { keys: number; bytes: number },
): GatheredExtras {
  const kept = new Map<string, Kept>()
  const warnings: FieldError[] = []
  for (const { into, path, key, value } of extras) {
    const name = customName(key)
    const earlier = kept.get(`${into}.${name}`)
    const reason =
      name === undefined
        ? 'Was left out: a name needs a letter from a to z, or a digit'
        : (refuseValue(value) ??
          (earlier === undefined && kept.size >= limits.keys ? tooMany(limits) : undefined))
    if (reason !== undefined) warnings.push({ path, message: reason })
    else if (earlier !== undefined) earlier.values.push(value)
    else kept.set(`${into}.${name}`, { into, path, key: name ?? '', values: [value] })
  }
  const gathered = { custom: new Map<string, FlatValue>(), utm: new Map<string, FlatValue>() }
  let bytes = 0
  for (const { into, path, key, values } of kept.values()) {
    const value = values.length === 1 ? flatten(values[0]) : JSON.stringify(values)
    const size = sizeOf(key, value)
    if (bytes + size > limits.bytes) warnings.push({ path, message: tooLarge(limits) })
    else {
      bytes += size
      gathered[into].set(key, value)
    }
  }
  return {
    custom: Object.fromEntries(gathered.custom),
    utm: Object.fromEntries(gathered.utm),
    warnings: withFurther(warnings, []),
  }
}

const tooMany = ({ keys }: { keys: number }): string =>
  `Was left out: a lead keeps at most ${keys} fields beyond those that are known`
const tooLarge = ({ bytes }: { bytes: number }): string =>
  `Was left out: a lead keeps at most ${bytes.toLocaleString('en-US')} bytes beyond the known fields`

/** Within a list or an object, JSON text has an escape for each refused character. */
function refuseValue(value: unknown): string | undefined {
  const reason = typeof value === 'string' ? refuseText(value) : undefined
  return reason === undefined
    ? undefined
    : `Was left out: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
}

function flatten(value: unknown): FlatValue {
  if (isNumber(value)) return keepDigits(value)
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  return JSON.stringify(value)
}

/**
 * A number whose digits every JSON reader keeps stays a number. A number that a double rounds, or that PostgreSQL would
 * write without its exponent, becomes text.
 */
function keepDigits(number: number | WrittenNumber): FlatValue {
  const digits = writeNumber(number)
  if (typeof number === 'number' && !digits.includes('e')) return number
  const [, shortest = ''] = /^(-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)(?:\.?0+)?$/.exec(digits) ?? []
  return digits.length <= MOST_DIGITS && String(Number(digits)) === shortest ? number : digits
}

/** Digits of a number: far more than a double has, and fewer than PostgreSQL keeps after the decimal point. */
const MOST_DIGITS = 40

/** Size in bytes of JSON in UTF-8. */
function sizeOf(key: string, value: FlatValue): number {
  return Buffer.byteLength(JSON.stringify(value)) + key.length + 4
}
