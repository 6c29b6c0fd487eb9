import { Agent, request } from 'undici'
import type { BesideCase } from '../case.ts'

const CALLERS = 20

/**
 * Somebody tries passwords of accounts that do not exist, as fast as allowed; each try still costs a hash.
 */
export const SIGN_INS: BesideCase = {
  name: 'sign-ins',
  who: `a stranger who tries passwords over ${CALLERS} connections`,
  prepare: ({ programs, seconds, pick }) => {
    const { url } = programs.server
    return Promise.resolve({
      clients: [],
      disturb: async () => {
        const agent = new Agent({ connections: CALLERS, pipelining: 1 })
        const endsAt = performance.now() + seconds * 1000
        const guess = async (_caller: unknown, caller: number): Promise<void> => {
          for (let tried = 0; performance.now() < endsAt; tried += 1) {
            const answer = await request(`${url}/auth/v1/token?grant_type=password`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({
                email: `nobody-${caller}-${tried}@example.com`,
                password: 'Zx9!kvRm-Tw7q',
              }),
              dispatcher: agent,
            })
            await answer.body.dump()
            if (answer.statusCode === 429) return
            if (answer.statusCode !== 400) throw new Error(`A guess was answered ${answer.statusCode}`)
          }
        }
        try {
          await Promise.all(Array.from({ length: pick(CALLERS, 2) }, guess))
        } finally {
          await agent.destroy()
        }
        return { planned: 0 }
      },
    })
  },
}
