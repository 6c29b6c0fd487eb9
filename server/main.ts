import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { armFailpoints } from '#core/failpoints.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { collectAtRest } from '#core/concurrency/collect-at-rest.ts'
import { stopInTime } from '#core/stop-in-time.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { prepareStart } from '#core/prepare-start.ts'
import { answerUnreadable } from './http/answer-unreadable.ts'
import { createApp } from './app.ts'
import { seedAccounts } from './accounts/accounts.ts'
import { openTracing } from '#core/telemetry/open-tracing.ts'
import { createContext } from './context.ts'
import { acceptSockets } from './realtime/accept-sockets.ts'

/** Time for requests in progress to finish. */
const DRAIN_LIMIT_MS = 10_000
/** Time for the whole stop, from the signal until the process has ended. */
const STOP_LIMIT_MS = 15_000

async function main(): Promise<void> {
  const config = loadConfig(process.env, { signs: true })
  armFailpoints(config.failpoints)
  const logger = createLogger('server', config.logLevel)
  const secretsKey = await prepareStart(config)
  const tracing = await openTracing(config, 'leadwire-server')
  const { context, close } = await createContext(config, secretsKey, logger, tracing)
  const seeded = await seedAccounts(context)
  if (seeded > 0) logger.info({ accounts: seeded }, 'first accounts created')

  const bypassing = config.auth.bypassAccounts.length
  if (bypassing > 0 && config.environment === 'production') {
    const text =
      'BYPASS_ACCOUNTS is set: these accounts pass the anti-forgery check and limits of sign-up; leave it empty in production'
    logger.warn({ accounts: bypassing }, text)
  }

  const app = createApp(context)
  let stopping = false
  const underWay = new Set<ServerResponse>()
  const listener: RequestListener = (request, response) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    app(request, response)
  }
  const upgrades = acceptSockets(app, context)
  const { server, port } = await openHttpServer({ ...config.http, listener, upgrades })
  server.on('clientError', answerUnreadable)

  const drain = async (): Promise<void> => {
    const limit = setTimeout(() => {
      logger.warn('requests did not finish in time')
      server.closeAllConnections()
    }, DRAIN_LIMIT_MS)
    context.changes.end()
    context.realtime.end()
    context.admission.endRests()
    server.close()
    // A keep-alive connection would delay the stop until its client closes it.
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
    await once(server, 'close')
    clearTimeout(limit)
  }
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'server stops: no new requests, those under way finish')
    const status = await stopInTime({ name: 'server', limitMs: STOP_LIMIT_MS, logger }, async (waitFor) => {
      await waitFor('requests', drain)
      await close(waitFor)
      await waitFor('traces', tracing.close)
    })
    process.exit(status)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  collectAtRest()
  // Logged last: a reader of this line may stop the process at once.
  logger.info({ ...config.build, port, host: config.http.host }, 'server ready')
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else createLogger('server', 'error').fatal({ err: error }, 'server could not start')
  process.exit(1)
})
