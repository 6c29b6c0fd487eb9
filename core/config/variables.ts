import { isIP } from 'node:net'
import { z } from 'zod'
import { authVariables } from './auth-variables.ts'
import { parseFailpoints } from '../failpoints.ts'

/** No step of the schedule may be longer: a delivery that waits for a month has been forgotten. */
const MAX_RETRY_STEP_SECONDS = 30 * 24 * 3600

const seconds = z
  .string()
  .regex(/^\d+(\s*,\s*\d+)*$/, 'must be whole seconds separated by commas, for example 5,300,1800')
  .transform((list) => list.split(',').map(Number))
  .refine((steps) => steps.every((step) => step <= MAX_RETRY_STEP_SECONDS), {
    error: `must not hold a step longer than ${MAX_RETRY_STEP_SECONDS} seconds`,
  })

const address = z.url({
  protocol: /^https?$/,
  error: 'must be an address that starts with https:// or http://',
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

/** Every variable that Leadwire reads; docs/contract.md §2 says what some of them promise. An empty string counts as unset. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  PUBLIC_URL: address.optional(),
  API_URL: address.optional(),
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
  HOUSEKEEPING_PACE: z.coerce.number().min(0.1).max(50).default(1),
  BYPASS_ACCOUNTS: list.default([]),
  ...authVariables,
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
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
