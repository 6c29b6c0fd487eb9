import { randomInt } from 'node:crypto'
import {
  CONTACT_TRAP,
  CONTACT_LIMITS,
  newContactMessageSchema,
  WEBINAR_INTEREST,
  type NewContactMessage,
} from '#core/contract/operations/contact-message.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { keepContactMessage } from '#core/data/operations/contact-messages.ts'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { cleanText } from '#core/domain/clean-text.ts'
import { isPlainLine, isPlainText } from '#core/domain/is-plain-text.ts'
import { withFurther } from '#core/domain/with-further.ts'
import { checkCaptcha } from '../../accounts/accounts.ts'
import type { ServerContext } from '../../context.ts'
import { readInput } from '../../http/read-input.ts'
import type { Caller } from '../../identity/caller.ts'

export type ContactReceipt =
  | { outcome: 'kept'; reference: string }
  | { outcome: 'faulty'; errors: readonly FieldError[] }
  | { outcome: 'too_many'; retry_after_seconds: number }

/** The field that holds the captcha's token. */
const PROOF = 'captcha_token'
// Without letters and digits that look alike.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const REFERENCE_LENGTH = 6

/**
 * Judges a message of the public site's form, stores it, and notifies its sender and the operator of the
 * installation.
 */
export async function receiveContactMessage(
  context: ServerContext,
  fields: Readonly<Record<string, unknown>>,
  from: Caller,
  form: 'message' | 'interest' = 'message',
): Promise<ContactReceipt> {
  const reference = makeReference()
  const read = form === 'interest' ? readInterest(fields) : readMessage(fields)
  if (!read.ok) return { outcome: 'faulty', errors: read.errors }
  const spent = await context.operations.contactRates.spend('contact', from.network)
  if (!spent.ok) return { outcome: 'too_many', retry_after_seconds: spent.retry_after_seconds }
  // A bot filled in the trap: it gets the same answer as a person, and nothing is stored.
  if (fields[CONTACT_TRAP] !== undefined && fields[CONTACT_TRAP] !== '') return { outcome: 'kept', reference }
  if (!(await isSolved(context, fields, from)))
    return {
      outcome: 'faulty',
      errors: [{ path: 'captcha', message: 'Confirm that you are human, and send again' }],
    }
  const { address, keepDays } = context.config.contact
  await keepContactMessage(context.db, read.message, reference, { operator: address, keptDays: keepDays })
  return { outcome: 'kept', reference }
}

type ReadMessage = { ok: true; message: NewContactMessage } | { ok: false; errors: FieldError[] }

/** The webinars page sends only an address; the rest of the message is filled in here. */
function readInterest(fields: Readonly<Record<string, unknown>>): ReadMessage {
  const { email, errors } = readEmail(fields)
  if (errors.length > 0) return { ok: false, errors }
  return { ok: true, message: { name: '', email, topic: 'webinars', message: WEBINAR_INTEREST } }
}

function readMessage(fields: Readonly<Record<string, unknown>>): ReadMessage {
  const { email, errors: faultsOfEmail } = readEmail(fields)
  const clean = (name: string) => {
    const given = fields[name]
    if (typeof given !== 'string') return given
    // Browsers send a line break as two characters, but count it as one against the maximum length.
    const text = given.replaceAll('\r\n', '\n').trim()
    return text.length > CONTACT_LIMITS.message ? text : cleanText(text)
  }
  const read = readInput(newContactMessageSchema, {
    name: clean('name'),
    email,
    topic: fields['topic'],
    message: clean('message'),
  })
  const errors = withFurther(read.ok ? refuseHidden(read.value) : read.errors, faultsOfEmail)
  return read.ok && errors.length === 0 ? { ok: true, message: read.value } : { ok: false, errors }
}

function readEmail(fields: Readonly<Record<string, unknown>>): { email: string; errors: FieldError[] } {
  const email = typeof fields['email'] === 'string' ? normaliseEmail(fields['email']) : ''
  const [fault] = validateEmail(email)
  return { email, errors: fault === undefined ? [] : [{ path: 'email', message: EMAIL_WORDS[fault] }] }
}

function refuseHidden({ name, message }: NewContactMessage): FieldError[] {
  const refuse = (path: string, message: string) => [{ path, message }]
  return [
    ...(isPlainLine(name)
      ? []
      : refuse('name', 'Name must be one line that can be read, without control characters')),
    ...(isPlainText(message)
      ? []
      : refuse('message', 'Message must be text that can be read, without control characters')),
  ]
}

async function isSolved(
  context: ServerContext,
  fields: Readonly<Record<string, unknown>>,
  from: Caller,
): Promise<boolean> {
  if (context.config.auth.captcha === undefined) return true
  const proof = fields[PROOF]
  return await checkCaptcha(context, typeof proof === 'string' ? proof : '', from).then(
    () => true,
    () => false,
  )
}

function makeReference(): string {
  const letters = Array.from({ length: REFERENCE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  return `LW-${letters.join('')}`
}
