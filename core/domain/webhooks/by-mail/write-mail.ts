import type { PayloadEvent } from '#core/contract/events.ts'
import { writeValue, type PlaceholderValues } from '../template/placeholder-value.ts'

/** Line breaks would end a header, and other control characters are not allowed in one. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const LONGEST_SUBJECT = 200
/** Characters of the event's id that keep two mails of one kind apart in a mail program that groups equal subjects. */
const SHOWN_OF_ID = 8

/**
 * The subject of a delivery's mail, the same on every retry and resend. It never names the person: subjects stand in the
 * logs of mail servers and on locked screens.
 */
export function writeSubject(event: PayloadEvent, eventId: string, values: PlaceholderValues): string {
  const about = [values['lead_type_label'], values['state']].map((value) => writeValue(value ?? null))
  const subject = [nameEvent(event, values), about.filter((part) => part !== '').join(', ')]
    .filter((part) => part !== '')
    .join(': ')
  return `${subject.replaceAll(CONTROLS, ' ').trim().slice(0, LONGEST_SUBJECT)} [${eventId.slice(-SHOWN_OF_ID)}]`
}

/** `order.cap_reached` → `Order cap reached`. */
function nameEvent(event: PayloadEvent, values: PlaceholderValues): string {
  if (event === 'test' || values['is_test'] === true) return 'Test lead'
  if (event === 'lead.created' || event === 'lead.assigned') return 'New lead'
  const words = event.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TEST = 'This is a test. The person is fictional: do not contact them.'
const FOOTER = `Leadwire sent this mail because a webhook of your account has
your address. Change or delete it under Integrations.`

/**
 * The text of a delivery's mail.
 * @param form the payload as a form (application/x-www-form-urlencoded)
 */
export function writeMailText(event: PayloadEvent, form: string, values: PlaceholderValues): string {
  const isTest = event === 'test' || values['is_test'] === true
  return [...(isTest ? [TEST, ''] : []), writeFields(form), '', '-- ', FOOTER, ''].join('\n')
}

/** The payload's fields, one a line. The further lines of a value are indented, so that no value can pass for a field. */
export function writeFields(form: string): string {
  return [...new URLSearchParams(form)]
    .map(([name, value]) => `${oneLine(name)}: ${indent(value)}`.trim())
    .join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ')
}

function indent(value: string): string {
  return value
    .split(/\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/)
    .map(oneLine)
    .join('\n  ')
}
