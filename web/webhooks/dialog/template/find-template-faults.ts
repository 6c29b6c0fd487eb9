import { readPlaceholder } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { suggestName } from '#core/domain/suggest-name.ts'
import { findJsonObjectFault } from '../check-json-object.ts'

/** A fault of a template and its place; offsets count UTF-16 units, and `to` is exclusive. */
export interface TemplateFault {
  from: number
  to: number
  /** An error prevents saving the template. */
  severity: 'error' | 'warning'
  message: string
  /** the correction, if there is a guess */
  replacement?: string
}

const KNOWN_NAMES = PLACEHOLDERS.map(({ name }) => name)

// An opening and the rest of its string, up to the closing braces.
const OPENING = /\{\{(?!\{)((?:[^{}"\\\n]|\\.)*)(\}{0,2})/g

/** Finds the faults of a template: first that of the JSON, then placeholders in the order of the text. */
export function findTemplateFaults(template: string): TemplateFault[] {
  const fault = findJsonObjectFault(template)
  const placeholders = [...template.matchAll(OPENING)].flatMap(
    ({ 0: whole, 1: inner = '', 2: closing, index }) => {
      const found = closing === '}}' ? judgePlaceholder(unescape(inner)) : judgeOpening(inner.trim())
      return found === undefined ? [] : [{ from: index, to: index + whole.length, ...found }]
    },
  )
  if (fault === null) return placeholders
  const from = fault.offset === null ? 0 : Math.min(fault.offset, Math.max(0, template.length - 1))
  const to = fault.offset === null ? template.length : Math.min(from + 1, template.length)
  return [{ from, to, severity: 'error', message: fault.message }, ...placeholders]
}

type Judgement = Omit<TemplateFault, 'from' | 'to'>

function judgePlaceholder(inner: string): Judgement | undefined {
  const { name, written, fault } = readPlaceholder(inner)
  if (fault !== undefined) return { severity: 'error', message: `{{${written}}}: ${fault}` }
  if (name !== null) return undefined
  const guess = suggestName(written, KNOWN_NAMES)
  const message = `{{${written}}} is not a known placeholder and will be sent empty.`
  if (guess === undefined) return { severity: 'warning', message }
  const bar = inner.indexOf('|')
  const formats = bar === -1 ? '' : ` ${inner.slice(bar)}`
  return {
    severity: 'warning',
    message: `${message} Did you mean {{${guess}}}?`,
    // A format with characters that JSON escapes gets no correction.
    ...(formats.includes('\\') || formats.includes('"') ? {} : { replacement: `{{${guess}${formats}}}` }),
  }
}

function judgeOpening(name: string): Judgement {
  const message = 'Placeholder not closed: it is sent as it stands.'
  // Only a single name can be closed; for a longer text the intended end is unknown.
  return /^[\w.]+$/.test(name)
    ? { severity: 'warning', message: `${message} Write {{${name}}}.`, replacement: `{{${name}}}` }
    : { severity: 'warning', message }
}

/** Decodes the text between two quotes as JSON; returns it unchanged if that fails. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
