import type { ClientAccount, ClientAccountChange } from '#core/contract/market/client-account.ts'
import { SOLD_STATES } from '#core/domain/leads/us-states.ts'
import type { ChosenStates } from '#web/components/states/state-groups.ts'
import { formatPhone } from '#web/format/phone.ts'

/** The form's values; fields are named as in the account. */
export interface BusinessValues {
  business_name: string
  phone: string
  npn: string
  timezone: string
  licensed_states: ChosenStates
}

export function showBusiness(account: ClientAccount): BusinessValues {
  const { business_name, phone, npn, timezone, licensed_states } = account
  // An older account may name states that are not sold; saving removes them.
  const codes = licensed_states.filter((code) => SOLD_STATES.includes(code))
  const all = codes.length === SOLD_STATES.length
  return {
    business_name: business_name ?? '',
    phone: phone === null ? '' : formatPhone(phone),
    npn: npn ?? '',
    timezone,
    licensed_states: { all, codes: all ? [] : codes },
  }
}

export function writeBusiness(values: BusinessValues): Omit<ClientAccountChange, 'version'> {
  const { business_name, phone, npn, timezone, licensed_states: states } = values
  return {
    business_name: business_name.trim(),
    phone: phone.trim() === '' ? null : phone.trim(),
    npn: npn.trim(),
    timezone,
    licensed_states: states.all ? [...SOLD_STATES] : states.codes,
  }
}

/** Returns the form field of a server error (`licensed_states.3`); `root` if there is none. */
export function fieldOfFault(path: string): keyof BusinessValues | 'root' {
  const [head] = path.split('.')
  const fields = ['business_name', 'phone', 'npn', 'timezone', 'licensed_states'] as const
  return fields.find((field) => field === head) ?? 'root'
}
