import { randomUUID } from 'node:crypto'
import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import type { Db } from '#core/data/database.ts'
import {
  recordTallies,
  type BreakerChange,
  type EndpointTally,
  type Telling,
} from '#core/data/webhooks/health/endpoint-health.ts'
import { BREAKER_RULE, isUnanswered, wasAsked } from '#core/domain/webhooks/breaker.ts'
import { emptyLatency, latencyStep } from '#core/domain/webhooks/latency.ts'

/** One recorded attempt, with what its endpoint's health needs. */
export interface Outcome {
  webhook_config_id: string
  is_probe: boolean
  /** when its exchange ended, by the database's clock; this time decides which outcome is newer */
  ended_at: Date
  took_ms: number
  status: number | null
  delivered: boolean
  error_class: string | null
  error_message: string | null
}

const MAIL_SERVER = 'mail_server' satisfies ErrorClass

/** Limit of endpoints in one statement. It locks their configurations, and a deletion of one of them waits for it. */
const MOST_AT_ONCE = 200

/**
 * Counts outcomes by endpoint until they are written to the database together. If every attempt changed its endpoint's
 * row, the attempts of one endpoint would wait for each other. A worker that is killed loses up to a second of its
 * counts; the outcome of each delivery is in the log.
 */
export interface OutcomeTally {
  note: (outcome: Outcome) => void
  /** @returns the breakers that opened or closed */
  tell: (db: Db) => Promise<BreakerChange[]>
}

export function createOutcomeTally(): OutcomeTally {
  const teller = randomUUID()
  let number = 0
  const tallies = new Map<string, EndpointTally>()
  /**
   * Counts whose statement may have been committed, because its answer was lost. They are sent again unchanged, and
   * newer counts wait for that.
   */
  let unsure: Telling | undefined

  async function send(db: Db, telling: Telling): Promise<BreakerChange[]> {
    const changes = await recordTallies(db, telling, BREAKER_RULE)
    if (unsure === telling) unsure = undefined
    return changes
  }

  return {
    note: (outcome) => {
      const { webhook_config_id: id, error_class: errorClass, is_probe: isProbe } = outcome
      // Our mail server's failure says nothing about the endpoint. Only its breaker must go on looking for a probe.
      if (errorClass === MAIL_SERVER && !isProbe) return
      const known = tallies.get(id) ?? newTally(outcome)
      tallies.set(id, known)
      add(known, outcome)
    },
    tell: async (db) => {
      const changes = unsure === undefined ? [] : await send(db, unsure)
      for (let left = tallies.size; left > 0; left -= MOST_AT_ONCE) {
        const taken = [...tallies.values()].slice(0, MOST_AT_ONCE)
        for (const { webhook_config_id: id } of taken) tallies.delete(id)
        number += 1
        unsure = { teller, number, tallies: taken }
        changes.push(...(await send(db, unsure)))
      }
      return changes
    },
  }
}

function newTally({ webhook_config_id, ended_at, ...outcome }: Outcome): EndpointTally {
  return {
    webhook_config_id,
    hours: [],
    last_attempt_at: ended_at.toISOString(),
    last_status: outcome.status,
    last_error_class: outcome.error_class,
    last_error_message: outcome.error_message,
    last_success_at: null,
    failed_at: [],
    last_answer_at: null,
    unanswered_at: [],
    probe_failed_at: null,
    probe_unsent_at: null,
  }
}

/** Outcomes arrive in the order in which they were recorded, and count in the order in which their exchanges ended. */
function add(tally: EndpointTally, outcome: Outcome): void {
  const { delivered, status, error_class: errorClass } = outcome
  const at = outcome.ended_at.toISOString()
  if (errorClass === MAIL_SERVER) {
    tally.probe_failed_at = later(tally.probe_failed_at, at)
    return
  }
  const hour = hourOf(tally, `${at.slice(0, 13)}:00:00.000Z`)
  const isAsked = wasAsked(errorClass, status)
  if (isAsked) {
    const step = latencyStep(outcome.took_ms)
    hour.latency[step] = (hour.latency[step] ?? 0) + 1
  }
  if (at >= tally.last_attempt_at) {
    tally.last_attempt_at = at
    tally.last_status = status
    tally.last_error_class = errorClass
    tally.last_error_message = outcome.error_message
  }
  if (delivered) {
    hour.delivered += 1
    tally.last_success_at = later(tally.last_success_at, at)
    tally.failed_at = tally.failed_at.filter((failedAt) => failedAt > at)
  } else {
    hour.failed += 1
    if (isAfter(at, tally.last_success_at)) tally.failed_at.push(at)
  }
  if (isAsked && !isUnanswered(errorClass, status)) {
    tally.last_answer_at = later(tally.last_answer_at, at)
    tally.unanswered_at = tally.unanswered_at.filter((unansweredAt) => unansweredAt > at)
  } else {
    if (isAsked && isAfter(at, tally.last_answer_at)) tally.unanswered_at.push(at)
    if (!outcome.is_probe) return
    if (errorClass === 'invalid_request') tally.probe_unsent_at = later(tally.probe_unsent_at, at)
    else tally.probe_failed_at = later(tally.probe_failed_at, at)
  }
}

// ISO times of one format compare as texts.
function isAfter(at: string, other: string | null): boolean {
  return other === null || at > other
}

function later(known: string | null, at: string): string {
  return known !== null && known > at ? known : at
}

function hourOf(tally: EndpointTally, hour: string): EndpointTally['hours'][number] {
  const known = tally.hours.find((one) => one.hour === hour)
  if (known !== undefined) return known
  const made = { hour, delivered: 0, failed: 0, latency: emptyLatency() }
  tally.hours.push(made)
  return made
}
