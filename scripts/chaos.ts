import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chaosLines, chaosTable } from './chaos/report.ts'
import { runScenario, type ScenarioResult } from './chaos/run-scenario.ts'
import type { Scenario } from './chaos/scenario.ts'
import { SCENARIOS } from './chaos/scenarios.ts'
import { stopAllGuarded } from './services/guarded-process.ts'

/** npm run chaos; what each scenario does, and how it is judged: docs/operations/chaos.md. */
const { values: flags } = parseArgs({
  options: {
    /** S1,S3: only these */
    only: { type: 'string' },
    /** small numbers: says that it works, not for how long */
    quick: { type: 'boolean', default: false },
    /** 0.5: half of every rate, for a busy machine */
    load: { type: 'string', default: '1' },
    'soak-minutes': { type: 'string', default: '5' },
    /** where the figures go */
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

if (flags.list) {
  for (const { id, name, passes } of SCENARIOS) console.log(`${id}  ${name}\n     passes when: ${passes}`)
  process.exit(0)
}
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    void stopAllGuarded().finally(() => process.exit(status))
  })
}
const loadFactor = Number(flags.load)
if (!(loadFactor > 0)) {
  console.error(`--load must be a number above 0, not '${flags.load}'`)
  process.exit(2)
}
process.env['CHAOS_SOAK_MINUTES'] = flags['soak-minutes']

const results: ScenarioResult[] = []
for (const scenario of choose(flags.only)) {
  console.log(`\n· ${scenario.id} ${scenario.name} …`)
  const result = await attempt(scenario)
  results.push(result)
  console.log(chaosLines(result))
  await writeFigures()
}
console.log(`\n${chaosTable(results)}`)
const failed = results.filter(({ faults }) => faults.length > 0).length
console.log(failed === 0 ? '\nNothing was lost.' : `\n${failed} scenario(s) FAILED; see above.`)
process.exit(failed === 0 ? 0 : 1)

/** After each, so that a long run that is cut short has not been for nothing. */
async function writeFigures(): Promise<void> {
  if (flags.json === undefined) return
  await mkdir(path.dirname(path.resolve(flags.json)), { recursive: true })
  await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`)
}

/** A scenario that cannot even be run has failed; the others go on. */
async function attempt(scenario: Scenario): Promise<ScenarioResult> {
  try {
    return await runScenario(scenario, flags.quick ? 'quick' : 'long', loadFactor)
  } catch (error) {
    await stopAllGuarded()
    const { id, name } = scenario
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const nothing = {
      skipped: null,
      offered: 0,
      verdict: null,
      recoverySeconds: null,
      figures: {},
      folder: '',
    }
    return { ...nothing, id, name, faults: [fault] }
  }
}

function choose(only: string | undefined): readonly Scenario[] {
  if (only === undefined) return SCENARIOS
  const wanted = only.split(',').map((id) => id.trim().toUpperCase())
  const unknown = wanted.filter((id) => SCENARIOS.every((scenario) => scenario.id !== id))
  if (unknown.length === 0) return SCENARIOS.filter(({ id }) => wanted.includes(id))
  console.error(`There is no scenario ${unknown.join(', ')}; npm run chaos -- --list names them`)
  process.exit(2)
}
