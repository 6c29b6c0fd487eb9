import type { ScenarioResult } from './run-scenario.ts'

const HEAD = ['scenario', 'acked', 'delivered', 'lost', 'repeats (allowed / seen)', 'recovered in', 'verdict']

/** One line for each scenario; below the table the failed conditions. */
export function chaosTable(results: readonly ScenarioResult[]): string {
  const rows = [HEAD, ...results.map(tableRow)]
  const widths = HEAD.map((_cell, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('-|-'))
  return lines.join('\n')
}

function tableRow({ id, verdict, recoverySeconds, faults, skipped }: ScenarioResult): string[] {
  if (skipped !== null) return [id, '–', '–', '–', '–', '–', `skipped: ${skipped}`]
  if (verdict === null) return [id, '–', '–', '–', '–', '–', 'FAILED']
  const { acked, delivered, lost, repeatsAllowed, repeatsSeen } = verdict
  return [
    id,
    String(acked),
    String(delivered),
    String(lost),
    `${repeatsAllowed} / ${repeatsSeen}`,
    recoverySeconds === null ? '–' : `${recoverySeconds.toFixed(1)} s`,
    faults.length === 0 ? 'passed' : 'FAILED',
  ]
}

/** The table of docs/operations/chaos.md, ready to paste. */
export function chaosMarkdown(results: readonly ScenarioResult[]): string {
  const head = [
    '',
    'acknowledged',
    'delivered',
    'lost',
    'repeats excusable / seen',
    'recovered in',
    'figures',
  ]
  const rows = [head, head.map(() => '---'), ...results.map(markdownRow)]
  return `${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}

function markdownRow(result: ScenarioResult): string[] {
  const { id, verdict, recoverySeconds, faults, skipped } = result
  const told = [...faults.map((fault) => `**${fault}**`), ...tellFigures(result)].join('; ')
  const cell = (told === '' ? (skipped ?? '') : told).replaceAll('|', '\\|').replaceAll('\n', ' ')
  if (verdict === null) return [id, '', '', '', '', '', cell]
  const { acked, delivered, lost, repeatsAllowed, repeatsSeen } = verdict
  const count = (number: number): string => number.toLocaleString('en')
  return [
    id,
    count(acked),
    count(delivered),
    count(lost),
    `${count(repeatsAllowed)} / ${count(repeatsSeen)}`,
    recoverySeconds === null ? '' : `${recoverySeconds.toFixed(1)} s`,
    cell,
  ]
}

function tellFigures({ verdict, figures }: ScenarioResult): string[] {
  const p99 = verdict?.healthyP99Ms
  const all = {
    ...(p99 !== null && p99 !== undefined && { 'healthy p99': `${Math.round(p99)} ms` }),
    ...figures,
  }
  return Object.entries(all).map(([what, value]) => `${what} ${value}`)
}

/** The result of one scenario, printed when it has ended. */
export function chaosLines(result: ScenarioResult): string {
  const { id, name, faults, notes, skipped } = result
  const told = tellFigures(result)
  const state = skipped !== null ? `skipped: ${skipped}` : faults.length === 0 ? 'passed' : 'FAILED'
  return [
    `${id} ${name}: ${state}`,
    ...(told.length > 0 ? [`  ${told.join(' · ')}`] : []),
    ...notes.map((note) => `  ${note}`),
    ...faults.map((fault) => `  ✗ ${fault}`),
  ].join('\n')
}
