import type { GivenValue, PlaceholderValue } from '../placeholder-value.ts'
import { LEAD_VOCABULARY } from '../vocabulary.ts'
import type { ApplyFormat, ApplyFormats, Vocabulary } from './format.ts'
import { openFormat } from './formats.ts'
import { splitParts } from './split-arguments.ts'

/** Limit of formats: each is applied to a value of up to 5,000 characters, with every delivery. */
export const MOST_FORMATS = 5

/** The content of a placeholder's braces. */
export interface PlaceholderReading {
  /** the name of its value; null if there is none of that name, or a format is wrong */
  name: string | null
  /** the text to report if `name` is null: the name as written, or the whole content if a format is wrong */
  written: string
  /** undefined if the value is sent unchanged */
  apply: ApplyFormats | undefined
  /** the reason why a format cannot be used, as a sentence; undefined if all formats are right */
  fault: string | undefined
}

/** Reads `name`, `name | format` or `name | format: argument | …` (docs/product.md §3). */
export function readPlaceholder(inner: string, vocabulary: Vocabulary = LEAD_VOCABULARY): PlaceholderReading {
  const [first = '', ...formats] = splitParts(inner, '|')
  const written = first.trim()
  const name = vocabulary.nameOf(written)
  const isKnown = vocabulary.isKnown(name)
  const applied: ApplyFormat[] = []
  let kind = isKnown ? vocabulary.kindOf(name) : 'any'
  const refuse = (fault: string) => ({ name: null, written: inner.trim(), apply: undefined, fault })
  if (formats.length > MOST_FORMATS) return refuse(`A value takes at most ${MOST_FORMATS} formats`)
  let hasIf = false
  for (const format of formats) {
    const [word = '', argument] = splitParts(format, ':', 2)
    const opened = openFormat(word.trim(), argument, kind, vocabulary)
    if (!opened.ok) return refuse(opened.reason)
    if (word.trim() === 'if' && hasIf) return refuse('A value takes one if')
    hasIf ||= word.trim() === 'if'
    applied.push(opened.apply)
    kind = opened.kind
  }
  return {
    name: isKnown ? name : null,
    written,
    apply: applied.length === 0 ? undefined : inTurn(applied),
    fault: undefined,
  }
}

function inTurn(formats: readonly ApplyFormat[]): ApplyFormats {
  return (value, values, noteRead) =>
    formats.reduce<GivenValue>((last, apply) => {
      const read = readValue(last)
      if (typeof read === 'string') noteRead?.(read.length)
      const made = apply(read, values)
      return made === read ? last : made
    }, value)
}

function readValue(value: GivenValue): PlaceholderValue {
  return typeof value === 'object' && value !== null ? Number(value.rawJSON) : value
}
