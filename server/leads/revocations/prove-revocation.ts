import { readClock } from '#core/data/read-clock.ts'
import { AppError } from '#core/errors.ts'
import { CONTACT_CODE_SECONDS, sendContactCode, spendContactCode } from '../../accounts/accounts.ts'
import type { ServerContext } from '../../context.ts'
import type { Caller } from '../../identity/caller.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { gatherContact } from './gather-person.ts'
import { readPerson } from './read-person.ts'

/**
 * Sends a code to the person who wants to revoke. It is sent to everybody alike, so that the answer tells nothing.
 * @throws AppError validation_failed, rate_limited
 */
export async function sendRevocationCode(
  context: ServerContext,
  {
    contact: text,
    captcha_token: captchaToken = '',
  }: { contact: string; captcha_token?: string | undefined },
  from: Caller,
): Promise<{ kind: 'phone' | 'email'; expires_in_seconds: number }> {
  const contact = readPerson(text)
  await sendContactCode(context, contact, { from, captchaToken })
  return { kind: contact.kind, expires_in_seconds: CONTACT_CODE_SECONDS }
}

/**
 * Revokes for the person who got the code, at once and for everybody. Only the contact that is proven goes on the
 * suppression list: another person could have posted it together with somebody else's.
 * @throws AppError validation_failed, rate_limited
 */
export async function proveRevocation(
  context: ServerContext,
  given: { contact: string; code: string },
  from: Caller,
): Promise<{ revoked_at: string }> {
  const contact = readPerson(given.contact)
  const origin = {
    reported_by: 'consumer',
    reach: 'everybody',
    proof: contact.kind === 'phone' ? 'sms' : 'email',
  } as const
  const judged = await spendContactCode(context, { contact, code: given.code, from }, async (trx) => {
    const person = await gatherContact(trx, contact)
    const done = await applyRevocation(context.market, trx, origin, person)
    return { at: await readClock(trx), told: done?.events ?? [] }
  })
  if (judged.verdict !== 'right') throw wrongCode(judged.verdict)
  context.announce.events(judged.done.told)
  return { revoked_at: judged.done.at.toISOString() }
}

function wrongCode(verdict: 'wrong' | 'over'): AppError {
  const message =
    verdict === 'wrong' ? 'This code is not right' : 'This code is not good any more. Ask for a new one'
  return new AppError('validation_failed', 'The code was not accepted.', {
    errors: [{ path: 'code', message }],
  })
}
