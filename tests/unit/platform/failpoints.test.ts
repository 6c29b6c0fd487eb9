import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { armFailpoints, FAILPOINTS, failpoint, parseFailpoints } from '#core/failpoints.ts'
import { ConfigError, loadConfig } from '#core/config/config.ts'

const needed = { DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache:6379' }

afterEach(() => {
  armFailpoints([])
})

test('a failpoint that is off costs no wait', () => {
  expect(failpoint('after-commit')).toBeUndefined()
})

test('reads the action of each failpoint, and the pass on which it happens', () => {
  expect(parseFailpoints('after-commit=exit, before-plan=pause:2000*3,after-send=error')).toEqual([
    { name: 'after-commit', act: { kind: 'exit' }, subject: undefined, pass: undefined },
    { name: 'before-plan', act: { kind: 'pause', ms: 2000 }, subject: undefined, pass: 3 },
    { name: 'after-send', act: { kind: 'error' }, subject: undefined, pass: undefined },
  ])
})

test.each([
  'nowhere=exit',
  'after-commit',
  'after-commit=sleep',
  'after-commit=pause',
  'after-commit=exit*0',
  'after-commit=exit@',
])('refuses %s', (text) => {
  expect(parseFailpoints(text)).toBeUndefined()
  expect(() => loadConfig({ ...needed, NODE_ENV: 'test', FAILPOINTS: text })).toThrow(/FAILPOINTS/)
})

test('fails on the given pass, and on no other', async () => {
  armFailpoints(parseFailpoints('before-send=error*2') ?? [])

  await expect(Promise.resolve(failpoint('before-send'))).resolves.toBeUndefined()
  await expect(failpoint('before-send')).rejects.toThrow('failpoint before-send')
  await expect(Promise.resolve(failpoint('before-send'))).resolves.toBeUndefined()
  expect(failpoint('after-send')).toBeUndefined()
})

test('fails for the given subject, and for no other', async () => {
  armFailpoints(parseFailpoints('before-send=error@0199a000-0000*1') ?? [])

  expect(failpoint('before-send')).toBeUndefined()
  expect(failpoint('before-send', '0199a000-0001')).toBeUndefined()
  await expect(failpoint('before-send', '0199a000-0000')).rejects.toThrow('failpoint before-send')
})

test('production refuses failpoints, even if NODE_ENV is missing', () => {
  const environment = { ...needed, FAILPOINTS: 'after-commit=exit' }
  expect(() => loadConfig(environment)).toThrow(ConfigError)
  expect(() => loadConfig({ ...environment, NODE_ENV: 'production' })).toThrow(/refused in production/)
  expect(loadConfig({ ...environment, NODE_ENV: 'test' }).failpoints).toHaveLength(1)
})

test('each failpoint has a test in which a process dies there', () => {
  const folder = new URL('../../pipeline/crash-points/', import.meta.url)
  const tests = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const untested = FAILPOINTS.filter((name) =>
    tests.every((text) => !text.includes(`${name}=exit`) && !text.includes(`'${name}'`)),
  )
  expect(untested).toEqual([])
})
