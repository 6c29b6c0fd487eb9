import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findShortage } from '#core/endpoint/own-shortage.ts'

/** Opens all files that it may, and then sends. */
const PROGRAM = `
  const { openSync } = await import('node:fs')
  const { findShortage } = await import(${JSON.stringify(new URL('../../../core/endpoint/own-shortage.ts', import.meta.url).href)})
  const before = findShortage()?.code
  try { for (;;) openSync('/dev/null', 'r') } catch {}
  process.stdout.write([before, findShortage()?.code].join())
  process.exit()`

test('a process that can open another file or socket reports no shortage', () => {
  expect(findShortage()).toBeUndefined()
})

test.skipIf(process.platform === 'win32')(
  'a process that has reached its limit of files reports a shortage',
  async () => {
    const shell = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, PROGRAM]
    const { stdout } = await promisify(execFile)('sh', shell)

    expect(stdout).toBe(',EMFILE')
  },
)
