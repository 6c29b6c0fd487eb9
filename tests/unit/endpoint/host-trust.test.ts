import { expect, test } from 'vitest'
import {
  createHostTrust,
  QUICK_BEFORE_TRUST,
  QUICK_MS,
  TRUSTED_MS,
} from '#core/endpoint/isolated/host-trust.ts'

const HOST = 'crm.example.com 443 '
const quick = { host: HOST, chain: 'usual', cpuMs: 2, wasAlone: false }
const slow = { ...quick, cpuMs: QUICK_MS }
const open = () => {
  let now = 1
  return { ...createHostTrust(() => now), pass: (ms: number) => (now += ms) }
}
const openTrusting = () => {
  const trust = open()
  for (let count = 0; count < QUICK_BEFORE_TRUST; count += 1) trust.noteMeasured(quick, ['client-1'])
  return trust
}

test('after ten quick handshakes, every client trusts a host until an hour after the last one', () => {
  const trust = open()
  for (let count = 1; count < QUICK_BEFORE_TRUST; count += 1) trust.noteMeasured(quick, ['client-1'])
  expect(trust.isTrusted('client-1', HOST)).toBe(false)
  trust.noteMeasured(quick, ['client-1'])
  expect(trust.isTrusted('client-1', HOST)).toBe(true)
  expect(trust.isTrusted('client-2', HOST)).toBe(true)
  expect(trust.isTrusted('client-1', 'crm.example.com 8443 ')).toBe(false)
  trust.pass(TRUSTED_MS - 1)
  trust.noteShared(HOST, 'usual')
  trust.pass(TRUSTED_MS - 1)
  expect(trust.isTrusted('client-1', HOST)).toBe(true)
  trust.pass(2)
  expect(trust.isTrusted('client-1', HOST)).toBe(false)
})

test('a failed handshake does not count among the ten', () => {
  const trust = open()
  for (let count = 0; count < QUICK_BEFORE_TRUST; count += 1)
    trust.noteMeasured({ ...quick, chain: undefined }, ['client-1'])
  expect(trust.isTrusted('client-1', HOST)).toBe(false)
})

test.each([undefined, 'another'])(
  'a certificate chain that was not measured (%s) ends the trust in a host',
  (chain) => {
    const trust = openTrusting()
    trust.noteShared(HOST, chain)
    expect(trust.isTrusted('client-2', HOST)).toBe(false)
    expect(trust.isIsolated('client-1')).toBe(false)
  },
)

test('one slow handshake ends the trust in the host, and isolates its client from all hosts, for an hour', () => {
  const trust = openTrusting()
  trust.noteMeasured({ ...slow, host: 'slow.example.com 443 ', wasAlone: true }, ['client-1'])
  expect(trust.isIsolated('client-1')).toBe(true)
  expect(trust.isTrusted('client-1', HOST)).toBe(false)
  expect(trust.isTrusted('client-2', HOST)).toBe(true)
  // One quick exchange does not restore trust.
  trust.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect(trust.isIsolated('client-1')).toBe(true)
  trust.pass(TRUSTED_MS + 1)
  expect(trust.isIsolated('client-1')).toBe(false)
})

test('a client that only shared a process with a slow handshake is cleared by its own quick handshake', () => {
  const trust = open()
  trust.noteMeasured(slow, ['client-1', 'client-2'])
  expect([trust.isIsolated('client-1'), trust.isIsolated('client-2')]).toEqual([true, true])
  trust.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect([trust.isIsolated('client-1'), trust.isIsolated('client-2')]).toEqual([false, true])
})

test('an endless answer isolates its client', () => {
  const trust = openTrusting()
  trust.noteEndless(HOST, 'client-1')
  expect([trust.isIsolated('client-1'), trust.isTrusted('client-2', HOST)]).toEqual([true, false])
})

test('a process that ends with one exchange isolates the client of that exchange', () => {
  const trust = openTrusting()
  trust.noteEnded(HOST, 'client-1', true)
  trust.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect([trust.isIsolated('client-1'), trust.isTrusted('client-2', HOST)]).toEqual([true, false])
})
