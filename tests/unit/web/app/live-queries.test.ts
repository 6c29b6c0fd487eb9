import { setTimeout as wait } from 'node:timers/promises'
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { createRefresh, hasLive, TELLS_DELIVERIES } from '#web/api/live-queries.ts'
import { waitUntil } from '#tests/support/condition.ts'

const stops: Array<() => void> = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A query on screen that counts its requests, each of which takes this long. */
function show(queryClient: QueryClient, meta: Record<string, unknown>, tookMs = 0, data: unknown = {}) {
  const asked: number[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: [crypto.randomUUID()],
    queryFn: async () => {
      asked.push(performance.now())
      await wait(tookMs)
      return data
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta,
  })
  const leave = observer.subscribe(() => undefined)
  stops.push(leave)
  return { asked, leave, isThere: () => observer.getCurrentResult().isSuccess }
}

describe('a refresh', () => {
  it('repeats all live queries, and no others', async () => {
    const queryClient = new QueryClient()
    const [lead, log] = [show(queryClient, TELLS_DELIVERIES), show(queryClient, TELLS_DELIVERIES)]
    const still = show(queryClient, {})
    const reading = show(queryClient, { ...TELLS_DELIVERIES, follows: false })
    const long = show(queryClient, TELLS_DELIVERIES, 0, { pages: [1, 2] })
    await waitUntil(() => [lead, log, still, reading, long].every(({ isThere }) => isThere()))
    createRefresh(queryClient)()
    await waitUntil(() => lead.asked.length === 2 && log.asked.length === 2)
    expect([still, reading, long].map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  it('combines changes of a moment, and never loses the last one', async () => {
    const queryClient = new QueryClient()
    const lead = show(queryClient, TELLS_DELIVERIES)
    await waitUntil(lead.isThere)
    const refresh = createRefresh(queryClient)
    for (let told = 0; told < 20; told += 1) {
      refresh()
      await wait(10)
    }
    const last = performance.now()
    await waitUntil(() => (lead.asked.at(-1) ?? 0) > last - 10)
    // Begun at once, then at most every 300 ms: two in the 200 ms that it took, or three if this process was
    // held up.
    expect(lead.asked.length - 1).toBeLessThanOrEqual(3)
  })

  it('repeats a query whose answer was on its way, because that answer may be older than the change', async () => {
    const queryClient = new QueryClient()
    const lead = show(queryClient, TELLS_DELIVERIES, 100)
    const refresh = createRefresh(queryClient)
    await waitUntil(() => lead.asked.length === 1)
    refresh()
    await waitUntil(() => lead.asked.length === 2)
  })

  it('keeps a request that the user makes while an answer is on its way', async () => {
    const queryClient = new QueryClient()
    const asked: number[] = []
    const list = new InfiniteQueryObserver(queryClient, {
      queryKey: ['list'],
      queryFn: async ({ pageParam }) => {
        asked.push(pageParam)
        await wait(100)
        return pageParam
      },
      initialPageParam: 0,
      getNextPageParam: (last) => last + 1,
      staleTime: Number.POSITIVE_INFINITY,
      meta: TELLS_DELIVERIES,
    })
    stops.push(list.subscribe(() => undefined))
    await waitUntil(() => list.getCurrentResult().isSuccess)
    const refresh = createRefresh(queryClient)
    void list.refetch()
    refresh()
    await waitUntil(() => asked.length === 2)
    // Time for the refresh, which then waits for that answer.
    await wait(10)
    await list.fetchNextPage()
    expect(list.getCurrentResult().data?.pages).toEqual([0, 1])
    expect(asked).toEqual([0, 0, 1])
  })
})

it('a query is live while it is on screen', async () => {
  const queryClient = new QueryClient()
  expect(hasLive(queryClient)).toBe(false)
  show(queryClient, {})
  expect(hasLive(queryClient)).toBe(false)
  const lead = show(queryClient, TELLS_DELIVERIES)
  expect(hasLive(queryClient)).toBe(true)
  lead.leave()
  expect(hasLive(queryClient)).toBe(false)
})
