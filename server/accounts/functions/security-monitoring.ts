import type { FunctionResult, SecurityMonitoring } from '#core/contract/accounts/account-functions.ts'
import { severityOf } from '#core/contract/accounts/security-event.ts'
import { AppError } from '#core/errors.ts'
import { nameTells } from '#core/domain/webhooks/mask-credentials.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { raiseAlerts, wasAlertRaised } from '../audit/raise-alerts.ts'
import { keepSecurityEvent } from '../audit/security-events.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { ServerContext } from '#server/context.ts'

/** Limits for a browser's clock that is ahead, and for the delay of its report. */
const AHEAD_MS = 60_000
const LATE_MS = 24 * 3_600_000

type Details = SecurityMonitoring['event']['details']

/**
 * Keeps an event that a browser reports, for the signed-in account or else for the address it comes from. The
 * server decides the severity from the type, and raises an alert if there were too many.
 * @throws AppError rate_limited
 */
export async function recordSecurityEvent(
  context: ServerContext,
  principal: Principal | undefined,
  { event }: SecurityMonitoring,
  caller: Caller,
): Promise<FunctionResult> {
  await spend(context, caller.network)
  if (principal !== undefined) await spend(context, principal.user_id)
  const holder = { user_id: principal?.user_id ?? null, ip: caller.ip }
  const { id, type, url, userAgent, details } = event
  await context.db.transaction().execute(async (trx) => {
    // The browser raises alerts as well; one is enough.
    if (type === 'security_alert' && (await wasAlertRaised(trx, String(details['cause']), holder))) return
    const isNew = await keepSecurityEvent(trx, {
      id,
      ...holder,
      type,
      severity: severityOf(type),
      occurred_at: readMoment(event.timestamp),
      url: withoutQuery(url),
      user_agent: userAgent,
      details: JSON.stringify(withoutPersonalData(details)),
    })
    if (isNew) await raiseAlerts(trx, type, holder, caller)
  })
  return { success: true, message: 'Recorded.', error: null }
}

async function spend(context: ServerContext, key: string): Promise<void> {
  try {
    await context.accounts.rates.spend('events', key)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const { message, retryAfterSeconds } = error
    throw new AppError('rate_limited', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
}

/** The browser's time, unless its clock cannot be right. */
function readMoment(timestamp: string): Date {
  const [moment, now] = [new Date(timestamp).getTime(), Date.now()]
  return new Date(moment > now + AHEAD_MS || moment < now - LATE_MS ? now : moment)
}

/** Query and fragment may hold codes and tokens; our paths never do. */
function withoutQuery(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, pathname } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}${pathname}` : null
}

const ADDRESS = /[^\s@"'<>]+@[^\s@"'<>]+/g

/** Removes addresses and credentials: they are not needed to say what happened. */
function withoutPersonalData(details: Details): Details {
  return Object.fromEntries(
    Object.entries(details)
      .filter(([name]) => !nameTells(name) && !/^(e-?mail|phone|otp|code)$/i.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll(ADDRESS, '…') : value]),
  )
}
