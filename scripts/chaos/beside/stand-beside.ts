import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../../lab/now.ts'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import type { Ground } from '../ground.ts'
import type { Ack } from '../ledger.ts'
import { addMarketSource, openMarket } from '../market/open-market.ts'
import { sendLeads, type SentLeads } from '../send-leads.ts'
import { watchStalls } from '../watch-stalls.ts'
import { createAsker, type Asker, type Door } from './ask.ts'
import { startEditing, type Edits } from './edit.ts'
import { openBuyers, type Buyers } from './open-buyers.ts'
import type { Processes } from './processes.ts'
import { readAll } from './read-all.ts'
import type { Upgrade } from './upgrades.ts'
import { migrateBy, type Age, type Version } from './versions.ts'

/** Pause between the steps of the release. */
const STEP_MS = 5000
const LAST_REQUESTS_MS = 1000
const READ_EVERY_MS = 20_000
const AN_HOUR = 3600
/** This share of leads is posted to the market in addition. */
const MARKET_PART = 1 / 5

export interface BesideLoad {
  rate: number
  /** time for which all four processes run */
  seconds: number
}

/** The result of a release under load. */
export interface Stood {
  buyers: Buyers
  asker: Asker
  sent: SentLeads
  edits: Edits
  /** leads posted to the market, since there was one */
  sold: SentLeads
  /** the span of the whole load */
  loaded: Span
  /** the span in which all four processes ran */
  beside: Span
  /** jobs whose worker let their lock expire */
  stalls: number
  /** the servers that leads were posted to */
  postedTo: Readonly<Record<Age, (ack: Ack) => boolean>>
}

/**
 * A release under load. The version before runs, its database is migrated, and this version's processes start
 * one by one. They run beside the old ones for a while, and then the old ones stop. Leads are posted to the
 * servers in turns throughout.
 */
export async function standBeside(
  ground: Ground,
  processes: Processes,
  versions: Readonly<Record<Age, Version>>,
  upgrade: Upgrade,
  load: BesideLoad,
): Promise<Stood> {
  const databaseUrl = ground.postgres.url
  await migrateBy(versions.before, databaseUrl)
  const before = await processes.startServer(versions.before)
  await processes.startWorker(versions.before)
  const buyers = await openBuyers(ground, before.url)
  const watch = watchStalls(ground)
  const stop = new AbortController()
  const urls = [before.url]
  const sources = buyers.all.map(({ key, endpoints: [endpoint = 0] }) => ({ key, endpoint }))
  const from = now()
  // Two in a row come from one source, so that each source has leads through both servers.
  const choose = (index: number): number => Math.floor(index / 2)
  const hour = { rate: load.rate, seconds: AN_HOUR, stop: stop.signal }
  const sending = sendLeads(urls, sources, hour, choose)
  sending.catch(() => undefined)

  await sleep(STEP_MS)
  await migrateBy(versions.this, databaseUrl)
  await openMarket(ground.db, buyers.market)
  const marketSource = await addMarketSource(ground.db, buyers.edited.id)
  const selling = sendLeads(urls, [marketSource], { ...hour, rate: load.rate * MARKET_PART }, () => 0)
  selling.catch(() => undefined)
  const doors: Door[] = []
  const start = {
    server: async () => {
      const door = await processes.startServer(versions.this)
      doors.push(door)
      urls.push(door.url)
    },
    worker: () => processes.startWorker(versions.this),
  }
  const second = upgrade.first === 'server' ? 'worker' : 'server'
  await start[upgrade.first]()
  await sleep(STEP_MS)
  await start[second]()
  const [after] = doors
  if (after === undefined) throw new Error('There is no server of this version')

  // A crash during the release, or a rollback: an older process must also start on the newer database.
  await processes.restart({ age: 'before', program: 'worker' })
  await leaveAlone(urls, before.url)
  await processes.restart({ age: 'before', program: 'server' })
  urls.unshift(before.url)

  const besideFrom = now()
  const asker = createAsker(versions)
  const editing = startEditing(asker, [before, after], buyers.edited, ground)
  const until = besideFrom + load.seconds * 1000
  do {
    await sleep(Math.max(0, Math.min(READ_EVERY_MS, until - now())))
    await readAll(asker, before, versions.before, buyers)
    await readAll(asker, after, versions.this, buyers)
  } while (now() < until)
  const edits = await editing.stop()
  const beside = { from: besideFrom, until: now() }

  const leave = {
    server: async () => {
      await leaveAlone(urls, before.url)
      await processes.stop({ age: 'before', program: 'server' })
    },
    worker: () => processes.stop({ age: 'before', program: 'worker' }),
  }
  await leave[upgrade.first]()
  await sleep(STEP_MS)
  await leave[second]()
  await sleep(STEP_MS)
  await buyers.mend()
  stop.abort()
  const loaded = { from, until: now() }
  const sent = await sending
  const sold = await selling
  const stalls = await watch.stop()
  return {
    buyers,
    asker,
    sent: { offered: sent.offered + edits.acks.length, acks: [...sent.acks, ...edits.acks] },
    edits,
    sold,
    loaded,
    beside,
    stalls,
    postedTo: { before: ({ url }) => url === before.url, this: ({ url }) => url === after.url },
  }
}

/**
 * Acts like a balancer before a server stops: it sends no new requests there, and requests in progress end.
 */
async function leaveAlone(urls: string[], url: string): Promise<void> {
  urls.splice(urls.indexOf(url), 1)
  await sleep(LAST_REQUESTS_MS)
}
