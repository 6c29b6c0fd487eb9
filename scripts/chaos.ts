import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openUpgrades } from './chaos/beside/open-upgrades.ts'
import { UPGRADE_PASSES, UPGRADES } from './chaos/beside/upgrades.ts'
import { chaosLines, chaosMarkdown, chaosTable } from './chaos/report.ts'
import { runScenario, type ScenarioResult } from './chaos/run-scenario.ts'
import { SCENARIOS } from './chaos/scenarios.ts'
import { runSoak } from './chaos/soak/run-soak.ts'
import { stopAllGuarded } from './services/guarded-process.ts'

/** `npm run chaos`. docs/operations/chaos.md explains what each scenario does, and how it is judged. */
const { values: flags } = parseArgs({
  options: {
    /** for example S1,S3: only these scenarios */
    only: { type: 'string' },
    /** small numbers: shows that it works, not for how long */
    quick: { type: 'boolean', default: false },
    /** for example 0.5: half of every rate, for a busy machine */
    load: { type: 'string', default: '1' },
    'soak-minutes': { type: 'string', default: '5' },
    /** a git ref or a folder: an upgrade from that version, instead of the scenarios */
    beside: { type: 'string' },
    /** minutes: a whole deployment with a fault every few minutes, instead of the scenarios */
    soak: { type: 'string' },
    /** leads/s of the soak */
    rate: { type: 'string', default: '20' },
    /** `archive` or `stream`: everything is destroyed after `--seconds`, and restored from the write-ahead log */
    recover: { type: 'string' },
    /** seconds for which both versions run side by side */
    seconds: { type: 'string' },
    /** the file for the figures */
    json: { type: 'string' },
    /** the figures as the table of docs/operations/chaos.md */
    table: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

/** One thing to run: a scenario or an upgrade. */
interface Task {
  id: string
  name: string
  run: () => Promise<ScenarioResult>
}

if (flags.list) {
  const upgrades = UPGRADES.map(({ id, name }) => ({ id, name, passes: UPGRADE_PASSES }))
  for (const { id, name, passes } of [...SCENARIOS, ...upgrades])
    console.log(`${id}  ${name}\n     passes when: ${passes}`)
  process.exit(0)
}
const loadFactor = positive('load', flags.load)
const seconds = positive('seconds', flags.seconds ?? (flags.quick ? '20' : '300'))
process.env['CHAOS_SOAK_MINUTES'] = flags['soak-minutes']

let tidyUp = async (): Promise<void> => undefined
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    void stopAllGuarded()
      .then(tidyUp)
      .finally(() => process.exit(status))
  })
}

const results: ScenarioResult[] = []
for (const task of await listTasks()) {
  console.log(`\n· ${task.id} ${task.name} …`)
  const result = await attempt(task)
  results.push(result)
  console.log(chaosLines(result))
  await writeFigures()
}
await tidyUp()
console.log(`\n${chaosTable(results)}`)
const failed = results.filter(({ faults }) => faults.length > 0).length
console.log(
  failed === 0
    ? flags.recover === undefined
      ? '\nNothing was lost.'
      : ''
    : `\n${failed} scenario(s) FAILED; see above.`,
)
process.exit(failed === 0 ? 0 : 1)

async function listTasks(): Promise<readonly Task[]> {
  if (flags.soak !== undefined) {
    const order = { minutes: positive('soak', flags.soak), rate: positive('rate', flags.rate) }
    return [{ id: 'SOAK', name: 'a whole deployment', run: () => runSoak(order) }]
  }
  if (flags.beside !== undefined) {
    const upgrades = choose(UPGRADES, flags.only)
    const { runUpgrade, close } = await openUpgrades(flags.beside)
    tidyUp = close
    return upgrades.map((upgrade) => ({
      id: upgrade.id,
      name: upgrade.name,
      run: () => runUpgrade(upgrade, { loadFactor, seconds }),
    }))
  }
  if (flags.recover !== undefined) return [await recovery(flags.recover)]
  return choose(SCENARIOS, flags.only).map((scenario) => ({
    id: scenario.id,
    name: scenario.name,
    run: () => runScenario(scenario, flags.quick ? 'quick' : 'long', loadFactor),
  }))
}

async function recovery(way: string): Promise<Task> {
  if (way !== 'archive' && way !== 'stream') {
    console.error(`--recover must be archive or stream, not '${way}'`)
    process.exit(2)
  }
  const { runRecovery } = await import('./chaos/recovery/run-recovery.ts')
  return {
    id: way === 'archive' ? 'R1' : 'R2',
    name: `restore from ${way === 'archive' ? 'an archive' : 'a stream'} of the write-ahead log`,
    run: () => runRecovery({ way, seconds, loadFactor }),
  }
}

/** Written after each task, so that an interrupted long run keeps its results. */
async function writeFigures(): Promise<void> {
  await writeFileAtomically(flags.json, `${JSON.stringify(results, null, 2)}\n`)
  await writeFileAtomically(flags.table, chaosMarkdown(results))
}

async function writeFileAtomically(file: string | undefined, text: string): Promise<void> {
  if (file === undefined) return
  await mkdir(path.dirname(path.resolve(file)), { recursive: true })
  await writeFile(file, text)
}

/** A scenario that cannot run counts as failed; the others go on. */
async function attempt({ id, name, run }: Task): Promise<ScenarioResult> {
  try {
    return await run()
  } catch (error) {
    await stopAllGuarded()
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const nothing = {
      skipped: null,
      offered: 0,
      verdict: null,
      recoverySeconds: null,
      figures: {},
      notes: [],
      folder: '',
    }
    return { ...nothing, id, name, faults: [fault] }
  }
}

function choose<One extends { id: string }>(all: readonly One[], only: string | undefined): readonly One[] {
  if (only === undefined) return all
  const wanted = only.split(',').map((id) => id.trim().toUpperCase())
  const unknown = wanted.filter((id) => all.every((one) => one.id !== id))
  if (unknown.length === 0) return all.filter(({ id }) => wanted.includes(id))
  console.error(`There is no scenario ${unknown.join(', ')}; npm run chaos -- --list names them`)
  process.exit(2)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  console.error(`--${name} must be a number above 0, not '${text}'`)
  process.exit(2)
}
