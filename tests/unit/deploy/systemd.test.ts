import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '#scripts/services/run-command.ts'

const FOLDER = 'deploy/systemd'
const SERVICES = readdirSync(FOLDER).filter((name) => name.endsWith('.service'))
const LONG_LIVED = SERVICES.filter((name) => name.includes('@'))
const version = await runCommand('systemd-analyze', ['--version'])
const hasSystemd = version.code === 0 && Number(/systemd (\d+)/.exec(version.output)?.[1]) >= 252

const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8')
const valuesOf = (name: string, setting: string): string[] =>
  [...read(name).matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe.skipIf(!hasSystemd)('systemd', () => {
  // It reads units only from folders with every unit that they name.
  const folder = mkdtempSync(path.join(tmpdir(), 'leadwire-units-'))
  cpSync(FOLDER, folder, { recursive: true })
  afterAll(() => rmSync(folder, { recursive: true }))
  const analyse = (...args: string[]) =>
    runCommand('systemd-analyze', args, { env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } })

  it.each(['leadwire.target', ...SERVICES])('finds nothing wrong in %s', async (name) => {
    const { code, output } = await analyse('verify', '--man=no', name.replace('@.', '@1.'))
    expect([code, output]).toEqual([0, ''])
  })

  it.each(SERVICES)('counts %s as little exposed', async (name) => {
    // In tenths: 2.0 of 10; a service without any setting has 9.6.
    const { code, output } = await analyse(
      'security',
      '--offline=true',
      '--threshold=20',
      path.join(folder, name),
    )
    expect(code, output).toBe(0)
  })
})

describe.each(SERVICES)('the unit %s', (name) => {
  it('starts a program of this repository with the file of variables', () => {
    const [command = ''] = valuesOf(name, 'ExecStart')
    expect(existsSync(command.split(' ').at(-1) ?? '')).toBe(true)
    expect(valuesOf(name, 'EnvironmentFile')).toEqual(['/etc/leadwire/leadwire.env'])
  })

  it('has the same sandbox as the others', () => {
    const sandboxOf = (unit: string) => read(unit).slice(read(unit).indexOf('User='))
    expect(sandboxOf(name)).toBe(sandboxOf(SERVICES[0] ?? ''))
    expect(sandboxOf(name)).toContain('ProtectSystem=strict')
  })
})

describe.each(LONG_LIVED)('the unit %s', (name) => {
  it('is restarted when it ends, and has more time to stop than it takes', () => {
    expect(valuesOf(name, 'Restart')).toEqual(['always'])
    const program = valuesOf(name, 'ExecStart')[0]?.split(' ').at(-1) ?? ''
    const [, limit = ''] = /STOP_LIMIT_MS = ([\d_]+)/.exec(readFileSync(program, 'utf8')) ?? []
    expect(Number(valuesOf(name, 'TimeoutStopSec')[0]) * 1000).toBeGreaterThan(Number(limit.replace('_', '')))
  })

  it('starts after the migrations, and by itself once they succeed after a failure', () => {
    // systemd never starts again what another unit's failure kept from starting, as `Requires` does.
    expect(valuesOf(name, 'Requires')).toEqual([])
    expect(valuesOf(name, 'Wants').join(' ')).toContain('leadwire-migrate.service')
    expect(valuesOf(name, 'After').join(' ')).toContain('leadwire-migrate.service')
    expect(valuesOf('leadwire-migrate.service', 'Restart')).toEqual(['on-failure'])
  })

  it('may have the threads and files that it needs', () => {
    const [, threads = ''] = /^UV_THREADPOOL_SIZE=(\d+)$/m.exec(readFileSync('.env.example', 'utf8')) ?? []
    const [, requests = ''] = /^WEBHOOK_CONCURRENCY=(\d+)$/m.exec(readFileSync('.env.example', 'utf8')) ?? []
    expect(Number(valuesOf(name, 'TasksMax')[0])).toBeGreaterThan(Number(threads) * 2)
    expect(Number(valuesOf(name, 'LimitNOFILE')[0])).toBeGreaterThan(Number(requests) * 10)
  })
})
