import { setTimeout as sleep } from 'node:timers/promises'
import { countTaken, sendAtPace } from '../../send-at-pace.ts'
import { setUpClients } from '../../set-up-clients.ts'
import { OTHERS, type BesideCase } from '../case.ts'
import { postAtOnce } from '../post-at-once.ts'
import { setUpSilentClients } from '../set-up-silent-clients.ts'

/**
 * Leads a second for each of the others; each takes some milliseconds, so that the killed worker holds some
 * of each.
 */
const LEADS_A_SECOND = 4
const ANSWER_MS = 250

/** A worker is killed while it has deliveries of all clients in flight, and starts again. */
export const KILL: BesideCase = {
  name: 'kill',
  who: 'five clients with a few leads a second and one whose 10 new webhooks never answer, while a worker is killed and comes back',
  aims: { quantile: null, silenceMs: 3000 },
  prepare: async (stage) => {
    const { context, programs, agent, seconds, pick } = stage
    const { receiver } = context
    const { url } = programs.server
    const paths = Array.from({ length: pick(5, 2) }, (_other, index) => `/${OTHERS}/${index}`)
    await receiver.answerWith(
      paths.map((path) => ({ path, answer: { status: 200, delayMs: pick(ANSWER_MS, 0) } })),
    )
    const others = await setUpClients(
      url,
      paths.map((path) => [`${receiver.url}${path}`]),
    )
    const silent = await setUpSilentClients(stage, 1, pick(10, 3))
    return {
      clients: [...others, ...silent],
      disturb: async () => {
        const rate = others.length * LEADS_A_SECOND
        const keyOf = (index: number): string => others[index % others.length]?.key ?? ''
        const [posts, planned] = await Promise.all([
          sendAtPace({ agent, url, rate, seconds, name: OTHERS, keyOf }),
          postAtOnce(stage, 'kill', silent, pick(12, 2)),
          sleep((seconds * 1000) / 3).then(() => programs.workers[0]?.restart()),
        ])
        const taken = countTaken(posts)
        return { planned: planned + taken, arriving: { [OTHERS]: taken } }
      },
    }
  },
}
