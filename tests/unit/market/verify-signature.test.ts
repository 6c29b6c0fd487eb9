import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifySignature } from '#server/market/payments/verify-signature.ts'

const BODY = '{"id":"evt_1","type":"checkout.session.completed"}'
const SECRET = 'whsec_example_secret_of_tests'
const TIME = 1_795_406_400
// Made with OpenSSL's HMAC over `1795406400.` and the body, for this secret and the previous one.
const V1 = '4b3bb80953f713f5bb8b046caae0181f15a86003abf49ca65ea0285da447fbc9'
const EARLIER = 'c80affdfc3295d767395b6005d81c0b4212b7fa362c7b53a830c98c8b4bff308'

const verify = (header: string | undefined, { body = Buffer.from(BODY), now = TIME, secret = SECRET } = {}) =>
  verifySignature(header, body, { secret, now })

test.each([
  ['alone', `t=${TIME},v1=${V1}`],
  ['in capitals', `t=${TIME},v1=${V1.toUpperCase()}`],
  ['with spaces, as the provider’s documents show it', `t=${TIME}, v1=${V1}, v0=${EARLIER}`],
  ['before its time', `v1=${V1},t=${TIME}`],
  ['beside one of another secret', `t=${TIME},v1=${EARLIER},v1=${V1}`],
  ['first of two', `t=${TIME},v1=${V1},v1=${EARLIER}`],
  ['among schemes that are not known', `t=${TIME},v2=abc,x,=,v1=${V1}`],
])('a known signature is good: %s', (_what, header) => {
  expect(verify(header)).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['no text', ''],
  ['no time', `v1=${V1}`],
  ['no signature', `t=${TIME}`],
  ['one of another secret', `t=${TIME},v1=${EARLIER}`],
  ['one of another scheme', `t=${TIME},v0=${V1}`],
  ['another time', `t=${TIME + 1},v1=${V1}`],
  ['a time in another form', `t=${TIME}.0,v1=${V1}`],
  ['a time as an exponent', `t=1e9,v1=${V1}`],
  ['half of it', `t=${TIME},v1=${V1.slice(0, 32)}`],
  ['more than it', `t=${TIME},v1=${V1}00`],
  ['what is not hex', `t=${TIME},v1=${'zz'.repeat(32)}`],
])('a wrong signature is refused: %s', (_what, header) => {
  expect(verify(header)).toBe(false)
})

test('a signature is valid for five minutes before and after its time', () => {
  const header = `t=${TIME},v1=${V1}`
  const verdicts = [-301, -300, 300, 301, 86_400 * 3].map((seconds) =>
    verify(header, { now: TIME + seconds }),
  )
  expect(verdicts).toEqual([false, true, true, false, false])
})

test('a signature covers every byte: a body with the same meaning but other bytes is refused', () => {
  const header = `t=${TIME},v1=${V1}`
  for (const body of [`${BODY}\n`, ` ${BODY}`, `\ufeff${BODY}`, BODY.replace('1', '2'), ''])
    expect(verify(header, { body: Buffer.from(body) })).toBe(false)
  const bytes = Buffer.from([0xff, 0x00, 0xfe])
  const signature = createHmac('sha256', SECRET).update(`${TIME}.`).update(bytes).digest('hex')
  expect(verify(`t=${TIME},v1=${signature}`, { body: bytes })).toBe(true)
})
