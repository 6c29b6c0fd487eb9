import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ENVIRONMENT_VARIABLES } from '#core/config/config.ts'
import { runCommand } from '#scripts/services/run-command.ts'
import { findUnknownMembers } from '#tests/support/deploy/find-unknown-members.ts'
import { mergeValues, renderChart } from '#tests/support/deploy/render-chart.ts'
import packageFile from '../../../package.json' with { type: 'json' }

const FOLDER = 'deploy/chart'
const KINDS = [
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
]
/** These kinds belong to other programs, so their schemas are not among Kubernetes' own. */
const FOREIGN_KINDS = ['ServiceMonitor', 'ScaledObject']

interface Rendered {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
}
/** A Deployment or Job, as far as the tests read it. */
interface Program extends Rendered {
  spec: {
    selector: { matchLabels: object }
    template: { metadata: { labels: object }; spec: Pod }
  }
}
interface Pod {
  terminationGracePeriodSeconds: number
  containers: [
    { env: Array<{ name: string; value: string }>; lifecycle?: { preStop: { exec: { command: string[] } } } },
  ]
}
const readYaml = (name: string): unknown => parse(readFileSync(`${FOLDER}/${name}`, 'utf8'))
const valuesWith = (over: unknown): unknown => mergeValues(readYaml('values.yaml'), over)
const EVERYTHING = valuesWith(readYaml('ci/everything-values.yaml'))
const LEAST = { secrets: { existing: 'leadwire' }, env: { FILES_S3_BUCKET: 'leadwire' } }
const VARIANTS: Record<string, unknown> = {
  everything: EVERYTHING,
  'the least': valuesWith({ ...LEAST, networkPolicy: { enabled: false } }),
  KEDA: valuesWith({ ...LEAST, worker: { autoscaling: { by: 'keda' } } }),
}
const isValid = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
  JSON.parse(readFileSync(`${FOLDER}/values.schema.json`, 'utf8')) as object,
)
const render = (values: unknown) => renderChart(FOLDER, values) as unknown as Rendered[]
const keyOf = ({ kind, metadata }: Rendered): string => `${kind} ${metadata.name}`
const isProgram = (object: Rendered): object is Program => ['Deployment', 'Job'].includes(object.kind)
function find<Found extends Rendered>(objects: Rendered[], key: string): Found {
  const found = objects.find((object) => keyOf(object) === key)
  if (found === undefined) throw new Error(`No ${key}`)
  return found as Found
}

describe.each(Object.entries(VARIANTS))('the chart with %s', (_name, values) => {
  const objects = render(values)

  it('has valid values', () => {
    isValid(values)
    expect(isValid.errors ?? []).toEqual([])
  })

  it('makes objects that Kubernetes accepts', () => {
    for (const object of objects) {
      const { apiVersion, kind } = object
      const Kind = KINDS.find((one) => one.apiVersion === apiVersion && one.kind === kind)
      if (Kind === undefined) expect(FOREIGN_KINDS).toContain(kind)
      else {
        new Kind(object as never).validate()
        expect(findUnknownMembers(object, `${apiVersion}/${kind}`)).toEqual([])
      }
    }
    expect(new Set(objects.map(keyOf)).size).toBe(objects.length)
  })

  it('runs each program without rights, within limits, and selects its own pods', () => {
    const programs = objects.filter(isProgram)
    expect(programs).toHaveLength(3)
    for (const { kind, spec } of programs) {
      const { metadata, spec: pod } = spec.template
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(pod.containers[0]).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.stringMatching(/Mi|Gi/) as string } },
      })
      if (kind === 'Deployment') expect(metadata.labels).toMatchObject(spec.selector.matchLabels)
    }
  })
})

