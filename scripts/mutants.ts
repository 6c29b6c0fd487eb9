import { parseArgs } from 'node:util'
import { sendMutants } from './mutants/send-mutants.ts'

/**
 * `npm run mutants`: tests the code that calls endpoints with randomly changed certificates; fails if one
 * ends a process.
 */
const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    /** the seed of the first round of 500; each further round has the next one */
    seed: { type: 'string', default: '1' },
  },
})
const startedAt = performance.now()
const { sent, ended, outcomes, refused } = await sendMutants(
  { seed: Number(flags.seed), count: Number(flags.count) },
  (number) => {
    if (number % 10_000 === 0)
      console.log(`· ${number} shown after ${Math.round((performance.now() - startedAt) / 1000)} s`)
  },
)
const found = Object.entries(outcomes).map(([name, number]) => `${name} ${number}`)
console.log(
  `${sent} certificates shown: ${found.join(', ')}; as many given to the check at save, ${refused} refused`,
)
if (ended.length > 0) {
  console.log(`The process ended in the rounds with the seeds ${ended.join(', ')}`)
  process.exitCode = 1
} else console.log('No process ended')
