import { expect, test } from 'vitest'
import { createStanding, QUICK_BEFORE_TRUST, QUICK_MS, TRUSTED_MS } from '#core/endpoint/apart/standing.ts'

const HOST = 'crm.example.com 443 '
const quick = { host: HOST, chain: 'usual', cpuMs: 2, wasAlone: false }
const slow = { ...quick, cpuMs: QUICK_MS }
const open = () => {
  let now = 1
  return { ...createStanding(() => now), pass: (ms: number) => (now += ms) }
}
const openTrusting = () => {
  const standing = open()
  for (let count = 0; count < QUICK_BEFORE_TRUST; count += 1) standing.noteMeasured(quick, ['client-1'])
  return standing
}

test('a host is trusted by everybody after ten quick handshakes, until an hour after the last', () => {
  const standing = open()
  for (let count = 1; count < QUICK_BEFORE_TRUST; count += 1) standing.noteMeasured(quick, ['client-1'])
  expect(standing.isTrusted('client-1', HOST)).toBe(false)
  standing.noteMeasured(quick, ['client-1'])
  expect(standing.isTrusted('client-1', HOST)).toBe(true)
  expect(standing.isTrusted('client-2', HOST)).toBe(true)
  expect(standing.isTrusted('client-1', 'crm.example.com 8443 ')).toBe(false)
  standing.pass(TRUSTED_MS - 1)
  standing.noteShared(HOST, 'usual')
  standing.pass(TRUSTED_MS - 1)
  expect(standing.isTrusted('client-1', HOST)).toBe(true)
  standing.pass(2)
  expect(standing.isTrusted('client-1', HOST)).toBe(false)
})

test('a handshake that failed is none of the ten', () => {
  const standing = open()
  for (let count = 0; count < QUICK_BEFORE_TRUST; count += 1)
    standing.noteMeasured({ ...quick, chain: undefined }, ['client-1'])
  expect(standing.isTrusted('client-1', HOST)).toBe(false)
})

test.each([undefined, 'another'])(
  'certificates that were not measured (%s) end the trust in a host',
  (chain) => {
    const standing = openTrusting()
    standing.noteShared(HOST, chain)
    expect(standing.isTrusted('client-2', HOST)).toBe(false)
    expect(standing.isApart('client-1')).toBe(false)
  },
)

test('one slow handshake ends the trust in the host, and of its client in all, for an hour', () => {
  const standing = openTrusting()
  standing.noteMeasured({ ...slow, host: 'slow.example.com 443 ', wasAlone: true }, ['client-1'])
  expect(standing.isApart('client-1')).toBe(true)
  expect(standing.isTrusted('client-1', HOST)).toBe(false)
  expect(standing.isTrusted('client-2', HOST)).toBe(true)
  // A quick one does not excuse it.
  standing.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect(standing.isApart('client-1')).toBe(true)
  standing.pass(TRUSTED_MS + 1)
  expect(standing.isApart('client-1')).toBe(false)
})

test('whoever was only beside a slow one is cleared by a quick one alone', () => {
  const standing = open()
  standing.noteMeasured(slow, ['client-1', 'client-2'])
  expect([standing.isApart('client-1'), standing.isApart('client-2')]).toEqual([true, true])
  standing.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect([standing.isApart('client-1'), standing.isApart('client-2')]).toEqual([false, true])
})

test('what came without an end is laid to its client, whose exchanges are made alone', () => {
  const standing = openTrusting()
  standing.noteEndless(HOST, 'client-1')
  expect([standing.isApart('client-1'), standing.isTrusted('client-2', HOST)]).toEqual([true, false])
})

test('a process that ended with one exchange alone is laid to its client', () => {
  const standing = openTrusting()
  standing.noteEnded(HOST, 'client-1', true)
  standing.noteMeasured({ ...quick, wasAlone: true }, ['client-1'])
  expect([standing.isApart('client-1'), standing.isTrusted('client-2', HOST)]).toEqual([true, false])
})
