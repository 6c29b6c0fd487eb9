import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { authVariables, groupAuth } from './config-auth.ts'
import { parseFailpoints } from './failpoints.ts'

/** No step of the schedule may be longer: a delivery that waits for a month has been forgotten. */
const MAX_RETRY_STEP_SECONDS = 30 * 24 * 3600

const seconds = z
  .string()
  .regex(/^\d+(\s*,\s*\d+)*$/, 'must be whole seconds separated by commas, for example 5,300,1800')
  .transform((list) => list.split(',').map(Number))
  .refine((steps) => steps.every((step) => step <= MAX_RETRY_STEP_SECONDS), {
    error: `must not hold a step longer than ${MAX_RETRY_STEP_SECONDS} seconds`,
  })

const port = z.coerce.number().int().min(0).max(65535)
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
const cidrs = list.refine((items) => items.every(isNetwork), {
  error: 'must be networks like 10.0.0.0/8, separated by commas',
})
const privateJwk = z.string().transform((value, ctx) => {
  try {
    const jwk: unknown = JSON.parse(value)
    return z.looseObject({ kty: z.enum(['EC', 'RSA']), d: z.string().min(1) }).parse(jwk)
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be a private ES256 or RS256 key as a JSON Web Key' })
    return z.NEVER
  }
})

const failpoints = z.string().transform((value, ctx) => {
  const parsed = parseFailpoints(value)
  if (parsed !== undefined) return parsed
  ctx.addIssue({ code: 'custom', message: 'must name places of core/failpoints.ts, like after-commit=exit' })
  return z.NEVER
})

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  return family !== 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Every variable of CONTRACT.md §2, and ours in the same form. An empty string counts as unset. */
const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with https:// or http://' })
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string({ error: 'is required (postgres://…); `npm start` brings its own' })
    .regex(/^postgres(ql)?:\/\//),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must start with redis:// or rediss://')
    .optional(),
  REDIS_CLUSTER_NODES: list
    .refine((nodes) => nodes.length > 0 && nodes.every((node) => /^[^\s:]+:\d{1,5}$/.test(node)), {
      error: 'must be host:port, separated by commas',
    })
    .optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w{}-]+$/)
    .default('bull'),
  SEED_ADMIN_EMAIL: z.email().optional(),
  SEED_ADMIN_PASSWORD: z.string().min(8).optional(),
  SEED_CLIENT_EMAIL: z.email().optional(),
  SEED_CLIENT_PASSWORD: z.string().min(8).optional(),
  JWT_PRIVATE_JWK: privateJwk.optional(),
  SECRETS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 random bytes in base64')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional(),
  MAIL_FROM: z.email().optional(),
  DEV_MAILBOX: z.enum(['0', '1']).default('0'),
  WEBHOOK_RETRY_SCHEDULE: seconds.default([5, 300, 1800, 7200, 18_000, 36_000, 36_000]),
  WEBHOOK_RETRY_JITTER: z.coerce.number().min(0).max(0.5).default(0.2),
  WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(15_000),
  WEBHOOK_ALLOWED_CIDRS: cidrs.default([]),
  WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(100),
  WEBHOOK_ENDPOINT_CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(50),
  LOG_RETENTION_DAYS: z.coerce.number().int().min(7).max(3650).default(180),
  LOG_BODY_RETENTION_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  WORKER_WATCHDOG_SECONDS: z.coerce.number().int().min(10).max(3600).default(30),
  BYPASS_ACCOUNTS: list.default([]),
  ...authVariables,
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with https:// or http://' })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list
    .refine((pairs) => pairs.every((pair) => /^[\w-]+=\S+$/.test(pair)), {
      error: 'must be name=value, separated by commas',
    })
    .default([]),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  FAILPOINTS: failpoints.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

type Environment = z.infer<typeof environmentSchema>

/** The names of all variables, for the test that holds `.env.example` to them. */
export const ENVIRONMENT_VARIABLES = Object.keys(environmentSchema.shape)

