import type { Request } from 'express'
import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { judgeServiceKey } from '#server/identity/judge-service-key.ts'
import { askServiceForJson } from '#core/http/ask-service.ts'
import { readBody } from '../wire/read-body.ts'

const URLS = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}
const TIMEOUT_MS = 5000

const guardedBody = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().nullish() }).optional(),
})
const verdictSchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).default([]),
})

/**
 * Asks the captcha's provider whether a person solved it, if one is configured. The service itself needs
 * none.
 * @throws AuthError captcha_failed, also if the provider is away: a captcha that nobody checks guards nothing
 */
export async function requireCaptcha(context: AuthContext, request: Request, caller: Caller): Promise<void> {
  if (context.config.auth.captcha === undefined) return
  if ((await judgeServiceKey(context, request.get('Authorization'))) === 'service') return
  await checkCaptcha(
    context,
    readBody(request, guardedBody).gotrue_meta_security?.captcha_token ?? '',
    caller,
  )
}

/** Checks a captcha like {@link requireCaptcha}, for a token that did not come in the body of such a request. */
export async function checkCaptcha(context: AuthContext, token: string, caller: Caller): Promise<void> {
  const { captcha } = context.config.auth
  if (captcha === undefined) return
  if (token.trim() === '') throw refused('no captcha response found in request')
  const answer = await askServiceForJson({
    url: captcha.url ?? URLS[captcha.provider],
    form: { secret: captcha.secret, response: token, remoteip: caller.ip },
    timeoutMs: TIMEOUT_MS,
  }).catch(() => undefined)
  const verdict = verdictSchema.safeParse(answer)
  if (!verdict.success) {
    context.logger.warn('the captcha provider could not be asked; the request was refused')
    throw refused('captcha provider unavailable')
  }
  // The provider's words are used only if they look like its codes.
  const codes = verdict.data['error-codes'].filter((code) => /^[a-z-]{1,40}$/.test(code))
  if (!verdict.data.success) throw refused(codes.join(', ') || 'not solved')
}

function refused(why: string): AuthError {
  return new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${why})`)
}
