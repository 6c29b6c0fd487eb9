import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'
import { REFUSED_ADDRESSES } from './refused-values.ts'

/** Every call that takes an address to send something to, and the form of its body. */
const CALLS: [call: WireRow['call'], as: WireRow['as'], body: (email: string) => object][] = [
  ['POST /signup', undefined, (email) => ({ email, password: PASSWORD })],
  ['POST /otp', undefined, (email) => ({ email })],
  ['POST /magiclink', undefined, (email) => ({ email })],
  ['POST /recover', undefined, (email) => ({ email })],
  ['POST /resend', undefined, (email) => ({ type: 'signup', email })],
  ['POST /resend', undefined, (email) => ({ type: 'email_change', email })],
  ['PUT /user', 'second', (email) => ({ email })],
  ['POST /invite', 'service', (email) => ({ email })],
  ['POST /admin/users', 'service', (email) => ({ email })],
  ['PUT /admin/users/{doomed}', 'service', (email) => ({ email })],
  ['POST /admin/generate_link', 'service', (email) => ({ type: 'magiclink', email })],
]

export const addressRows: WireRow[] = [
  ...CALLS.flatMap(([call, as, body]) =>
    Object.entries(REFUSED_ADDRESSES).map(([how, email]): WireRow => ({
      name: `refuses an address ${how}: ${JSON.stringify(body('…'))}`,
      call,
      ...(as === undefined ? {} : { as }),
      body: body(email),
      gets: 400,
      code: 'validation_failed',
      says: 'Unable to validate email address: invalid format',
    })),
  ),
  {
    name: 'gives the new address of a change the same answer',
    call: 'POST /admin/generate_link',
    as: 'service',
    body: prepared(() => ({ type: 'email_change_new', email: newEmail(), new_email: 'nobody' })),
    gets: 400,
    code: 'validation_failed',
    says: 'Unable to validate email address: invalid format',
  },
]
