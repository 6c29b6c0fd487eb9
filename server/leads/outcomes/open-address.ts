import { createHash } from 'node:crypto'
import type { OutcomeAddress, OutcomeOf } from '#core/data/leads/lead-outcomes.ts'
import { SAMPLE_OUTCOME_TOKEN } from '#core/domain/leads/sample-lead.ts'
import { AppError } from '#core/errors.ts'
import { outcomeSentAt, readOutcome } from '#core/secrets/outcome-token.ts'
import type { ServerContext } from '../../context.ts'
import { requireAllowed } from '../../http/rate-limits.ts'

/** A token has under 150 characters; a longer text is none. */
const LONGEST_ADDRESS = 4096

/**
 * Finds the lead, client and webhook that an address names.
 * @param given the token, or an address with it in its query
 * @param network the caller's. Addresses of automation services are shared by many clients, so only refused tokens count
 * against it
 * @throws AppError not_found, rate_limited
 */
export async function openAddress(
  { leads: { outcomeKeys, outcomeRates } }: Pick<ServerContext, 'leads'>,
  given: unknown,
  network: string,
): Promise<OutcomeAddress | 'sample'> {
  const token = readToken(given)
  const isSample = token === SAMPLE_OUTCOME_TOKEN
  const named = token === undefined || isSample ? undefined : readOutcome(outcomeKeys, token, new Date())
  const spent =
    named === undefined
      ? await outcomeRates.spend('outcome_refused', network)
      : await outcomeRates.spend('outcome', hashToken(named))
  requireAllowed(spent, 'outcomes')
  if (isSample) return 'sample'
  if (named === undefined) throw notAnAddress()
  const { lead_id, client_user_id, webhook_config_id } = named
  return { lead_id, client_user_id, webhook_config_id, sent_at: outcomeSentAt(named) }
}

function readToken(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > LONGEST_ADDRESS) return undefined
  const text = given.trim()
  return text.includes('?') ? (URL.parse(text)?.searchParams.get('token') ?? undefined) : text
}

/** Two addresses of one lead and webhook share their limit. */
function hashToken({ lead_id, webhook_config_id }: OutcomeOf): string {
  return createHash('sha256').update(`${lead_id}.${webhook_config_id}`).digest('base64url')
}

/** One answer for a forged, an expired and an ended address, and for none: it tells nobody what exists. */
export function notAnAddress(): AppError {
  return new AppError(
    'not_found',
    'This address for outcomes is not valid, or has ended: it works for 90 days, while the lead and the webhook are yours.',
  )
}
