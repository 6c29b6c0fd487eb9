import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { listOperatorGaps } from '#core/config/operator-variables.ts'
import { armFailpoints } from '#core/failpoints.ts'
import { closeGently } from '#core/http/close-gently.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { collectAtRest } from '#core/concurrency/collect-at-rest.ts'
import { stopInTime } from '#core/stop-in-time.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { prepareStart } from '#core/prepare-start.ts'
import { answerUnreadable } from './http/errors/answer-unreadable.ts'
import { createDrain } from './http/create-drain.ts'
import { createApp } from './app.ts'
import { seedAccounts } from './accounts/accounts.ts'
import { openTracing } from '#core/telemetry/open-tracing.ts'
import { createContext } from './context.ts'
import { acceptSockets } from './realtime/accept-sockets.ts'

/**
 * Time in which proxies notice that the server is not ready. Without it, a request that a proxy sends on an open
 * connection while the server closes it would be answered 502.
 */
const NOTICE_MS = 3_000
/** Time for requests in progress to finish, with that notice. */
const DRAIN_LIMIT_MS = 10_000
/** Time for the whole stop, from the signal until the process has ended. */
const STOP_LIMIT_MS = 15_000

async function main(): Promise<void> {
  const config = loadConfig(process.env, { signs: true })
  armFailpoints(config.failpoints)
  const tracing = await openTracing(config, 'leadwire-server')
  const logger = createLogger('server', config.logLevel, tracing)
  const keyring = await prepareStart(config)
  const { context, close } = await createContext(config, keyring, logger, tracing)
  const seeded = await seedAccounts(context)
  if (seeded > 0) logger.info({ accounts: seeded }, 'first accounts created')

  const bypassing = config.auth.bypassAccounts.length
  if (bypassing > 0 && config.environment === 'production') {
    const text =
      'BYPASS_ACCOUNTS is set: these accounts pass the anti-forgery check and limits of sign-up; leave it empty in production'
    logger.warn({ accounts: bypassing }, text)
  }

  const gaps = listOperatorGaps(config)
  if (gaps.length > 0 && config.environment === 'production')
    logger.warn({ variables: gaps }, 'the legal pages say that the operator has not set this')

  const app = createApp(context)
  let stopping = false
  const { listener, begin } = createDrain(app)
  const upgrades = acceptSockets(app, context)
  const { server, port } = await openHttpServer({ ...config.http, listener, upgrades })
  server.on('clientError', answerUnreadable)

  const drain = async (): Promise<void> => {
    const limit = setTimeout(() => {
      logger.warn('requests did not finish in time')
      server.closeAllConnections()
    }, DRAIN_LIMIT_MS)
    begin()
    const isBehindProxy = config.http.trustProxy !== 0
    if (isBehindProxy) await sleep(NOTICE_MS)
    context.changes.end()
    context.realtime.end()
    context.admission.endRests()
    const closed = once(server, 'close')
    if (isBehindProxy) await closeGently(server)
    else server.close()
    await closed
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
