import { parseArgs } from 'node:util'
import { SCENARIOS } from './simulation/scenarios.ts'
import { CARRIERS, simulate, type CarrierName } from './simulation/simulate.ts'

/** npm run simulate; what it plays and what it says of the carriers: docs/decisions/0011-who-gives-way.md. */
const { values: flags } = parseArgs({
  options: {
    /** only scenarios whose name holds this */
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '45' },
    seed: { type: 'string', default: '7' },
  },
})
const carriers = Object.keys(CARRIERS) as CarrierName[]
const columns = [
  'victims p50',
  'p95',
  'p99',
  'worst',
  'missing',
  'others worst',
  'missing',
  'ms each',
  'waiting',
]
console.log(`| scenario | carrier | ${columns.join(' | ')} |`)
console.log(`|---|---|${columns.map(() => '--:').join('|')}|`)
for (const scenario of SCENARIOS.filter(({ name }) => name.includes(flags.only))) {
  for (const carrier of carriers) {
    const { victims, others, costMs, waiting } = simulate(scenario, carrier, {
      seconds: Number(flags.seconds),
      seed: Number(flags.seed),
    })
    const figures = [
      victims.p50,
      victims.p95,
      victims.p99,
      victims.worst,
      victims.missing,
      others.worst,
      others.missing,
    ]
    const rounded = figures.map((figure) => Math.round(figure).toLocaleString('en'))
    console.log(
      `| ${scenario.name} | ${carrier} | ${rounded.join(' | ')} | ${costMs.toFixed(2)} | ${waiting} |`,
    )
  }
}
