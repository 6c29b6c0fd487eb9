import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LOGGER = fileURLToPath(new URL('../../../core/telemetry/logger.ts', import.meta.url))

/** Logs in a separate process, as server and worker do, and returns its output. */
function printed(statement: string): string {
  const script = `import { createLogger } from ${JSON.stringify(LOGGER)}; const logger = createLogger('test', 'info'); ${statement}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout
}

test('an error is logged with its message, without the fields that a driver adds', () => {
  const line = printed(`
    const error = Object.assign(new Error('duplicate key', { cause: new Error('lost') }), {
      code: '23505', detail: 'Key (email)=(avery@example.com) exists', client: { password: 'hidden' } })
    logger.error({ err: error, delivery_id: 'd-1' }, 'failed')`)
  const entry = JSON.parse(line) as { err: Record<string, unknown>; delivery_id: string }
  expect(entry.delivery_id).toBe('d-1')
  expect(entry.err).toMatchObject({
    type: 'Error',
    message: 'duplicate key',
    code: '23505',
    cause: { message: 'lost' },
  })
  expect(line).not.toContain('avery@example.com')
  expect(line).not.toContain('hidden')
})

test('personal data and secrets are removed from everything that is logged', () => {
  const line = printed(
    `logger.info({ lead: { email: 'avery@example.com', phone: '+15125550143' }, config: { secret: 'whsec_x' } }, 'x')`,
  )
  expect(line).not.toMatch(/avery|5550143|whsec/)
})

test('an error that quotes its input is logged without its message, but with its location', () => {
  const line = printed(`
    let error; try { JSON.parse('{"name": avery}') } catch (caught) { error = caught }
    logger.error({ err: error }, 'failed')
    logger.error({ err: Object.assign(new Error('invalid input syntax: "avery"'), { code: '22P02' }) }, 'failed')`)

  expect(line).not.toContain('avery')
  expect(line).toContain('SyntaxError')
  expect(line).toContain('"stack":"    at ')
})
