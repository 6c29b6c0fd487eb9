import type { Interval } from './measure-late-lead.ts'

/** A request of a client. */
interface OwnRequest extends Interval {
  endpoint: string
  /** whether its endpoint lately asked for less, or did not answer */
  is_strained: boolean
}

/**
 * The times in which a client's own requests kept others back: at least so many were under way, all together or to one
 * endpoint; or the endpoint of the lead was slow, or any request was under way there while it showed strain.
 * @param requests in any order
 * @param endpoint of the lead
 * @param most of the client, and of one endpoint; and from how many milliseconds a request is slow
 * @returns in order, without overlaps
 */
export function findBusy(
  requests: readonly OwnRequest[],
  endpoint: string,
  most: { ofClient: number; ofEndpoint: number; slowMs: number },
): Interval[] {
  const here = requests.filter((one) => one.endpoint === endpoint)
  const full = [
    ...findFull(requests, most.ofClient),
    ...[...Map.groupBy(requests, (one) => one.endpoint).values()].flatMap((there) =>
      findFull(there, most.ofEndpoint),
    ),
    ...here
      .filter(({ from, to, is_strained: isStrained }) => isStrained || to - from > most.slowMs)
      .map(({ from, to }) => ({ from, to })),
  ]
  const joined: Interval[] = []
  for (const one of full.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else joined.push({ ...one })
  }
  return joined
}

function findFull(requests: readonly Interval[], most: number): Interval[] {
  if (requests.length < most) return []
  const turns = requests.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ])
  // A request that ends comes before one that begins at the same moment: its slot is free for that one.
  turns.sort((a, b) => a.at - b.at || a.by - b.by)
  const full: Interval[] = []
  let underWay = 0
  let since = 0
  for (const { at, by } of turns) {
    const before = underWay
    underWay += by
    if (before < most && underWay >= most) since = at
    if (before >= most && underWay < most && at > since) full.push({ from: since, to: at })
  }
  return full
}