/** Thrown by {@link loadConfig} with one line per fault, each beginning with the variable's name. Values are never quoted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The environment has ${faults.length} fault(s):\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/** The configuration grouped by concern. Durations carry their unit in the name. */
export type Config = ReturnType<typeof group>

/**
 * Reads the environment once, at the start of a process.
 * @throws ConfigError listing every fault at once.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environmentSchema.safeParse(given)
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (given['REDIS_URL'] === undefined && given['REDIS_CLUSTER_NODES'] === undefined) {
    faults.push('REDIS_URL: is required (redis://…), or REDIS_CLUSTER_NODES; `npm start` brings its own')
  }
  if (given['FAILPOINTS'] !== undefined && (given['NODE_ENV'] ?? 'production') === 'production') {
    faults.push('FAILPOINTS: makes processes die on purpose and is refused in production')
  }
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults)
  return group(parsed.data)
}

function group(env: Environment) {
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '')
  return {
    environment: env.NODE_ENV,
    http: {
      port: env.PORT,
      host: env.HOST,
      publicUrl,
      trustProxy: env.TRUST_PROXY,
      metricsToken: env.METRICS_TOKEN,
      /** of a worker; 0 takes a free one */
      metricsPort: env.METRICS_PORT,
    },
    dataDir: env.DATA_DIR,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redis: { url: env.REDIS_URL, clusterNodes: env.REDIS_CLUSTER_NODES, queuePrefix: env.QUEUE_PREFIX },
    seed: {
      admin: account(env.SEED_ADMIN_EMAIL, env.SEED_ADMIN_PASSWORD),
      client: account(env.SEED_CLIENT_EMAIL, env.SEED_CLIENT_PASSWORD),
    },
    auth: {
      privateJwk: env.JWT_PRIVATE_JWK,
      bypassAccounts: env.BYPASS_ACCOUNTS.map((email) => email.toLowerCase()),
      ...groupAuth(env),
    },
    secretsKey: env.SECRETS_KEY,
    mail: {
      smtpUrl: env.SMTP_URL,
      from: { name: 'Leadwire', address: env.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}` },
      /** Where mails are written when there is no SMTP_URL. */
      folder: path.join(env.DATA_DIR, 'mail'),
      /** Only without a mail server: otherwise there is nothing to show. */
      showMailbox: env.DEV_MAILBOX === '1' && env.SMTP_URL === undefined,
    },
    webhooks: {
      /** Seconds before attempts 2, 3, …; a delivery has one attempt more than this has entries. */
      retryScheduleSeconds: env.WEBHOOK_RETRY_SCHEDULE,
      retryJitter: env.WEBHOOK_RETRY_JITTER,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
      allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
      concurrency: env.WEBHOOK_CONCURRENCY,
      endpointConcurrency: env.WEBHOOK_ENDPOINT_CONCURRENCY,
    },
    watchdogSeconds: env.WORKER_WATCHDOG_SECONDS,
    failpoints: env.FAILPOINTS,
    logs: {
      /** Days that attempts, and what is finished, are kept; whole weeks go at a time. */
      keepDays: env.LOG_RETENTION_DAYS,
      /** Days that the headers and bodies of attempts are kept; never longer than the attempts. */
      keepBodiesDays: Math.min(env.LOG_BODY_RETENTION_DAYS, env.LOG_RETENTION_DAYS),
    },
    tracing: {
      endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: Object.fromEntries(
        env.OTEL_EXPORTER_OTLP_HEADERS.map((pair): [string, string] => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at), pair.slice(at + 1)]
        }),
      ),
      ratio: env.OTEL_TRACES_SAMPLER_ARG,
    },
    logLevel: env.LOG_LEVEL,
  }
}

function account(email: string | undefined, password: string | undefined) {
  return email === undefined || password === undefined ? undefined : { email: email.toLowerCase(), password }
}
