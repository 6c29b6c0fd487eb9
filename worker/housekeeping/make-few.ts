import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Claims and makes what waits, a few at once, until nothing is left. Meanwhile it looks again and again, because somebody
 * else may ask while one takes long. The first failure ends the claims; those under way are finished.
 * @param parts.claim the next one, if there is one
 * @throws the first failure of a claim or of `make`
 */
export async function makeFew<Claimed extends object>(
  signal: AbortSignal,
  { atOnce, lookEveryMs }: { atOnce: number; lookEveryMs: number },
  parts: { claim: () => Promise<Claimed | undefined>; make: (claimed: Claimed) => Promise<void> },
): Promise<void> {
  const failures: unknown[] = []
  const fail = (error: unknown): void => void failures.push(error)
  const underWay = new Set<Promise<void>>()
  const begin = (claimed: Claimed): void => {
    const making = parts
      .make(claimed)
      .catch(fail)
      .finally(() => underWay.delete(making))
    underWay.add(making)
  }
  while (!signal.aborted && failures.length === 0) {
    const claimed = underWay.size < atOnce ? await parts.claim().catch(fail) : undefined
    if (claimed !== undefined) begin(claimed)
    else if (underWay.size === 0) break
    else await Promise.race([...underWay, sleep(lookEveryMs)])
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}
