import { suggestName } from '#core/domain/suggest-name.ts'
import { writeValue, type GivenValue, type PlaceholderValue } from '../placeholder-value.ts'
import { PLACEHOLDERS } from '../placeholders.ts'
import { refuseFormat, type ApplyFormat, type OpenFormat, type ValueKind, type Vocabulary } from './format.ts'
import { readPart, splitParts } from './split-arguments.ts'

type Result = { ok: true; find: ApplyFormat; kind: ValueKind | 'none' } | { ok: false; reason: string }
type Test = { ok: true; holds: (value: PlaceholderValue) => boolean } | { ok: false; reason: string }

const EXAMPLE = '{{state | if: = CA, West, East}}'

/**
 * `if: TEST, RESULT, OTHERWISE`. The test is `empty`, `not empty`, `= value` or `!= value`; values are compared as
 * text, in any case. A result is a text, a number, `true`, `false`, `null`, or `lead.` (for an event `event.`) and the name of
 * a placeholder, and keeps its type. It holds no formats and no other `if`, so its work is that of one value.
 */
export const openIf: OpenFormat = (argument = '', _kind, vocabulary) => {
  const [test = '', then, otherwise, ...more] = splitParts(argument, ',')
  if (then === undefined || otherwise === undefined)
    return refuseFormat(`if needs a test and two results, like ${EXAMPLE}`)
  if (more.length > 0)
    return refuseFormat('if takes a test and two results. Put a text with a comma into single quotes')
  const opened = openTest(test.trim())
  if (!opened.ok) return refuseFormat(opened.reason)
  const [first, second] = [readResult(then.trim(), vocabulary), readResult(otherwise.trim(), vocabulary)]
  if (!first.ok) return refuseFormat(first.reason)
  if (!second.ok) return refuseFormat(second.reason)
  return {
    ok: true,
    kind: commonKind(first.kind, second.kind),
    apply: (value, values) => (opened.holds(value) ? first : second).find(value, values),
  }
}

function openTest(test: string): Test {
  if (test === 'empty') return { ok: true, holds: isEmpty }
  if (test === 'not empty') return { ok: true, holds: (value) => !isEmpty(value) }
  const [sign, isWanted] = test.startsWith('!=') ? (['!=', false] as const) : (['=', true] as const)
  if (!test.startsWith(sign))
    return { ok: false, reason: `"${test}" is no test. There are empty, not empty, = value and != value` }
  const wanted = fold(readPart(test.slice(sign.length)))
  if (wanted === '')
    return { ok: false, reason: `A value is missing after ${sign}. For no value write empty or not empty` }
  return { ok: true, holds: (value) => (fold(writeValue(value)) === wanted) === isWanted }
}

function readResult(text: string, { mark, isKnown, kindOf }: Vocabulary): Result {
  const fixed = (value: GivenValue, kind: ValueKind | 'none'): Result => ({
    ok: true,
    kind,
    find: () => value,
  })
  if (text === '') return { ok: false, reason: "A result of if is missing; '' is empty text" }
  if (text === 'null') return fixed(null, 'none')
  if (text === 'true' || text === 'false') return fixed(text === 'true', 'yes_no')
  // Digits stay as written, as everywhere in a template.
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(text)) return fixed({ rawJSON: text }, 'number')
  if (!text.startsWith(mark)) return fixed(readPart(text), 'text')
  const name = text.slice(mark.length)
  if (isKnown(name)) return { ok: true, kind: kindOf(name), find: (_value, values) => values[name] ?? null }
  const meant = suggestName(
    name,
    NAMES.filter((known) => isKnown(known)),
  )
  const hint =
    meant === undefined ? `Put a text into single quotes: '${mark}…'` : `Did you mean ${mark}${meant}?`
  return { ok: false, reason: `There is no placeholder "${name.slice(0, 60)}". ${hint}` }
}

const NAMES = PLACEHOLDERS.map(({ name }) => name)

/** Formats after the `if` are checked by this kind. */
function commonKind(first: ValueKind | 'none', second: ValueKind | 'none'): ValueKind {
  if (first === 'none') return second === 'none' ? 'any' : second
  return second === 'none' || second === first ? first : 'any'
}

const isEmpty = (value: PlaceholderValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')
const fold = (text: string): string => text.trim().toLowerCase()
