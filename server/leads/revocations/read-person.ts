import { readContact, type Contact } from '#core/domain/market/read-contact.ts'
import { AppError } from '#core/errors.ts'

/** A phone number or e-mail address as leads have it. @throws AppError validation_failed */
export function readPerson(text: string): Contact {
  const reading = readContact(text)
  if (reading.ok) return reading.contact
  const { message } = reading
  throw new AppError('validation_failed', 'The body has 1 fault(s).', {
    errors: [{ path: 'contact', message }],
  })
}
