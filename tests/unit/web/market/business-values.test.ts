import { expect, test } from 'vitest'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { SOLD_STATES, STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { fieldOfFault, showBusiness, writeBusiness } from '#web/market/business/business-values.ts'

const ACCOUNT: ClientAccount = {
  user_id: '01920000-0000-7000-8000-000000000001',
  status: 'onboarding',
  business_name: 'Example Agency',
  phone: '+12025550143',
  timezone: 'America/Chicago',
  npn: null,
  licensed_states: ['CA', 'TX'],
  low_balance_threshold: '100.00',
  auto_recharge_enabled: false,
  auto_recharge_threshold: null,
  auto_recharge_amount: null,
  auto_recharge_monthly_max: null,
  auto_recharge_agreed_at: null,
  auto_recharge_terms: null,
  auto_recharge_stopped: null,
  saved_method: null,
  notices: {
    low_balance: true,
    out_of_funds: true,
    payments: true,
    returns: true,
    new_leads: false,
    lead_contacts: false,
    caps: false,
    weekly_digest: false,
    exports: true,
  },
  quiet_hours: null,
  version: 1,
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
}
const EVERY_STATE = [...SOLD_STATES]

test('missing values of a new account are empty, and no state is chosen', () => {
  expect(showBusiness({ ...ACCOUNT, business_name: null, phone: null, licensed_states: [] })).toEqual({
    business_name: '',
    phone: '',
    npn: '',
    timezone: 'America/Chicago',
    licensed_states: { all: false, codes: [] },
  })
})

test('a licence for every state is one choice, and is stored as the list of all states', () => {
  const shown = showBusiness({ ...ACCOUNT, licensed_states: EVERY_STATE })
  expect(shown.licensed_states).toEqual({ all: true, codes: [] })
  expect(writeBusiness(shown).licensed_states).toEqual(EVERY_STATE)
  const before = showBusiness({ ...ACCOUNT, licensed_states: Object.keys(STATE_NAMES) })
  expect(before.licensed_states).toEqual({ all: true, codes: [] })
  expect(showBusiness({ ...ACCOUNT, licensed_states: ['CA', 'FM'] }).licensed_states.codes).toEqual(['CA'])
})

test('unchanged values stay the same, and an emptied phone is removed', () => {
  const shown = showBusiness(ACCOUNT)
  expect(shown.phone).toBe('(202) 555-0143')
  expect(writeBusiness(shown)).toEqual({
    business_name: 'Example Agency',
    phone: '(202) 555-0143',
    npn: '',
    timezone: 'America/Chicago',
    licensed_states: ['CA', 'TX'],
  })
  expect(writeBusiness({ ...shown, phone: '  ' }).phone).toBeNull()
})

test('a fault is shown at its field, also for a part of the field; any other fault at the whole form', () => {
  expect(fieldOfFault('licensed_states.3')).toBe('licensed_states')
  expect(fieldOfFault('npn')).toBe('npn')
  expect(fieldOfFault('')).toBe('root')
  expect(fieldOfFault('version')).toBe('root')
})
