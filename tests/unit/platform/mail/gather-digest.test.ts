import { expect, test } from 'vitest'
import { gatherDigest, refreshDigest, listDigest } from '#core/contract/gather-digest.ts'

const of = (from: number, to: number, reason = 'gone') =>
  Array.from({ length: to - from }, (_, at) => ({ webhook_config_id: `webhook-${from + at}`, reason }))

const told = (digest: Parameters<typeof gatherDigest<ReturnType<typeof of>[number]>>[0]) =>
  listDigest(digest).map(({ webhook_config_id, reason }) => ({ webhook_config_id, reason }))

test('a mail about a single webhook has the form of the previous version', () => {
  expect(gatherDigest(undefined, of(0, 1))).toEqual({ ...of(0, 1)[0], others: [], more: 0 })
  expect(gatherDigest(undefined, [])).toBeUndefined()
})

test('new webhooks come after earlier ones, each once, with its latest status', () => {
  const first = gatherDigest({ webhook_config_id: 'webhook-0', reason: 'gone' }, of(1, 3))
  const second = gatherDigest(first, [...of(3, 4), ...of(1, 2, 'gone again')])
  expect(told(second)).toEqual([...of(0, 1), ...of(1, 2, 'gone again'), ...of(2, 4)])
})

test('a webhook that is switched off repeatedly appears once', () => {
  const digest = gatherDigest(gatherDigest(undefined, of(0, 70)), of(0, 70, 'again'))
  expect([told(digest), digest?.more]).toEqual([of(0, 70, 'again'), 0])
})

test('a digest holds at most a thousand webhooks and counts the others', () => {
  const digest = gatherDigest(undefined, of(0, 1020))
  expect(told(digest)).toEqual(of(0, 1000))
  expect(gatherDigest(digest, of(1020, 1030))?.more).toBe(30)
})

test('webhooks that still qualify stay in order with their current status; without any, no digest is sent', () => {
  const digest = gatherDigest(undefined, of(0, 3))
  const keep = (...ids: string[]) =>
    digest && refreshDigest(digest, new Map(ids.map((id) => [id, { reason: 'late' }])))
  expect(told(keep('webhook-2', 'webhook-1'))).toEqual(of(1, 3, 'late'))
  expect(keep('webhook-7')).toBeUndefined()
})
