/**
 * `npm run sizing -- FILE…`: prints the tables of docs/operations/sizing.md from the figures of
 * `npm run bench -- --sizing --json FILE`. The loads of several files are put together; of a load that was
 * measured twice the last counts. The bytes are those of the first file.
 */
import { readFileSync } from 'node:fs'
import type { SizingFigures } from './bench/sizing/figures.ts'
import { sizingTables } from './bench/sizing/report-sizing.ts'

interface Figures {
  facts: Record<string, string>
  sizing?: SizingFigures
}

const files = process.argv.slice(2)
const read = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Figures)
const [first] = read
if (first?.sizing === undefined) {
  console.error('Usage: npm run sizing -- FILE… (figures of npm run bench -- --sizing --json FILE)')
  process.exit(2)
}
for (const { facts } of read)
  console.log(
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(' · '),
  )
const loads = new Map(
  read
    .flatMap(({ sizing }) => sizing?.loads ?? [])
    .map((load) => [`${load.rate} ${load.workers} ${load.masters ?? 1}`, load]),
)
console.log(`\n${sizingTables({ ...first.sizing, loads: [...loads.values()] })}`)
