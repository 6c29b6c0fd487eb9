import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

interface Rule {
  record?: string
  alert?: string
  expr: string
  for?: string
  labels?: { severity: string }
  annotations?: { summary: string; runbook: string }
}
interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}

export const RULES_FILE = 'deploy/prometheus/leadwire.rules.yml'

/** The rules for Prometheus, in order. */
export function readRules(): Rule[] {
  const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** The panels of Grafana's dashboard, with the titles of its rows. */
export function readPanels(): Panel[] {
  const text = readFileSync('deploy/grafana/dashboards/leadwire.json', 'utf8')
  return (JSON.parse(text) as { panels: Panel[] }).panels
}

/** The metrics that a rule or a panel names, without those that rules record and those of Prometheus itself. */
export function listWatchedMetrics(): string[] {
  const queries = [
    ...readRules().map(({ expr }) => expr),
    ...readPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const names = queries.flatMap(
    (expr) => expr.match(/(?<![\w":])(?:leadwire|http|nodejs|process)_\w+/g) ?? [],
  )
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))]
}
