import { namesPerson, type Person } from '#core/domain/leads/names-person.ts'
import { AppError } from '#core/errors.ts'

/** Keeps personal data out of the audit log, which never changes. @throws AppError validation_failed */
export function refuseNaming(path: string, text: string, person: Person): void {
  if (!namesPerson(text, person)) return
  const message = 'Leave out the person’s name, phone and e-mail address: this is kept for good'
  throw new AppError('validation_failed', message, { errors: [{ path, message }] })
}
