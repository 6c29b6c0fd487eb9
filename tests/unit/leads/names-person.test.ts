import { expect, test } from 'vitest'
import { namesPerson } from '#core/domain/leads/names-person.ts'

const ROSA = {
  name: 'José Díaz-López',
  last_name: 'Díaz-López',
  email: 'rosa.d@example.com',
  phone: '+12025550143',
  alt_phone: '+12025550177',
}
const NOBODY = { name: null, last_name: ' ', email: null, phone: null, alt_phone: '123' }

test.each([
  'Wish of Jose Diaz Lopez',
  'MR. DÍAZ-LÓPEZ asked for it',
  'Mail from <Rosa.D@Example.com>',
  'Called from (202) 555-0143',
  'called from 1.202.555.0177, twice',
  'ＪＯＳＥ　ＤＩＡＺ　ＬＯＰＥＺ',
])('%j names the person', (text) => {
  expect(namesPerson(text, ROSA)).toBe(true)
})

test.each(['Asked for it by letter', 'Ticket 2025550', 'Diaz', 'Lopezian wishes', ''])(
  '%j names nobody',
  (text) => {
    expect(namesPerson(text, ROSA)).toBe(false)
    expect(namesPerson(text, NOBODY)).toBe(false)
  },
)
