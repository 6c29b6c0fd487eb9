import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ENVIRONMENT_VARIABLES, loadConfig } from '#core/config/config.ts'

const example = parseEnv(readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8'))
const required = { DATABASE_URL: 'postgres://localhost/leadwire', REDIS_URL: 'redis://localhost' }

test('.env.example names every variable and no unknown one', () => {
  expect(Object.keys(example).toSorted()).toEqual(ENVIRONMENT_VARIABLES.toSorted())
})

test('.env.example shows the defaults', () => {
  // Node reads this variable before our program begins.
  const [, UV_THREADPOOL_SIZE] = /UV_THREADPOOL_SIZE:-(\d+)/.exec(readFileSync('package.json', 'utf8')) ?? []
  expect(loadConfig({ ...example, ...required })).toEqual(loadConfig({ ...required, UV_THREADPOOL_SIZE }))
})
