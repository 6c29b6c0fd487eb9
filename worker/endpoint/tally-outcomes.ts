import type { Db } from '#core/data/database.ts'
import {
  recordTallies,
  type BreakerChange,
  type EndpointTally,
} from '#core/data/webhooks/health/endpoint-health.ts'
import { BREAKER_RULE, isUnanswered } from '#core/domain/webhooks/breaker.ts'
import { emptyLatency, latencyStep } from '#core/domain/webhooks/latency.ts'

/** One recorded attempt, as far as its endpoint's health goes. */
export interface Outcome {
  webhook_config_id: string
  is_probe: boolean
  made_at: Date
  took_ms: number
  status: number | null
  delivered: boolean
  error_class: string | null
  error_message: string | null
}

/**
 * Counts outcomes by endpoint until they are told to the database, all together: a row that every attempt changed would make
 * the attempts of one endpoint wait for each other. A worker that is killed takes up to a second of its counts with it; what
 * happened to each delivery is in the log.
 */
export interface OutcomeTally {
  note: (outcome: Outcome) => void
  /** @returns the breakers that opened or closed */
  tell: (db: Db) => Promise<BreakerChange[]>
}

export function createOutcomeTally(): OutcomeTally {
  let tallies = new Map<string, EndpointTally>()
  return {
    note: (outcome) => {
      const { webhook_config_id: id } = outcome
      const known = tallies.get(id) ?? newTally(id)
      tallies.set(id, known)
      add(known, outcome)
    },
    tell: async (db) => {
      const told = tallies
      tallies = new Map()
      try {
        return await recordTallies(db, [...told.values()], BREAKER_RULE)
      } catch (error) {
        // Kept for the next time, before what was seen since.
        for (const [id, later] of tallies) {
          const earlier = told.get(id)
          told.set(id, earlier === undefined ? later : join(earlier, later))
        }
        tallies = told
        throw error
      }
    },
  }
}

function newTally(id: string): EndpointTally {
  return {
    webhook_config_id: id,
    hours: [],
    succeeded: false,
    failures: 0,
    first_failure_at: null,
    answered: false,
    unanswered: 0,
    probe_failed: false,
    last_attempt_at: '',
    last_success_at: null,
    last_status: null,
    last_error_class: null,
    last_error_message: null,
  }
}

function add(tally: EndpointTally, outcome: Outcome): void {
  const { delivered, status, error_class: errorClass, made_at: madeAt } = outcome
  const at = madeAt.toISOString()
  const hour = hourOf(tally, `${at.slice(0, 13)}:00:00.000Z`)
  const step = latencyStep(outcome.took_ms)
  hour.latency[step] = (hour.latency[step] ?? 0) + 1
  tally.last_attempt_at = at
  tally.last_status = status
  tally.last_error_class = errorClass
  tally.last_error_message = outcome.error_message
  if (delivered) {
    hour.delivered += 1
    tally.succeeded = true
    tally.failures = 0
    tally.first_failure_at = null
    tally.last_success_at = at
  } else {
    hour.failed += 1
    tally.failures += 1
    tally.first_failure_at ??= at
  }
  if (isUnanswered(errorClass, status)) {
    tally.unanswered += 1
    if (outcome.is_probe) tally.probe_failed = true
  } else {
    tally.answered = true
    tally.unanswered = 0
    tally.probe_failed = false
  }
}

function hourOf(tally: EndpointTally, hour: string): EndpointTally['hours'][number] {
  const known = tally.hours.find((one) => one.hour === hour)
  if (known !== undefined) return known
  const made = { hour, delivered: 0, failed: 0, latency: emptyLatency() }
  tally.hours.push(made)
  return made
}

function join(earlier: EndpointTally, later: EndpointTally): EndpointTally {
  for (const hour of later.hours) {
    const sum = hourOf(earlier, hour.hour)
    sum.delivered += hour.delivered
    sum.failed += hour.failed
    sum.latency = sum.latency.map((count, step) => count + (hour.latency[step] ?? 0))
  }
  return {
    ...later,
    hours: earlier.hours,
    succeeded: earlier.succeeded || later.succeeded,
    failures: later.succeeded ? later.failures : earlier.failures + later.failures,
    first_failure_at: later.succeeded
      ? later.first_failure_at
      : (earlier.first_failure_at ?? later.first_failure_at),
    last_success_at: later.last_success_at ?? earlier.last_success_at,
    answered: earlier.answered || later.answered,
    unanswered: later.answered ? later.unanswered : earlier.unanswered + later.unanswered,
    probe_failed: later.answered ? later.probe_failed : earlier.probe_failed || later.probe_failed,
  }
}
