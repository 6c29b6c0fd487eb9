import type { PlaceholderValue } from '../placeholder-value.ts'
import { refuseFormat, type OpenFormat, type ValueKind } from './format.ts'
import { readPart, splitParts } from './split-arguments.ts'

const ANYTHING_ELSE = '*'

/**
 * `default: unknown`, if there is no value, or only space. For a number `default: 0` is a number; the same holds for
 * true and false.
 */
export const openDefault: OpenFormat = (argument, kind) => {
  if (argument === undefined || argument === '')
    return refuseFormat("default needs a text, like {{city | default: unknown}}; '' is empty text")
  const instead = readTyped(argument, kind)
  const isMissing = (value: PlaceholderValue): boolean =>
    value === null || (typeof value === 'string' && value.trim() === '')
  return {
    ok: true,
    kind: typeof instead === 'string' && kind !== 'text' ? 'any' : kind,
    apply: (value) => (isMissing(value) ? instead : value),
  }
}

function readTyped(argument: string, kind: ValueKind): PlaceholderValue {
  if (kind === 'number' && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(argument)) return Number(argument)
  if (kind === 'yes_no' && (argument === 'true' || argument === 'false')) return argument === 'true'
  return readPart(argument)
}

/**
 * `map: CA=California, TX=Texas, *=elsewhere`: by the value as text, in any case. Values that are not named stay
 * unchanged unless there is a `*`. `CA → California` means the same.
 */
export const openMap: OpenFormat = (argument = '') => {
  const words = new Map<string, string>()
  for (const pair of splitParts(argument, ',')) {
    const [from = '', to] = splitPair(pair)
    const key = fold(readPart(from))
    if (to === undefined || key === '')
      return refuseFormat(
        `map needs pairs, like {{state | map: CA=California, TX=Texas}}${pair.trim() === '' ? '' : `: "${pair.trim()}" is none`}`,
      )
    if (words.has(key)) return refuseFormat(`"${readPart(from)}" stands twice in map`)
    words.set(key, readPart(to))
  }
  const otherwise = words.get(ANYTHING_ELSE)
  return {
    ok: true,
    kind: 'any',
    apply: (value) => (value === null ? null : (words.get(fold(String(value))) ?? otherwise ?? value)),
  }
}

function splitPair(pair: string): string[] {
  const [byEqual, byArrow] = [splitParts(pair, '=', 2), splitParts(pair, '→', 2)]
  return (byArrow[0] ?? '').length < (byEqual[0] ?? '').length ? byArrow : byEqual
}

const fold = (text: string): string => text.trim().toLowerCase()
