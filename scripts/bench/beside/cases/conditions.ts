import { MOST_RULE_CHARACTERS, MOST_RULE_VALUES, MOST_RULES } from '#core/contract/webhooks/conditions.ts'
import { sendAtPace } from '../../send-at-pace.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const ROOM = 'conditions'
/** The longest value, given the limit for all values together. */
const VALUE = 'İ'.repeat(Math.floor(MOST_RULE_CHARACTERS / MOST_RULES / MOST_RULE_VALUES) - 2)

/** This client's endpoints are healthy, and it gets few leads, but none of them meets its conditions. */
export const CONDITIONS: BesideCase = {
  name: 'conditions',
  who: 'a client whose 20 single leads a second fit the conditions of none of his 100 webhooks, which are as long as they may be',
  prepare: async ({ context: { receiver }, programs, agent, seconds, pick }) => {
    const endpoints = pick(100, 3)
    const { url } = programs.server
    const rooms = Array.from({ length: endpoints }, (_endpoint, index) => `${receiver.url}/${ROOM}/${index}`)
    const clients = await setUpClients(url, [rooms], {
      conditions: {
        match: 'any',
        rules: Array.from({ length: MOST_RULES }, () => ({
          field: 'source' as const,
          is: Array.from({ length: MOST_RULE_VALUES }, (_value, index) => `${VALUE}${index}`),
        })),
      },
    })
    const keyOf = (): string => clients[0]?.key ?? ''
    return {
      clients,
      disturb: async () => {
        await sendAtPace({ agent, url, rate: 20, seconds, name: ROOM, keyOf })
        return { planned: 0 }
      },
    }
  },
}
