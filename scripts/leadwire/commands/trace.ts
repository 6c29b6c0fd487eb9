import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { findLeadOfId, readLeadTrace } from '#core/data/leads/lead-trace.ts'
import { readLeadStory } from '#core/data/leads/lead-story.ts'
import { listLeadsOf } from '#core/data/leads/data-subjects.ts'
import type { Db } from '#core/data/database.ts'
import { readContact } from '#core/domain/market/read-contact.ts'
import { readDecision } from '#core/use-cases/market/read-decision.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../failures.ts'
import { WITHOUT_REDIS } from '../open-services.ts'
import { listStations, type Station } from '../trace/list-stations.ts'

const MOST_LEADS = 20
const ANYBODY = { user_id: '00000000-0000-0000-0000-000000000000', role: 'admin' } as const

export const trace = defineCommand({
  usage: '<lead id | e-mail | phone | webhook-id | delivery id>',
  about: [
    'Shows every station of a lead: received, its events with the time until they were enqueued and planned, what the market decided, sales, each delivery, each attempt with status and time, returns and erasure, each with its ids. A webhook-id is what a receiver found in the header of that name.',
    `An e-mail address or a phone number may have several leads; the newest ${MOST_LEADS} are shown. Finding them reads all leads, half a second for a million.`,
    'Reads PostgreSQL only. The exit code is 1 if nothing was found.',
  ],
  args: [1, 1],
  flags: {
    'show-person': { type: 'boolean', help: "also shows the person's name, e-mail address and phone" },
  },
  run: async ({ values, args: [given = ''], services }) => {
    const contact = isUuid(given) ? undefined : readContact(given)
    if (contact?.ok === false)
      throw new UsageError('Takes the id of a lead, event or delivery, an e-mail address, or a phone number')
    const db = await services.database({ needs: WITHOUT_REDIS })
    const ids = contact === undefined ? await findById(db, given) : await listLeadsOf(db, contact.contact)
    const leads = []
    for (const id of ids.slice(-MOST_LEADS)) leads.push(await traceLead(db, id, values['show-person']))
    const found = leads.flatMap((lead) => (lead === undefined ? [] : [lead]))
    if (found.length === 0) return { isWrong: true, data: { leads: [] }, lines: ['No lead was found'] }
    const more = ids.length - found.length
    return {
      data: { leads: found, more },
      lines: [
        ...found.flatMap((lead) => showLead(lead)),
        ...(more > 0 ? [`${more} older lead(s) of this person are not shown`] : []),
      ],
    }
  },
})

async function findById(db: Db, id: string): Promise<string[]> {
  const found = await findLeadOfId(db, id)
  return found === undefined ? [] : [found.lead_id]
}

interface TracedLead {
  id: string
  status: string
  lead_type: string
  state: string | null
  is_test: boolean
  person?: { name: string | null; email: string | null; phone: string | null }
  stations: Station[]
}

async function traceLead(db: Db, id: string, showsPerson: boolean): Promise<TracedLead | undefined> {
  const [story, record, trace, decision] = await Promise.all([
    readLeadStory(db, id),
    findLeadRecord(db, ANYBODY, id),
    readLeadTrace(db, id),
    readDecision(db, id),
  ])
  if (story === undefined || record === undefined) return undefined
  const { status, lead_type, state, is_test, name, email, phone } = record
  return {
    id,
    status,
    lead_type,
    state,
    is_test,
    ...(showsPerson && { person: { name, email, phone } }),
    stations: listStations({ story, trace, decision }),
  }
}

function showLead({ id, status, lead_type, state, is_test, person, stations }: TracedLead): string[] {
  const width = Math.max(...stations.map(({ station }) => station.length))
  const who =
    person === undefined
      ? []
      : [`  ${[person.name, person.email, person.phone].map((part) => part ?? '–').join(', ')}`]
  return [
    `Lead ${id}: ${status}, ${lead_type}${state === null ? '' : `, ${state}`}${is_test ? ', test' : ''}`,
    ...who,
    ...stations.flatMap(({ at, station, text, ids }) => [
      `  ${at}  ${station.padEnd(width)}  ${text}`.trimEnd(),
      `  ${' '.repeat(24)}  ${' '.repeat(width)}  ${Object.entries(ids)
        .map(([of, value]) => `${of} ${value}`)
        .join(', ')}`,
    ]),
  ]
}
