import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { now } from '../../lab/now.ts'
import { runScript } from '../../lab/run-script.ts'
import { waitUntil } from '../../lab/wait-until.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../services/throw-away-folder.ts'
import { drainWorld } from '../drain.ts'
import type { ScenarioResult } from '../run-scenario.ts'
import { sendLeads } from '../send-leads.ts'
import { startWorld, type World } from '../world.ts'
import { ARCHIVE_TIMEOUT_SECONDS, findFullPostgres, openArchive, type Archive, type Way } from './archive.ts'
import { judgeRecovery, readFinished, type Recovery } from './judge-recovery.ts'

/** Leads a second, all clients together. */
const RATE = 20
const ENDPOINTS = 3
/** A piece is copied and synced after it is closed. */
const ARCHIVING_SECONDS = 15
const STREAM_SECONDS = 5
const RTO_SECONDS = 1800

export interface RecoveryOrder {
  way: Way
  /** under load, until everything is destroyed */
  seconds: number
  loadFactor: number
}

/**
 * Takes a base backup under load, archives the write-ahead log, destroys PostgreSQL's data, Redis and all processes, restores, and
 * counts what is lost and what was sent twice.
 */
export async function runRecovery({ way, seconds, loadFactor }: RecoveryOrder): Promise<ScenarioResult> {
  const id = way === 'archive' ? 'R1' : 'R2'
  const name = `everything destroyed after ${seconds} s, restored from a base backup and ${way === 'archive' ? 'an archive' : 'a stream'} of the write-ahead log`
  const nothing = { id, name, verdict: null, recoverySeconds: null, notes: [], folder: '' }
  const bin = findFullPostgres()
  if (bin === undefined)
    return {
      ...nothing,
      skipped: 'no PostgreSQL with pg_basebackup here',
      offered: 0,
      faults: [],
      figures: {},
    }
  const parent = await makeThrowAwayFolder('recovery')
  const archive = await openArchive(parent, bin, way)
  const world = await startWorld({
    workers: 2,
    endpoints: Array.from({ length: ENDPOINTS }, () => 'ok' as const),
    postgres: { bin, settings: archive.settings },
  })
  try {
    const stop = new AbortController()
    const load = { rate: RATE * loadFactor, seconds: seconds * 2, stop: stop.signal }
    const sending = sendLeads([world.server.url], world.sources, load, (index) => index)
    await sleep((seconds * 1000) / 3)
    const baseFrom = now()
    await archive.takeBase(world.postgres.url)
    const baseSeconds = (now() - baseFrom) / 1000
    await sleep((seconds * 2000) / 3 - (now() - baseFrom))
    const destroyedAt = now()
    await destroy(world)
    const restored = await restore(world, archive)
    stop.abort()
    const { offered, acks } = await sending
    const isDrained = await drainWorld(world, 90)
    const drainedSeconds = (now() - destroyedAt) / 1000
    const found = await judgeRecovery(world, acks, { destroyedAt, finished: restored.finished })
    const faults = [
      ...judge(found, way, restored.seconds),
      ...(isDrained ? [] : ['it did not drain in time']),
    ]
    if (restored.verified !== 0) faults.push(`verify found something: ${restored.output}`)
    const figures = {
      ...describe(found),
      'base backup': `${baseSeconds.toFixed(1)} s`,
      'restored and verified': `${restored.seconds.toFixed(1)} s`,
      'everything delivered': `${drainedSeconds.toFixed(1)} s after the destruction`,
    }
    const verdict = {
      acked: found.accepted,
      delivered: found.delivered,
      lost: found.lost,
      repeatsAllowed: found.doubled - found.unexplained,
      repeatsSeen: found.doubled,
      healthyP99Ms: null,
      violations: [],
    }
    return {
      ...nothing,
      verdict,
      skipped: null,
      offered,
      recoverySeconds: restored.seconds,
      faults,
      figures,
    }
  } finally {
    await archive.endStream()
    await world.close()
    await removeThrowAwayFolder(parent)
  }
}

/** Processes are killed, and what PostgreSQL and Redis had on their disks is removed. */
async function destroy({ server, workers, postgres, store, folder }: World): Promise<void> {
  await Promise.all([
    server.kill(),
    ...workers.map((worker) => worker.kill()),
    postgres.crash(),
    store?.crash(),
  ])
  await rm(path.join(folder, 'redis', 'redis', 'appendonlydir'), { recursive: true, force: true })
  await rm(path.join(folder, 'files'), { recursive: true, force: true })
}

async function restore(
  world: World,
  archive: Archive,
): Promise<{ seconds: number; verified: number | null; output: string; finished: Set<string> }> {
  const from = now()
  await archive.endStream()
  await archive.putBack(path.join(world.folder, 'postgresql', 'postgres'))
  await Promise.all([world.postgres.start(), world.store?.start()])
  await waitUntil(() => isRecovered(world), {
    what: 'PostgreSQL having recovered',
    timeoutMs: RTO_SECONDS * 1000,
    intervalMs: 200,
  })
  const { code, output } = await runScript({
    script: 'scripts/leadwire.ts',
    args: ['verify', '--waited', '7200'],
    env: world.env,
  })
  const finished = await readFinished(world)
  await Promise.all([world.server.restart(), ...world.workers.map((worker) => worker.restart())])
  return { seconds: (now() - from) / 1000, verified: code, output, finished }
}

async function isRecovered({ db }: World): Promise<boolean> {
  try {
    const { rows } = await sql<{ is_over: boolean }>`select not pg_is_in_recovery() as is_over`.execute(db)
    return rows[0]?.is_over === true
  } catch {
    // It is still starting, or the connection is of before.
    return false
  }
}

function judge(found: Recovery, way: Way, seconds: number): string[] {
  const rpo = way === 'archive' ? ARCHIVE_TIMEOUT_SECONDS + ARCHIVING_SECONDS : STREAM_SECONDS
  return [
    ...(found.lostSeconds > rpo
      ? [`a lead of ${found.lostSeconds.toFixed(1)} s before is lost, more than ${rpo} s`]
      : []),
    ...(found.unexplained > 0
      ? [`${found.unexplained} deliveries were sent again that the recovered database has as finished`]
      : []),
    ...(found.renamed > 0 ? [`${found.renamed} requests have another webhook-id than their delivery`] : []),
    ...(found.delivered < found.present
      ? [`${found.present - found.delivered} leads that are there were not delivered`]
      : []),
    ...(seconds > RTO_SECONDS ? [`it took ${seconds.toFixed(0)} s`] : []),
  ]
}

const describe = (found: Recovery): Record<string, string> => ({
  'leads accepted': String(found.accepted),
  present: String(found.present),
  lost: `${found.lost}, the oldest ${found.lostSeconds.toFixed(1)} s before the destruction`,
  delivered: String(found.delivered),
  'sent twice': `${found.doubled} deliveries under the same webhook-id, ${found.unexplained} of them finished in the recovered database`,
})
