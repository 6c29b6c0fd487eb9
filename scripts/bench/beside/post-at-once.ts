import { now } from '../../lab/now.ts'
import { postLead } from '../post-lead.ts'
import type { BenchClient } from '../set-up-clients.ts'
import type { Stage } from './case.ts'

/** Posts this many leads to each client at once. Returns the number of deliveries. */
export async function postAtOnce(
  { agent, programs }: Stage,
  name: string,
  clients: readonly BenchClient[],
  leads: number,
): Promise<number> {
  const intended = now()
  const planned = clients.flatMap(({ key, configurations }) =>
    Array.from({ length: leads }, async (_lead, index) => {
      const lead = { key, externalId: `${name}-${index}`, index, intended }
      return (await postLead(agent, programs.server.url, lead)) ? configurations.length : 0
    }),
  )
  return (await Promise.all(planned)).reduce((sum, count) => sum + count, 0)
}
