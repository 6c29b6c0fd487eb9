import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runChecks } from './test/run-checks.ts'
import { runVitest } from './test/run-suites.ts'
import { lastLine, sum } from './test/tally.ts'

/** The fast half of `npm test`, for before each commit: every check that needs no service. */
const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-check-'))
const checks = await runChecks()
const unit = await runVitest('unit', process.env, folder)
await rm(folder, { recursive: true, force: true })
const total = sum([checks, unit])
for (const failure of total.failures) console.log(`✗ ${failure}`)
console.log(lastLine(total))
process.exit(total.failed === 0 ? 0 : 1)
