import { expect, test } from 'vitest'
import { createKeyring } from '#core/secrets/keyring.ts'
import { readUnsubscription, signUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import { endOfQuiet } from '#core/domain/market/notices/quiet-hours.ts'

const end = (hours: { from: string; to: string } | null, zone: string, now: string) =>
  endOfQuiet(hours, zone, new Date(now)).toISOString()
const NIGHT = { from: '21:00', to: '07:00' }

test.each([
  ['before the night', NIGHT, 'UTC', '2026-11-27T20:59:59.000Z', '2026-11-27T20:59:59.000Z'],
  ['in the evening', NIGHT, 'UTC', '2026-11-27T21:00:00.000Z', '2026-11-28T07:00:00.000Z'],
  ['after midnight', NIGHT, 'UTC', '2026-11-28T06:59:00.000Z', '2026-11-28T07:00:00.000Z'],
  ['in the morning', NIGHT, 'UTC', '2026-11-28T07:00:00.000Z', '2026-11-28T07:00:00.000Z'],
  [
    'in the zone of the account',
    NIGHT,
    'America/Chicago',
    '2026-11-28T03:30:00.000Z',
    '2026-11-28T13:00:00.000Z',
  ],
  [
    'within a day',
    { from: '12:00', to: '13:00' },
    'UTC',
    '2026-11-28T12:30:00.000Z',
    '2026-11-28T13:00:00.000Z',
  ],
  ['without quiet hours', null, 'UTC', '2026-11-28T03:00:00.000Z', '2026-11-28T03:00:00.000Z'],
  // The clocks of Chicago go from 02:00 to 03:00 on 8 March 2026.
  [
    'over a change of the clocks',
    { from: '23:00', to: '02:30' },
    'America/Chicago',
    '2026-03-08T07:00:00.000Z',
    '2026-03-08T08:00:00.000Z',
  ],
])('%s a chosen mail may be sent at the right moment', (_, hours, zone, now, expected) => {
  expect(end(hours, zone, now)).toBe(expected)
})

const key = createKeyring(Buffer.alloc(32, 1).toString('base64')).keysFor('unsubscribe')
const token = signUnsubscription(key, { user_id: 'c0000000-0000-4000-8000-000000000001', notice: 'caps' })

test('a link to end mails names its client and kind only if it was signed here', () => {
  expect(readUnsubscription(key, token)).toEqual({
    user_id: 'c0000000-0000-4000-8000-000000000001',
    notice: 'caps',
  })
  const other = createKeyring(Buffer.alloc(32, 2).toString('base64')).keysFor('unsubscribe')
  const forged = [
    token.replace('caps', 'payments'),
    token.replace('0001', '0002'),
    token.slice(0, -2),
    `${token}.x`,
    'a.b',
    '',
    signUnsubscription(other, { user_id: 'c0000000-0000-4000-8000-000000000001', notice: 'caps' }),
  ]
  expect(forged.map((text) => readUnsubscription(key, text))).toEqual(forged.map(() => undefined))
})
