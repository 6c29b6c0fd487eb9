import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { now } from '../lab/now.ts'
import type { Ack } from './ledger.ts'

/** A good source gives up late, and repeats with the same key until then. */
const PATIENCE_MS = 180_000
const ANSWER_LIMIT_MS = 10_000
const CONNECTIONS = 200

/** One source and the receivers of its leads. */
export interface SourceKey {
  key: string
  endpoint: number
  /** no two of its leads share a phone: the market sells a person once */
  isOfManyPeople?: true
}

export interface Load {
  /** leads/s, all sources together, whatever the answers */
  rate: number
  seconds: number
  /** stops early */
  stop?: AbortSignal
  /** PEM of the only authority that the servers' certificates may be of */
  authority?: string
}

export interface SentLeads {
  offered: number
  acks: Ack[]
}

/**
 * Sends leads at fixed moments (no coordinated omission). Each has its own key and is repeated with it until
 * the API answers with success, as a source would do.
 * @param choose returns the source of the lead with this number
 * @param urls the servers, asked in turns; the list may change during the run
 */
export async function sendLeads(
  urls: readonly string[],
  sources: readonly SourceKey[],
  load: Load,
  choose: (index: number) => number,
): Promise<SentLeads> {
  const trust = load.authority === undefined ? {} : { connect: { ca: load.authority } }
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, ...trust })
  const startAt = now() + 100
  const total = Math.round(load.rate * load.seconds)
  const sends: Promise<Ack | undefined>[] = []
  try {
    for (let index = 0; index < total && load.stop?.aborted !== true; index += 1) {
      const intended = startAt + (index * 1000) / load.rate
      if (intended - now() > 1) await sleep(intended - now())
      const source = sources[choose(index) % sources.length]
      if (source === undefined) throw new Error('There is no source to send from')
      const externalId = `chaos-${Math.round(startAt)}-${index}`
      sends.push(sendUntilTaken(agent, { urls, first: index, source, externalId, intended }))
    }
    const acks = (await Promise.all(sends)).filter((ack) => ack !== undefined)
    return { offered: sends.length, acks }
  } finally {
    await agent.destroy()
  }
}

interface Sending {
  urls: readonly string[]
  /** index of the server that is asked first */
  first: number
  source: SourceKey
  externalId: string
  intended: number
}

async function sendUntilTaken(agent: Agent, sending: Sending): Promise<Ack | undefined> {
  const { urls, first, source, externalId, intended } = sending
  for (let tries = 1; now() - intended < PATIENCE_MS; tries += 1) {
    const url = urls[(first + tries - 1) % urls.length] ?? ''
    const leadId = await sendOnce(agent, url, source, externalId, intended)
    if (leadId !== undefined)
      return { externalId, leadId, endpoint: source.endpoint, intended, ackedAt: now(), tries, url }
    await sleep(200)
  }
  return undefined
}

async function sendOnce(
  agent: Agent,
  url: string,
  source: SourceKey,
  externalId: string,
  intended: number,
): Promise<string | undefined> {
  try {
    const answer = await request(`${url}/api/v1/leads`, {
      method: 'POST',
      dispatcher: agent,
      headersTimeout: ANSWER_LIMIT_MS,
      headers: {
        authorization: `Bearer ${source.key}`,
        'content-type': 'application/json',
        'idempotency-key': externalId,
      },
      body: JSON.stringify({
        ...leadFor(externalId, intended),
        ...(source.isOfManyPeople === true && { phone: undefined }),
      }),
    })
    const body = (await answer.body.json()) as { lead_id?: string }
    return answer.statusCode === 200 || answer.statusCode === 201 ? body.lead_id : undefined
  } catch {
    return undefined
  }
}

/** A fictional lead; `intended` is the moment at which it is meant to be sent. */
export function leadFor(externalId: string, intended: number): Record<string, unknown> {
  return {
    external_id: externalId,
    name: 'Avery Example',
    email: `${externalId}@example.com`,
    phone: '+15125550143',
    state: 'CA',
    zip: '90001',
    lead_type: 'final_expense',
    custom: { intended: intended.toFixed(3) },
  }
}
