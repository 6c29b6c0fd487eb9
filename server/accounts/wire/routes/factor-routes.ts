import { Router, type Request } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller } from '#server/identity/caller.ts'
import { describeSession } from '#server/accounts/sessions/describe-session.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { readPhone } from '../read-address.ts'
import { readBody, receiveBody } from '../read-body.ts'
import { refuseUnfitText } from '../refuse-unfit-text.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { requireSession } from '#server/accounts/guards/require-session.ts'
import { RECOVERY_CHANNEL } from '#core/contract/accounts/recovery-codes.ts'
import { challengeFactor } from '#server/accounts/factors/challenge-factor.ts'
import { enrollFactor, type WantedFactor } from '#server/accounts/factors/enroll-factor.ts'
import { unenrollFactor } from '#server/accounts/factors/unenroll-factor.ts'
import { verifyFactor } from '#server/accounts/factors/verify-factor.ts'

const LONGEST_NAME = 100
const CHANNELS = ['sms', 'whatsapp']

const enrollBody = z.object({
  factor_type: z.string().default(''),
  friendly_name: z.string().default(''),
  issuer: z.string().default(''),
  phone: z.string().default(''),
})
const challengeBody = z.object({ channel: z.string().default('sms') })
const verifyBody = z.object({ challenge_id: z.string().default(''), code: z.string().default('') })

/** The bearer's second factors. */
export function factorRoutes(context: AuthContext): Router {
  const router = Router()

  router.post('/factors', receiveBody, async (request, response) => {
    const holder = await requirePerson(context, request)
    const wanted = readWanted(readBody(request, enrollBody), context.config.http.publicUrl)
    const { totp, ...factor } = await enrollFactor(context, holder, wanted, readCaller(request))
    const shown =
      totp === undefined ? {} : { totp: { qr_code: totp.qr_code, secret: totp.secret, uri: totp.uri } }
    response.json({ ...factor, ...shown })
  })

  router.post('/factors/:id/challenge', receiveBody, async (request, response) => {
    const holder = await requirePerson(context, request)
    const caller = readCaller(request)
    await context.accounts.rates.spend('mfa', `challenge:${caller.network}`)
    const { channel } = readBody(request, challengeBody)
    if (channel !== RECOVERY_CHANNEL && !CHANNELS.includes(channel))
      throw validationFailed("Invalid channel, supported values are 'sms' or 'whatsapp'")
    const wanted = { factor_id: readFactorId(request), isForRecovery: channel === RECOVERY_CHANNEL }
    response.json(await challengeFactor(context, holder, wanted, caller))
  })

  router.post('/factors/:id/verify', receiveBody, async (request, response) => {
    const holder = await requirePerson(context, request)
    const caller = readCaller(request)
    await context.accounts.rates.spend('mfa', `verify:${caller.network}`)
    const factor_id = readFactorId(request)
    const body = readBody(request, verifyBody)
    const code = body.code.replaceAll(/\s/g, '')
    if (code === '') throw validationFailed('Code needs to be non-empty')
    if (!isUuid(body.challenge_id))
      throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
    const answer = { factor_id, challenge_id: body.challenge_id, code }
    response.json(await describeSession(context, await verifyFactor(context, holder, answer, caller)))
  })

  router.delete('/factors/:id', async (request, response) => {
    const holder = await requirePerson(context, request)
    const id = readFactorId(request)
    await unenrollFactor(context, holder, id, readCaller(request))
    response.json({ id })
  })
  return router
}

async function requirePerson(context: AuthContext, request: Request): Promise<Principal> {
  const holder = await requireSession(context, request.get('Authorization'))
  if (holder.is_anonymous)
    throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions')
  return holder
}

function readFactorId(request: Request): string {
  const id = request.params['id']
  if (typeof id !== 'string' || !isUuid(id))
    throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID')
  return id.toLowerCase()
}

function readWanted(body: z.output<typeof enrollBody>, publicUrl: string): WantedFactor {
  const { factor_type, friendly_name, issuer, phone } = body
  if (friendly_name.length > LONGEST_NAME || issuer.length > LONGEST_NAME)
    throw validationFailed(`friendly_name and issuer may have at most ${LONGEST_NAME} characters`)
  refuseUnfitText({ friendly_name, issuer })
  if (factor_type === 'totp')
    return { factor_type, friendly_name, issuer: issuer === '' ? new URL(publicUrl).host : issuer }
  if (factor_type !== 'phone') throw validationFailed('factor_type needs to be totp or phone')
  if (phone === '') throw validationFailed('Phone number required to enroll Phone factor')
  return { factor_type, friendly_name, phone: readPhone(phone) }
}
