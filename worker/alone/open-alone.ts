import { setTimeout as sleep } from 'node:timers/promises'
import { claimDeliveries, type ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueAlone, noteCrash } from '#core/data/webhooks/deliveries/lone-deliveries.ts'
import type { WorkerContext } from '../context.ts'
import { CRASHED, recordOwnFailure } from '../pipeline/3-record-own-failure.ts'
import { measureLease } from '../dispatch/measure-lease.ts'
import type { FromSender } from './messages.ts'
import { startSender, type Sender } from './start-sender.ts'

/** Limit of such processes for one worker. While other clients wait, a client gets only one of them. */
const MOST_SENDERS = 4
/** Milliseconds without work after which a process ends. */
const IDLE_MS = 10_000
/**
 * Milliseconds until we note that a process ended. If the worker ends within them too, the delivery was not the cause.
 */
const NOTED_AFTER_MS = 1000

/** Sends the deliveries during which workers have died, each in a process with nothing else in flight. */
export interface Alone {
  /** Sends due deliveries. The caller calls it again and again. */
  look: () => Promise<void>
  pause: (isPaused: boolean) => void
  /** Stops claiming; resolves when everything in flight has ended. */
  stop: () => Promise<void>
}

/**
 * Sends deliveries whose lease has run out twice with nothing recorded, each in a process that has nothing else in
 * flight (docs/decisions/0027-what-ends-its-process-is-sent-alone.md). A process stays while there is more to send, so
 * that harmless deliveries are sent within moments.
 * @param program worker/alone/alone-process.ts
 */
export function openAlone(
  context: Pick<WorkerContext, 'config' | 'db' | 'claimDb' | 'logger' | 'metrics'>,
  program: URL,
): Alone {
  const { config, db, claimDb, logger, metrics } = context
  const leaseSeconds = measureLease(config.webhooks.timeoutMs)
  const starting = new Set<Sender>()
  const idle = new Map<Sender, NodeJS.Timeout>()
  const busy = new Map<Sender, ClaimedDelivery>()
  /**
   * deliveries that are being sent, or whose process has just ended: they are not claimed again, even if their lease is
   * over
   */
  const open = new Set<ClaimedDelivery>()
  const inFlight = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let isAskedFor = false
  let isPaused = false
  let isStopped = false

  function count(counted: FromSender): void {
    if (counted.kind === 'attempt') metrics.countAttempt(counted.outcome)
    else if (counted.kind === 'finished') metrics.countFinished(counted.state)
    else if (counted.kind === 'latency') metrics.observeLatency(counted.seconds)
  }

  async function bringUp(): Promise<void> {
    const sender = startSender(program, config, count)
    starting.add(sender)
    void sender.ended.then(() => {
      clearTimeout(idle.get(sender))
      idle.delete(sender)
    })
    const isReady = await sender.isReady
    starting.delete(sender)
    if (isStopped || !isReady) await sender.stop()
    else await rest(sender)
  }

  async function rest(sender: Sender): Promise<void> {
    const end = (): void => {
      idle.delete(sender)
      follow(sender.stop())
    }
    idle.set(sender, setTimeout(end, IDLE_MS))
    await look()
  }

  async function send(sender: Sender, delivery: ClaimedDelivery): Promise<void> {
    clearTimeout(idle.get(sender))
    idle.delete(sender)
    busy.set(sender, delivery)
    open.add(delivery)
    const how = await sender.send(delivery)
    busy.delete(sender)
    try {
      if (how === 'crashed') await blame(delivery)
    } finally {
      open.delete(delivery)
    }
    if (how === 'crashed') return
    if (how === 'unsent' || isStopped) await sender.stop()
    else await rest(sender)
  }

  async function blame(delivery: ClaimedDelivery): Promise<void> {
    await sleep(NOTED_AFTER_MS)
    if (isStopped) return
    const left = await noteCrash(db, delivery)
    const { lead_id, delivery_id, webhook_config_id } = delivery
    logger.error(
      { lead_id, delivery_id, webhook_config_id, left },
      'a process ended with the delivery that it sent alone',
    )
    if (left === 'set_aside') await recordOwnFailure(context, delivery, CRASHED)
  }

  /** A failure here needs no repair: the lease ends by itself. */
  function follow(work: Promise<void>): void {
    const followed = work.catch((error: unknown) => {
      logger.error({ err: error }, 'a delivery that is sent alone was left to its lease')
    })
    inFlight.add(followed)
    void followed.finally(() => inFlight.delete(followed))
  }

  const mayClaim = (): boolean => !isPaused && !isStopped

  async function claimNext(): Promise<void> {
    while (mayClaim()) {
      const clients = [...busy.values()].map((delivery) => delivery.client_user_id)
      const due = await findDueAlone(db, clients)
      if (due === undefined) return
      const [sender] = idle.keys()
      if (sender === undefined) {
        if (starting.size === 0 && busy.size < MOST_SENDERS) follow(bringUp())
        return
      }
      const [claimed] = await claimDeliveries(
        claimDb,
        [
          {
            webhook_config_id: due.webhook_config_id,
            most: 1,
            most_low_priority: 1,
            low_priority_first: false,
          },
        ],
        leaseSeconds,
        { open: [...open].map((delivery) => delivery.delivery_id), alone: true },
      )
      const [delivery] = claimed?.deliveries ?? []
      if (delivery !== undefined) follow(send(sender, delivery))
      // Another worker claimed it, or it is held now.
      else if (claimed?.found === 0) return
    }
  }

  async function lookUntilQuiet(): Promise<void> {
    try {
      while (isAskedFor) {
        isAskedFor = false
        await claimNext()
      }
    } finally {
      looking = undefined
    }
  }

  async function look(): Promise<void> {
    isAskedFor = true
    looking ??= lookUntilQuiet()
    await looking
  }

  return {
    look,
    pause: (wanted) => {
      isPaused = wanted
    },
    stop: async () => {
      isStopped = true
      await looking?.catch(() => undefined)
      for (const [sender, timer] of idle) {
        clearTimeout(timer)
        follow(sender.stop())
      }
      idle.clear()
      await Promise.all(inFlight)
    },
  }
}
