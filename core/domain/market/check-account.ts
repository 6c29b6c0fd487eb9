import type { ClientAccount, ClientAccountChange } from '../../contract/market/client-account.ts'
import type { FieldError } from '../../contract/problem.ts'
import { normalisePhone } from '../leads/normalise-phone.ts'
import { stateCode } from '../leads/us-states.ts'
import { parseCents } from './cents.ts'
import { refuseUnsold } from './orders/check-order.ts'

type Change = Omit<ClientAccountChange, 'version'>

/**
 * Converts a change to its stored form: a phone in E.164, states as codes in order, each once; or returns its faults.
 */
export function normaliseAccount(
  change: Change,
): { ok: true; change: Change } | { ok: false; errors: FieldError[] } {
  const errors: FieldError[] = []
  const normalised = { ...change }
  if (typeof change.phone === 'string') {
    const reading = normalisePhone(change.phone)
    if (reading.ok) normalised.phone = reading.phone
    else errors.push({ path: 'phone', message: reading.reason })
  }
  if (change.licensed_states !== undefined) {
    const codes = change.licensed_states.map((text) => stateCode(text))
    for (const [index, code] of codes.entries())
      if (code === undefined)
        errors.push({ path: `licensed_states.${index}`, message: 'Must be a US state or territory code' })
    normalised.licensed_states = [...new Set(codes.filter((code) => code !== undefined))].toSorted()
  }
  return errors.length === 0 ? { ok: true, change: normalised } : { ok: false, errors }
}

/**
 * Finds faults in the licensed states. States whose leads are not sold need no licence.
 * @param kept states that the account names already; they may stay, although their leads are not sold any more
 */
export function findLicenceFaults(licensed: readonly string[], kept: readonly string[]): FieldError[] {
  return licensed.flatMap((code) => {
    const message = kept.includes(code) ? undefined : refuseUnsold(code)
    return message === undefined ? [] : [{ path: 'licensed_states', message }]
  })
}

/** Finds faults in the auto-recharge of an account after the change (docs/product.md §5). */
export function checkAutoRecharge(
  account: Pick<
    ClientAccount,
    'auto_recharge_enabled' | 'auto_recharge_threshold' | 'auto_recharge_amount' | 'auto_recharge_monthly_max'
  >,
): FieldError[] {
  const errors: FieldError[] = []
  const needed = ['auto_recharge_threshold', 'auto_recharge_amount', 'auto_recharge_monthly_max'] as const
  if (account.auto_recharge_enabled)
    for (const path of needed)
      if (account[path] === null) errors.push({ path, message: 'Is needed for the auto-recharge' })
  const most = account.auto_recharge_monthly_max
  const amount = account.auto_recharge_amount
  if (most !== null && amount !== null && (parseCents(most) ?? 0) < (parseCents(amount) ?? 0))
    errors.push({ path: 'auto_recharge_monthly_max', message: 'Must be at least one recharge' })
  return errors
}
