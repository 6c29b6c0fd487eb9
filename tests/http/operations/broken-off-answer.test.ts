import express from 'express'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#core/errors.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { handleErrors } from '#server/http/errors/handle-errors.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ['of its reader, who may read no more', new AppError('forbidden', 'This account is suspended.'), 0],
  ['of ours', new Error('of ours'), 1],
])(
  'an answer that fails half way for a fault %s breaks off, and only the log shows the fault',
  async (_whose, error, lines) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    const logged: unknown[] = []
    const app = express()
    app.set('env', 'production')
    app.get('/', (_request, response) => {
      response.write('half')
      throw error
    })
    app.use(handleErrors({ error: (about: unknown) => logged.push(about) } as never))
    const { server, port } = await openHttpServer({ listener: app, host: '127.0.0.1', port: 0 })
    onTestFinished(() => void server.close())
    const read = async () => await (await fetch(`http://127.0.0.1:${port}/`)).text()
    await expect(read()).rejects.toThrow()
    expect([printed.mock.calls.length, logged.length]).toEqual([0, lines])
  },
)
