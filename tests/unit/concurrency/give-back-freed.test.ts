import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = new URL('../../../core/concurrency/give-back-freed.ts', import.meta.url).href
/** Allocates 60 MB in small chunks and keeps one in five hundred. */
const PROGRAM = `
  import { openGiveBack } from '${MODULE}'
  const giveBack = openGiveBack()
  let pieces = Array.from({ length: 200_000 }, () => Buffer.allocUnsafeSlow(300))
  pieces = pieces.filter((_piece, index) => index % 500 === 0)
  gc()
  gc()
  const before = process.memoryUsage.rss()
  giveBack()
  process.exit(pieces.length > 0 && before - process.memoryUsage.rss() > 20_000_000 ? 0 : 1)`

const isGlibc = () =>
  'glibcVersionRuntime' in (process.report.getReport() as { header: Record<string, unknown> }).header

test.runIf(isGlibc())('freed memory between chunks in use goes back to the system', async () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [status] = (await once(child, 'exit')) as [number | null]
  expect(status).toBe(0)
})
