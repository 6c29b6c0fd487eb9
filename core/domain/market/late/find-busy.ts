import type { Interval } from './measure-late-lead.ts'

/**
 * The times in which at least so many of a client's requests were under way, all together or to one endpoint.
 * @param requests in any order
 * @param most of the client, and of one endpoint
 * @returns in order, without overlaps
 */
export function findBusy(
  requests: readonly (Interval & { endpoint: string })[],
  most: { ofClient: number; ofEndpoint: number },
): Interval[] {
  const full = [
    ...findFull(requests, most.ofClient),
    ...[...Map.groupBy(requests, ({ endpoint }) => endpoint).values()].flatMap((there) =>
      findFull(there, most.ofEndpoint),
    ),
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
  // Of one moment, the request that ends comes first: its slot is free for the next.
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
