import { expect, it } from 'vitest'
import { createSlotShare, type SlotShare } from '#worker/dispatch/slot-share.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { outlastSilent } from '#worker/dispatch/outlast-silent.ts'

const NEVER_MS = 60_000
const leave = async (): Promise<void> => undefined

/** Of the endpoints `proved` and `silent` the first has answered; `end` is the second's answer. */
function shareWithSilent(workers: number): { share: SlotShare; end: () => void } {
  const share = createSlotShare({ slots: 100, limit: 10, now: () => performance.now() })
  share.setWorkerCount(workers)
  share.recall('proved', 'proved')
  const slot = share.enter('silent', 'hostile')
  const answer = slot?.begin()
  return {
    share,
    end: () => {
      answer?.('none')
      slot?.leave()
    },
  }
}

/** Only proved endpoints are asked any more. */
function isKept(share: SlotShare): boolean {
  const slot = share.enter('new', 'somebody')
  slot?.leave()
  return slot === undefined
}

it('lasts until the silent endpoint has answered, and lets only proved ones be asked meanwhile', async () => {
  const { share, end } = shareWithSilent(1)
  let isOver = false
  const lasting = outlastSilent(share, NEVER_MS, leave).then(() => {
    isOver = true
  })
  await waitUntil(() => isKept(share), { what: 'new endpoints being left alone' })
  const slot = share.enter('proved', 'somebody')
  expect(slot).toBeDefined()
  slot?.leave()
  expect(isOver).toBe(false)
  end()
  await lasting
})

it('lasts no longer than it may, and not at all where it may not or others send', async () => {
  for (const [workers, mostMs] of [
    [1, 50],
    [1, 0],
    [2, NEVER_MS],
  ] as const) {
    const { share } = shareWithSilent(workers)
    await outlastSilent(share, mostMs, leave)
    expect(isKept(share)).toBe(workers === 1 && mostMs > 0)
  }
})

it('is over at once where nothing is silent', async () => {
  const { share, end } = shareWithSilent(1)
  end()
  share.enter('proved', 'somebody')
  await outlastSilent(share, NEVER_MS, leave)
})

it('lasts where the other workers leave together with it', async () => {
  const { share, end } = shareWithSilent(3)
  let asked = 0
  const lasting = outlastSilent(share, NEVER_MS, async () => {
    asked += 1
    if (asked === 2) share.setWorkerCount(1)
  })
  await waitUntil(() => isKept(share), { what: 'it going on alone' })
  end()
  await lasting
})

it('serves a proved endpoint that was new here, once it keeps to proved ones and learns of it from another worker', () => {
  const share = createSlotShare({ slots: 10, limit: 5, now: () => 0 })
  share.recall('crm', 'new')
  expect(share.isKnown('crm')).toBe(true)
  share.keepToProved()
  expect(share.enter('crm', 'client')).toBeUndefined()
  expect(share.isKnown('crm')).toBe(false)
  share.recall('crm', 'proved')
  expect(share.isKnown('crm')).toBe(true)
  expect(share.enter('crm', 'client')).toBeDefined()
})
