import { countTaken, sendAtPace } from '../send-at-pace.ts'
import { setUpClients } from '../set-up-clients.ts'
import type { BesideCase } from './case.ts'

const ROOM = 'heavy'
/** As often as a payload may tell the longest text of a lead. */
const PLACEHOLDERS = 26
/** The longest that a source may bring, of characters that JSON writes as two. */
const COMMENTS = '"'.repeat(5000)

/** All is well with this client's endpoints, and he gets few leads; only each of his payloads is as large as one may be. */
export const HEAVY: BesideCase = {
  name: 'heavy',
  who: 'a client whose two leads a second go to 25 quick webhooks, each with a payload of 256 KB',
  prepare: async ({ context: { receiver }, programs, agent, seconds, pick }) => {
    const endpoints = pick(25, 3)
    const { url } = programs.server
    const template = Object.fromEntries(
      Array.from({ length: PLACEHOLDERS }, (_member, index) => [`text_${index}`, '{{comments}}']),
    )
    const rooms = Array.from({ length: endpoints }, (_endpoint, index) => `${receiver.url}/${ROOM}/${index}`)
    const clients = await setUpClients(url, [rooms], template)
    const keyOf = (): string => clients[0]?.key ?? ''
    return {
      clients,
      disturb: async () => {
        const posts = await sendAtPace({
          agent,
          url,
          rate: 2,
          seconds,
          name: ROOM,
          keyOf,
          comments: COMMENTS,
        })
        const planned = endpoints * countTaken(posts)
        return { planned, arriving: { [ROOM]: planned } }
      },
    }
  },
}