describe('the chart', () => {
  const objects = render(EVERYTHING)

  it.each([
    ['lw-server', 'server/main.ts', 5],
    ['lw-worker', 'worker/main.ts', 0],
  ])('gives %s more time to stop than it takes', (name, program, preStopSeconds) => {
    const [, limit = ''] = /STOP_LIMIT_MS = ([\d_]+)/.exec(readFileSync(program, 'utf8')) ?? []
    const pod = find<Program>(objects, `Deployment ${name}`).spec.template.spec
    const [, waited = 0] = pod.containers[0].lifecycle?.preStop.exec.command ?? []
    expect(Number(waited)).toBe(preStopSeconds)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      preStopSeconds + Number(limit.replace('_', '')) / 1000,
    )
  })

  it('gives each program every variable of its values, and refuses those that it sets itself', () => {
    const own = [
      'NODE_ENV',
      'HOST',
      'PORT',
      'METRICS_PORT',
      'DATA_DIR',
      'PUBLIC_URL',
      'API_URL',
      'TRUST_PROXY',
    ]
    const free = ENVIRONMENT_VARIABLES.filter((name) => !own.includes(name))
    const env = Object.fromEntries(free.map((name) => [name, `of ${name}`]))
    const values = valuesWith({ secrets: { existing: 'leadwire' }, env })
    expect(isValid(values)).toBe(true)
    for (const name of own) expect(isValid(mergeValues(values, { env: { [name]: 'x' } })), name).toBe(false)
    const programs = render(values).filter(isProgram)
    expect(programs).toHaveLength(3)
    for (const { spec } of programs) {
      const given = spec.template.spec.containers[0].env
      expect(given.map(({ name }) => name).toSorted()).toEqual(ENVIRONMENT_VARIABLES.toSorted())
      for (const { name, value } of given) if (free.includes(name)) expect(value).toBe(`of ${name}`)
    }
  })

  it('migrates before anything else changes, with its Secret already there', () => {
    const weightOf = (key: string): number => {
      const { annotations } = find(objects, key).metadata
      expect(annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
      return Number(annotations?.['helm.sh/hook-weight'])
    }
    expect(weightOf('Secret lw')).toBeLessThan(weightOf('Job lw-migrate'))
  })

  it('scales workers on a metric that they have, and leaves their number alone then', () => {
    const scaler = find<Rendered & { spec: { metrics: [{ external: { metric: { name: string } } }] } }>(
      objects,
      'HorizontalPodAutoscaler lw-worker',
    )
    const { name } = scaler.spec.metrics[0].external.metric
    expect(readFileSync('worker/metrics/watch-lag.ts', 'utf8')).toContain(`'${name}'`)
    const keda = find(render(VARIANTS['KEDA']), 'ScaledObject lw-worker')
    expect(JSON.stringify(keda)).toContain(`max(${name}{namespace=\\"leads\\"})`)
    expect(find<Program>(objects, 'Deployment lw-worker').spec).not.toHaveProperty('replicas')
  })

  it('runs the image of this version', () => {
    expect(readYaml('Chart.yaml')).toMatchObject({ appVersion: packageFile.version })
  })

  it('would not misspell a member unnoticed', () => {
    const pod = { containers: [{ name: 'a', readinessProb: {}, livenessProbe: { httpGet: { pat: '/' } } }] }
    const deployment = { metadata: { labels: { any: 'x' } }, spec: { template: { spec: pod } } }
    expect(findUnknownMembers(deployment, 'apps/v1/Deployment')).toEqual([
      'apps/v1/Deployment.spec.template.spec.containers[0].readinessProb',
      'apps/v1/Deployment.spec.template.spec.containers[0].livenessProbe.httpGet.pat',
    ])
  })

  it('refuses values that would not work', () => {
    const good = LEAST
    expect(isValid(valuesWith(good))).toBe(true)
    for (const bad of [
      { secrets: { existing: '' } },
      { ...good, image: { tag: 'latest' } },
      { ...good, publicUrl: 'leads.example.com' },
      { ...good, env: { ...good.env, lower: 'x' } },
      // Evidence and exports would be lost with their pod.
      { ...good, env: {} },
      { ...good, worker: { replica: 3 } },
      { ...good, worker: { autoscaling: { by: 'cpu' } } },
    ])
      expect(isValid(valuesWith(bad)), JSON.stringify(bad)).toBe(false)
  })
})

const helm = await runCommand('helm', ['version'])
describe.skipIf(helm.code !== 0)('helm', () => {
  const args = ['--values', `${FOLDER}/ci/everything-values.yaml`, '--namespace', 'leads']

  it('finds no fault', async () => {
    const { code, output } = await runCommand('helm', ['lint', '--strict', FOLDER, ...args])
    expect(code, output).toBe(0)
  })

  it('renders the same objects as the tests', async () => {
    const { output } = await runCommand('helm', ['template', 'lw', FOLDER, ...args])
    const theirs = parseAllDocuments(output).map((document) => document.toJS() as Rendered | null)
    const sorted = (all: Rendered[]) => all.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
    expect(sorted(theirs.filter((object) => object !== null))).toEqual(sorted(render(EVERYTHING)))
  })
})
