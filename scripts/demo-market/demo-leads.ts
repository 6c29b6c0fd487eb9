import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import got from 'got'
import { z } from 'zod'
import { writeFileAtomically } from '#core/write-file-atomically.ts'
import { DISTINCT_LEADS, fictionalLead } from './fictional-leads.ts'
import { FIRST_LEADS, readMarket, type DemoMarket } from './set-up-market.ts'

const EVERY_MS = 20_000
/** After the leads of one hour they come more slowly. A forgotten demo fills no disk: the persons repeat at some time. */
const MANY = 180
const SLOWER = 6

const LOOK_EVERY_MS = 500
const PATIENCE_MS = 10_000

/** The state that survives a restart. */
const keptSchema = z.object({ next: z.int().min(0), isPaused: z.boolean() })

export interface DemoLeadsState {
  isPaused: boolean
  /** since the start */
  sent: number
  everySeconds: number
}

export interface DemoLeads {
  /** undefined while there is no market to post to */
  state: () => DemoLeadsState | undefined
  pause: (isPaused: boolean) => Promise<void>
  /** Waits for a lead that is being posted; the next start continues after it. */
  close: () => Promise<void>
}

/**
 * Posts a fictional lead now and then to the demo's market, like any source, until it is paused; after an hour less
 * often.
 * @param options.marketFile may appear later: it is read before each lead
 * @param options.onChange called when the state changes
 */
export async function openDemoLeads(options: {
  marketFile: string
  everyMs?: number
  /** so many leads come at that pace */
  atFirst?: number
  onChange: () => void
}): Promise<DemoLeads> {
  const { marketFile, everyMs = EVERY_MS, atFirst = MANY, onChange } = options
  const keptFile = `${marketFile}.progress`
  let { next, isPaused } = await readKept(keptFile)
  let sent = 0
  let sinceResumed = 0
  let hasMarket = false
  let beating: Promise<void> | undefined
  let keeping = Promise.resolve()
  let dueAt = performance.now() + everyMs

  const pace = (): number => everyMs * (sinceResumed < atFirst ? 1 : SLOWER)

  /** Writes one after the other, so that the last state is stored. */
  const keep = (): Promise<void> => {
    keeping = keeping
      .catch(() => undefined)
      .then(() => writeFileAtomically(keptFile, JSON.stringify({ next, isPaused })))
    return keeping
  }

  async function pause(wanted: boolean): Promise<void> {
    isPaused = wanted
    sinceResumed = 0
    onChange()
    await Promise.all([keep(), findMarket()])
  }

  /** Undefined if there is no market, or it has no source yet. */
  async function findMarket(): Promise<DemoMarket | undefined> {
    const market = await readMarket(marketFile)
    const isThere = market?.sourceKey !== undefined
    if (hasMarket !== isThere) {
      hasMarket = isThere
      onChange()
    }
    return isThere ? market : undefined
  }

  async function beat(): Promise<void> {
    const market = await findMarket()
    if (market === undefined || isPaused || performance.now() < dueAt) return
    dueAt = performance.now() + pace()
    await post(market)
  }

  async function post({ server, sourceKey }: DemoMarket): Promise<void> {
    const json = fictionalLead(next, new Date())
    const headers = { authorization: `Bearer ${sourceKey}` }
    const patience = { retry: { limit: 0 }, timeout: { request: PATIENCE_MS } }
    await got.post(`${server}/api/v1/leads`, { json, headers, ...patience })
    next = (next + 1) % DISTINCT_LEADS
    sent += 1
    sinceResumed += 1
    onChange()
    await keep()
  }

  const timer = setInterval(
    () => {
      beating ??= beat()
        // The server may be restarting; this lead is posted next.
        .catch((error: unknown) =>
          console.error('A demo lead was not taken:', error instanceof Error ? error.message : error),
        )
        .finally(() => {
          beating = undefined
        })
    },
    Math.min(everyMs, LOOK_EVERY_MS),
  )

  return {
    state: () => (hasMarket ? { isPaused, sent, everySeconds: pace() / 1000 } : undefined),
    pause,
    close: async () => {
      clearInterval(timer)
      await Promise.allSettled([beating, keeping])
    },
  }
}

async function readKept(file: string): Promise<z.infer<typeof keptSchema>> {
  const anew = { next: FIRST_LEADS, isPaused: false }
  if (!existsSync(file)) return anew
  try {
    return keptSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    console.error(`${file} cannot be read: the demo's leads begin anew.`)
    return anew
  }
}
