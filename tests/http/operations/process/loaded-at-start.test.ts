import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** Prints the files that a program had loaded when it ended, with their sizes in bytes. */
const LISTING = `
  import { registerHooks } from 'node:module'
  import { statSync, writeSync } from 'node:fs'
  import { fileURLToPath } from 'node:url'
  const files = new Set()
  registerHooks({ load: (url, context, next) => (url.startsWith('file:') && files.add(fileURLToPath(url)), next(url, context)) })
  process.on('exit', () => writeSync(1, JSON.stringify([...files].map((file) => [file, statSync(file).size]))))`

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
}

/** Without their variables, server and worker load everything and then refuse to start. */
async function listLoaded(script: string): Promise<Array<[string, number]>> {
  const hooks = `data:text/javascript,${encodeURIComponent(LISTING)}`
  const load = `await import('#${script}'); process.exit()`
  const args = ['--import', hooks, '--input-type=module', '--eval', load]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(printed) as Array<[string, number]>
}

const BOTH = [
  '@opentelemetry/api',
  'bullmq',
  'entities',
  'ioredis',
  'ipaddr.js',
  'kysely',
  'libphonenumber-js',
  'lru-cache',
  'pg',
  'pino',
  'prom-client',
  'undici',
  'zod',
]

// A package that few requests need is loaded with the first of them
// (docs/decisions/0035-memory-of-the-processes.md).
test.each([
  {
    script: 'server/main.ts',
    packages: [
      ...BOTH,
      'compression',
      'express',
      'helmet',
      'jose',
      'otpauth',
      'rate-limiter-flexible',
      'uqr',
    ],
    mostFiles: 2500,
    mostMegabytes: 11,
  },
  {
    script: 'worker/main.ts',
    packages: BOTH,
    mostFiles: 1650,
    mostMegabytes: 8.2,
  },
  {
    script: 'core/endpoint/isolated/exchange-process.ts',
    packages: ['ipaddr.js', 'lru-cache', 'undici'],
    mostFiles: 160,
    mostMegabytes: 1.6,
  },
])('$script loads only what is needed at once', async ({ script, packages, mostFiles, mostMegabytes }) => {
  const loaded = await listLoaded(script)
  const direct = Object.keys(dependencies).filter((name) =>
    loaded.some(([file]) => file.includes(`/node_modules/${name}/`)),
  )
  expect(direct.toSorted()).toEqual(packages.toSorted())
  expect(loaded.length).toBeLessThanOrEqual(mostFiles)
  expect(loaded.reduce((sum, [, bytes]) => sum + bytes, 0) / 1e6).toBeLessThanOrEqual(mostMegabytes)
})
