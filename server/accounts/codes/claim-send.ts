import type { AuthContext } from '../auth-context.ts'
import type { Rate } from '../guards/account-rates.ts'
import { tooSoon } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { forgetSend, noteSend } from './data/send-gaps.ts'
import { macCode } from './one-time-code.ts'

/** The purpose of a mail or message, by the call that asks for it: each purpose has its own gap. */
export interface Sending {
  kind: 'mail' | 'sms'
  purpose:
    | 'confirmation'
    | 'sign_in'
    | 'email_change'
    | 'phone_change'
    | 'reauthentication'
    | 'code'
    | 'factor'
    | 'revocation'
  /** the e-mail address, or the phone (digits only), whether or not there is an account */
  address: string
}

/**
 * Call it before anything is sent and before the account is looked up, so that known and unknown addresses
 * are delayed alike.
 * @throws AuthError 429 within the gap, or if this network or the whole service has used up its rate
 */
export async function claimSend(
  context: Pick<AuthContext, 'config' | 'db' | 'accounts'>,
  sending: Sending,
  { network }: Pick<Caller, 'network'>,
): Promise<void> {
  const { sendGapSeconds, testOtp } = context.config.auth
  const seconds = await noteSend(context.db, rowOf(context, sending), sendGapSeconds)
  if (seconds > 0) throw tooSoon(seconds, sending.kind)
  if (testOtp.has(sending.address)) return
  try {
    for (const [rate, key] of listBudgets(sending, network)) await context.accounts.rates.spend(rate, key)
  } catch (error) {
    // Nothing is sent, so the gap is freed: a caller over the limit must not delay the address' owner.
    await releaseSend(context, sending)
    throw error
  }
}

/**
 * The budgets of a sending, the narrowest first. Anybody may have a code for a revocation sent to a stranger, so these
 * codes never use up the mails and messages by which people sign in.
 */
function listBudgets({ kind, purpose }: Sending, network: string): (readonly [rate: Rate, key: string])[] {
  return [
    ...(purpose === 'revocation'
      ? ([
          [`${kind}_strangers_share`, network],
          [`${kind}_strangers`, 'all'],
        ] as const)
      : []),
    [`${kind}_share`, network],
    [kind, 'all'],
  ]
}

/** Frees the gap if the provider did not accept the message, so that the next try need not wait. */
export async function releaseSend(
  context: Pick<AuthContext, 'db' | 'accounts'>,
  sending: Sending,
): Promise<void> {
  await forgetSend(context.db, rowOf(context, sending))
}

function rowOf({ accounts: { codeKeys } }: Pick<AuthContext, 'accounts'>, { purpose, address }: Sending) {
  return { address_mac: macCode(codeKeys, 'sent to', address), purpose }
}
