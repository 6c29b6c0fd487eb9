import type { OpenLoopResult } from './open-loop.ts'
import type { Spread } from './spread.ts'

export function openLoopTable(results: readonly OpenLoopResult[]): string {
  const head = ['leads/s', '', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms']
  const line = (rate: string, name: string, spread: Spread | null) => [
    rate,
    name,
    ...(spread === null ? ['–', '–', '–', '–'] : Object.values(spread).map((ms: number) => ms.toFixed(1))),
  ]
  const rows = results.flatMap((result) => [
    line(String(result.rate), 'ingest to receipt', result.receipt),
    line('', "API's answer", result.answer),
    line('', "generator's lateness", result.lateness),
  ])
  const counts = results.map(({ rate, offered, acked, delivered, repeated, undelivered, cpu }) => {
    const programs = Object.entries(cpu).map(([name, used]) => `${name} ${whole(used)}`)
    return `  ${rate}/s: offered ${offered}, acked ${acked}, delivered ${delivered}, repeated ${repeated}, undelivered ${undelivered} · CPU µs per lead: ${programs.join(', ')}`
  })
  return `${table([head, ...rows])}\n\n${counts.join('\n')}`
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => `  ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** Figures to the right, words to the left. */
function pad(cell: string, width: number): string {
  return /^[\d.–]+$|( ms| µs|^per s|^min|^max)$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}

function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}
