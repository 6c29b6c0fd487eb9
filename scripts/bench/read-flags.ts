import { parseArgs } from 'node:util'
import type { BesideCase } from './beside/case.ts'
import { chooseCases } from './beside/cases.ts'

const { values } = parseArgs({
  options: {
    /** only this part */
    drain: { type: 'boolean', default: false },
    'open-loop': { type: 'boolean', default: false },
    logs: { type: 'boolean', default: false },
    leads: { type: 'boolean', default: false },
    administration: { type: 'boolean', default: false },
    market: { type: 'boolean', default: false },
    /**
     * only these parts, separated by commas: crowd, choice, whole for the market; pace, drain, memory beside
     * the bare product
     */
    part: { type: 'string', default: 'crowd,choice,whole,pace,drain,memory' },
    /** beside a bare product on the same packages */
    bare: { type: 'boolean', default: false },
    accounts: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    /** the cost of a lead in every process and table, from which docs/operations/sizing.md is computed */
    sizing: { type: 'boolean', default: false },
    /** masters of Redis, for the sizing: 1, 3 or both; three are a cluster, with a replica of each */
    masters: { type: 'string', default: '1' },
    /** the drain beside graphile-worker and pg-boss with the same work */
    baselines: { type: 'boolean', default: false },
    /** a smoke test: shows that it works, not how fast */
    quick: { type: 'boolean', default: false },
    count: { type: 'string' },
    pairs: { type: 'string' },
    /** number of measurements of the open loop, with all its rates, workers and cases: medians, and each run */
    runs: { type: 'string', default: '1' },
    /** the number of worker processes; several numbers, separated by commas, are measured in turns */
    workers: { type: 'string', default: '1' },
    /**
     * leads/s; several rates, separated by commas, are measured one after the other. Defaults: 200; market
     * 100 and 200; beside the bare product 20 to 400
     */
    rate: { type: 'string' },
    /**
     * the neighbours of the measured client in the open loop (./beside/cases.ts): `all`, or some, separated
     * by commas
     */
    beside: { type: 'string' },
    /**
     * the number of attempts in the log, of leads, of orders, or of sockets; several, separated by commas, are measured
     * one after the other
     */
    rows: { type: 'string' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    /** the file for the figures; DATA_DIR/bench by default */
    json: { type: 'string' },
    /** a folder for CPU profiles of the processes, which slow them down */
    profile: { type: 'string' },
  },
})

/** The flags of `npm run bench`, with every number parsed. An invalid one ends the process with status 2. */
export const flags = values
export const count = positive('count', flags.count ?? (flags.quick ? '500' : '10000'))
export const pairs = positive('pairs', flags.pairs ?? (flags.quick ? '1' : '3'))
export const runs = positive('runs', flags.runs)
/** leads/s */
export const rates = (flags.rate ?? (flags.bare ? '20,50,100,200,300,400' : flags.market ? '100,200' : '200'))
  .split(',')
  .map((rate) => positive('rate', rate))
export const cases = flags.beside === undefined ? [] : choose(flags.beside)
export const workers = flags.workers.split(',').map((number) => positive('workers', number))
export const masters = flags.masters.split(',').map((number) => positive('masters', number))
if (masters.some((number) => number !== 1 && number !== 3)) {
  console.error(`--masters must be 1 or 3, not '${flags.masters}'`)
  process.exit(2)
}
export const seconds = positive('seconds', flags.seconds ?? (flags.quick ? '3' : '30'))
export const warmUpSeconds = positive('warm-up', flags['warm-up'] ?? (flags.quick ? '2' : '15'))

/** The numbers of rows or leads to measure in turn: those asked for, else these. */
export function readSizes(quick: string, whole: string): number[] {
  const sizes = flags.rows ?? (flags.quick ? quick : whole)
  return sizes.split(',').map((size) => positive('rows', size))
}

function choose(names: string): BesideCase[] {
  try {
    return chooseCases(names)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  console.error(`--${name} must be a number above 0, not '${text}'`)
  process.exit(2)
}
