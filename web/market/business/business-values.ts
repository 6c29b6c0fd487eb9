import type { ClientAccount, ClientAccountChange } from '#core/contract/market/client-account.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import type { ChosenStates } from '#web/components/states/state-groups.ts'
import { formatPhone } from '#web/format/phone.ts'

/** What the form holds; its fields have the names of the account's. */
export interface BusinessValues {
  business_name: string
  phone: string
  npn: string
  timezone: string
  licensed_states: ChosenStates
}

const EVERY_STATE = Object.keys(STATE_NAMES)

export function showBusiness(account: ClientAccount): BusinessValues {
  const { business_name, phone, npn, timezone, licensed_states } = account
  const all = licensed_states.length === EVERY_STATE.length
  return {
    business_name: business_name ?? '',
    phone: phone === null ? '' : formatPhone(phone),
    npn: npn ?? '',
    timezone,
    licensed_states: { all, codes: all ? [] : licensed_states },
  }
}

export function writeBusiness(values: BusinessValues): Omit<ClientAccountChange, 'version'> {
  const { business_name, phone, npn, timezone, licensed_states: states } = values
  return {
    business_name: business_name.trim(),
    phone: phone.trim() === '' ? null : phone.trim(),
    npn: npn.trim(),
    timezone,
    licensed_states: states.all ? EVERY_STATE : states.codes,
  }
}

/** The field that a server's fault belongs to (`licensed_states.3`); `root` for none of ours. */
export function fieldOfFault(path: string): keyof BusinessValues | 'root' {
  const [head] = path.split('.')
  const fields = ['business_name', 'phone', 'npn', 'timezone', 'licensed_states'] as const
  return fields.find((field) => field === head) ?? 'root'
}
