import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  listWatchedMetrics,
  readPanels,
  readRules,
  RULES_FILE,
} from '#tests/support/deploy/watched-metrics.ts'

const RUNBOOKS = readFileSync('docs/operations/alerts.md', 'utf8')
const rules = readRules()
const alerts = rules.filter(({ alert }) => alert !== undefined)
const panels = readPanels()
const anchors = [...RUNBOOKS.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
)
/** Debian's package `prometheus` has it; without it some tests are skipped. */
const PROMTOOL = 'promtool'
const hasPromtool = spawnSync(PROMTOOL, ['--version']).status === 0

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout + stderr
}

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'leadwire-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe.each(alerts)('the alert $alert', ({ alert, labels, annotations }) => {
  it('says how urgent it is, and which section of alerts.md to read', () => {
    expect(['page', 'ticket']).toContain(labels?.severity)
    expect(annotations?.summary).toMatch(/\w/)
    const [file, anchor = ''] = annotations?.runbook.split('#') ?? []
    expect(file).toBe('docs/operations/alerts.md')
    expect(anchors).toContain(anchor)
    expect(RUNBOOKS).toContain(`\`${alert}\``)
  })
})

it('has no runbook without an alert', () => {
  const named = new Set(alerts.map(({ annotations }) => annotations?.runbook.split('#')[1]))
  expect(anchors.filter((anchor) => !named.has(anchor))).toEqual([])
})

it('the names of alerts, panels and rows are unique', () => {
  for (const names of [
    rules.map(({ alert, record }) => alert ?? record),
    panels.map(({ title }) => title),
    panels.map(({ id }) => String(id)),
  ])
    expect(new Set(names).size).toBe(names.length)
})

describe.each(panels.filter(({ type }) => type !== 'row'))('the panel $title', (panel) => {
  it('asks the provisioned source, and has its place', () => {
    expect(panel.datasource?.uid).toBe('prometheus')
    expect(readFileSync('deploy/grafana/provisioning/datasources/prometheus.yml', 'utf8')).toContain(
      'uid: prometheus',
    )
    expect(panel.targets?.length).toBeGreaterThan(0)
    for (const { expr } of panel.targets ?? []) expect(expr).toMatch(/\w/)
    const { x, y, w, h } = panel.gridPos
    expect(x + w).toBeLessThanOrEqual(24)
    const covers = (other: typeof panel) =>
      other.id !== panel.id &&
      other.gridPos.x < x + w &&
      x < other.gridPos.x + other.gridPos.w &&
      other.gridPos.y < y + h &&
      y < other.gridPos.y + other.gridPos.h
    expect(panels.filter(covers).map(({ title }) => title)).toEqual([])
  })
})

it('finds the metrics in queries', () => {
  const names = listWatchedMetrics()
  expect(names).toContain('leadwire_lead_to_first_attempt_seconds')
  expect(names).toContain('http_request_duration_seconds')
  expect(names.filter((name) => name.includes(':'))).toEqual([])
})

it('the pages for operators explain each metric that a rule or a panel asks for', () => {
  const pages = ['README', 'retention']
    .map((name) => readFileSync(`docs/operations/${name}.md`, 'utf8'))
    .join('')
  const own = listWatchedMetrics().filter((name) => name.startsWith('leadwire_'))
  expect(own.filter((name) => !pages.includes(`\`${name}`))).toEqual([])
})

it.skipIf(!hasPromtool)('promtool takes the rules, and the queries of the panels', () => {
  promtool('check', 'rules', RULES_FILE)
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const file = path.join(makeFolder(), 'panels.yml')
  const written = queries.map((expr, index) => ({ record: `panel:${index}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: written }] }))
  promtool('check', 'rules', file)
})

it.skipIf(!hasPromtool)('promtool takes the configuration of Compose', () => {
  const folder = makeFolder()
  const token = path.join(folder, 'metrics-token')
  writeFileSync(token, 'a-token')
  writeFileSync(path.join(folder, path.basename(RULES_FILE)), readFileSync(RULES_FILE))
  const config = readFileSync('deploy/prometheus/prometheus.yml', 'utf8')
  const file = path.join(folder, 'prometheus.yml')
  writeFileSync(file, config.replaceAll('/run/prometheus/metrics-token', token))
  expect(promtool('check', 'config', file)).toContain('1 rule files found')
})

it.skipIf(!hasPromtool)('the alerts fire, and stay silent, as the cases say', () => {
  promtool('test', 'rules', 'tests/support/deploy/alert-cases.yml')
})
