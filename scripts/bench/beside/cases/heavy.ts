import { countTaken, sendAtPace } from '../../send-at-pace.ts'
import { setUpClients, type EndpointSettings } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

/** The most placeholders for a lead's longest text that fit into a payload. */
const PLACEHOLDERS = 26
/** The longest text that a source may post, of characters that JSON writes as two. */
const QUOTES = '"'.repeat(5000)
const WORDS = 'a b '.repeat(1250)
const LETTERS = 'a'.repeat(270)
/** The most headers of a configuration. */
const HEADERS = 30
/** The most formatted placeholders of a template; such deliveries fail, with the reason. */
const FORMATTED = 125

/**
 * These clients' endpoints are healthy, and they get few leads, but each of their deliveries takes long to
 * make.
 */
export const HEAVY: readonly BesideCase[] = [
  heavyCase({
    name: 'heavy',
    payload: 'a payload of 256 KB',
    comments: QUOTES,
    settings: {
      template: Object.fromEntries(
        Array.from({ length: PLACEHOLDERS }, (_member, index) => [`text_${index}`, '{{comments}}']),
      ),
    },
    arrives: true,
  }),
  heavyCase({
    name: 'headers',
    payload: 'thirty credentials that nearly stand at each place of its 30 KB',
    comments: WORDS,
    settings: {
      template: { text: 'a'.repeat(30_000) },
      customHeaders: Object.fromEntries(
        Array.from({ length: HEADERS }, (_header, index) => [
          `X-Token-${index}`,
          `${LETTERS}${index}${LETTERS}`,
        ]),
      ),
    },
    arrives: true,
  }),
  heavyCase({
    name: 'formats',
    payload: 'a template that formats the longest text of a lead five times, as often as it may',
    comments: WORDS,
    settings: {
      template: {
        values: Array.from(
          { length: FORMATTED },
          () => '{{comments | title | title | title | title | map: *=x}}',
        ),
      },
    },
    arrives: false,
  }),
]

/** @param options.arrives false if such payloads are not sent */
function heavyCase({
  name,
  payload,
  comments,
  settings,
  arrives,
}: {
  name: string
  payload: string
  comments: string
  settings: EndpointSettings
  arrives: boolean
}): BesideCase {
  return {
    name,
    who: `a client whose two leads a second go to 25 quick webhooks, each with ${payload}`,
    prepare: async ({ context: { receiver }, programs, agent, seconds, pick }) => {
      const endpoints = pick(25, 3)
      const { url } = programs.server
      const rooms = Array.from(
        { length: endpoints },
        (_endpoint, index) => `${receiver.url}/${name}/${index}`,
      )
      const clients = await setUpClients(url, [rooms], settings)
      const keyOf = (): string => clients[0]?.key ?? ''
      return {
        clients,
        disturb: async () => {
          const posts = await sendAtPace({ agent, url, rate: 2, seconds, name, keyOf, comments })
          const planned = endpoints * countTaken(posts)
          return { planned, ...(arrives ? { arriving: { [name]: planned } } : {}) }
        },
      }
    },
  }
}
