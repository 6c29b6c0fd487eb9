import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { authVariables } from './auth-variables.ts'
import { fileVariables } from './file-variables.ts'
import { operatorVariables } from './operator-variables.ts'
import { USUAL_RETRY_STEPS } from '../domain/webhooks/retry-schedule.ts'
import { parseFailpoints } from '../failpoints.ts'
import { splitHosts } from '../data/connection/split-hosts.ts'
import { MOST_SHARDS } from '../queue/shards.ts'
import { egressAddressSchema } from '../contract/operations/trust.ts'
import { isNetwork } from './is-network.ts'
import { privateJwk } from './signing-key-variables.ts'
import { trustedProxies } from './trusted-proxies.ts'
import {
  address,
  list,
  mailAddress,
  number,
  oneOf,
  port,
  serviceUrl,
  textOf,
  wholeNumber,
} from './value-kinds.ts'

/** Upper limit of a step of the schedule: after a month a waiting delivery is of no use. */
const MAX_RETRY_STEP_SECONDS = 30 * 24 * 3600

const seconds = z
  .string()
  .regex(/^\d+(\s*,\s*\d+)*$/, 'must be whole seconds separated by commas, for example 5,300,1800')
  .transform((list) => list.split(',').map(Number))
  .refine((steps) => steps.every((step) => step <= MAX_RETRY_STEP_SECONDS), {
    error: `must not hold a step longer than ${MAX_RETRY_STEP_SECONDS} seconds`,
  })

const cidrs = list.refine((items) => items.every(isNetwork), {
  error: 'must be networks like 10.0.0.0/8, separated by commas',
})
/** Addresses from which deliveries come, each with the day from which it holds. */
const egressAddresses = list.transform((items, ctx) => {
  const read = items.map((item) => egressAddressSchema.safeParse(splitDay(item)).data)
  const known = read.filter((one) => one !== undefined && isIP(one.address) !== 0)
  if (known.length === items.length) return known.filter((one) => one !== undefined)
  ctx.addIssue({
    code: 'custom',
    message:
      'must be addresses, each with the day from which it holds: 203.0.113.7@2026-12-01, separated by commas',
  })
  return z.NEVER
})

function splitDay(item: string): { address: string; from: string | undefined } {
  const [address = '', from] = item.split('@')
  return { address, from }
}

const nodes = list.refine(
  (items) => items.length > 0 && items.every((item) => /^[^\s:]+:\d{1,5}$/.test(item)),
  { error: 'must be host:port, separated by commas' },
)
/** A file of certificates, which is read at once. */
const certificates = z.string().transform((file, ctx) => {
  const text = readText(file)
  if (text?.includes('-----BEGIN CERTIFICATE-----') === true) return text
  ctx.addIssue({ code: 'custom', message: 'must be a readable file with certificates as PEM' })
  return z.NEVER
})
const failpoints = z.string().transform((value, ctx) => {
  const parsed = parseFailpoints(value)
  if (parsed !== undefined) return parsed
  ctx.addIssue({ code: 'custom', message: 'must name places of core/failpoints.ts, like after-commit=exit' })
  return z.NEVER
})

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Newest first. A key that is there twice would hide that another one is missing. */
const secretsKeys = list
  .refine((keys) => keys.length > 0 && keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)), {
    error: 'must be 32 random bytes in base64, or several such keys separated by commas',
  })
  .refine((keys) => new Set(keys).size === keys.length, { error: 'must not hold a key twice' })
  .transform((keys) => keys.join(','))

function databaseUrl(missing?: string) {
  const form = 'postgres://user:password@host:port/database'
  return serviceUrl(/^postgres(ql)?:\/\//, form, missing, splitHosts)
}

/** Every variable that Leadwire reads; docs/contract.md §2 describes some of them. An empty string counts as unset. */
export const environmentSchema = z.object({
  NODE_ENV: oneOf(['development', 'test', 'production']).default('production'),
  BUILD_REVISION: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be of at most 64 letters, digits, _, . and -')
    .optional(),
  PORT: port.default(3000),
  HOST: textOf(1).default('0.0.0.0'),
  PUBLIC_URL: address.optional(),
  API_URL: address.optional(),
  DATA_DIR: textOf(1).default('.data'),
  DATABASE_URL: databaseUrl('is required (postgres://…); `npm start` brings its own'),
  DATABASE_DIRECT_URL: databaseUrl().optional(),
  DATABASE_REPLICA_URL: databaseUrl()
    .refine((url) => splitHosts(url).length === 1, { error: 'names one server, because its lag is measured' })
    // The connection would look for a primary, and the replica would never be read.
    .refine((url) => !url.includes('target_session_attrs='), { error: 'takes no target_session_attrs' })
    .optional(),
  DATABASE_REPLICA_LAG_SECONDS: wholeNumber(1, 300).default(10),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10),
  REDIS_URL: serviceUrl(/^rediss?:\/\//, 'redis:// or rediss://user:password@host:port').optional(),
  REDIS_CLUSTER_NODES: nodes.optional(),
  REDIS_SENTINELS: nodes.optional(),
  REDIS_SENTINEL_MASTER: textOf(1).default('mymaster'),
  REDIS_SENTINEL_PASSWORD: textOf(1).optional(),
  REDIS_TLS_CA_FILE: certificates.optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w{}-]+$/, 'must be of letters, digits, _, -, { and }')
    .default('bull'),
  QUEUE_SHARDS: wholeNumber(1, MOST_SHARDS).default(1),
  SEED_ADMIN_EMAIL: mailAddress.optional(),
  SEED_ADMIN_PASSWORD: textOf(8).optional(),
  SEED_CLIENT_EMAIL: mailAddress.optional(),
  SEED_CLIENT_PASSWORD: textOf(8).optional(),
  JWT_PRIVATE_JWK: privateJwk.optional(),
  SECRETS_KEY: secretsKeys.optional(),
  SMTP_URL: serviceUrl(/^smtps?:\/\//, 'smtp:// or smtps://user:password@host:port').optional(),
  MAIL_FROM: mailAddress.optional(),
  MAIL_LEADS_PER_HOUR: wholeNumber(1, 1_000_000).optional(),
  CONTACT_EMAIL: mailAddress.optional(),
  CONTACT_RETENTION_DAYS: wholeNumber(1, 3650).default(365),
  DEV_MAILBOX: oneOf(['0', '1']).default('0'),
  WEBHOOK_RETRY_SCHEDULE: seconds.default(USUAL_RETRY_STEPS),
  WEBHOOK_RETRY_JITTER: number(0, 0.5).default(0.2),
  WEBHOOK_TIMEOUT_MS: wholeNumber(100, 60_000).default(15_000),
  WEBHOOK_ALLOWED_CIDRS: cidrs.default([]),
  UV_THREADPOOL_SIZE: wholeNumber(1, 1024).default(4),
  WEBHOOK_EGRESS_ADDRESSES: egressAddresses.default([]),
  WEBHOOK_BIND_ADDRESS: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address' })
    .optional(),
  WEBHOOK_CONCURRENCY: wholeNumber(1, 1000).default(200),
  WEBHOOK_ENDPOINT_CONCURRENCY: wholeNumber(1, 1000).default(50),
  WEBHOOK_MAX_PER_CLIENT: wholeNumber(1, 1_000_000).default(100),
  WEBHOOK_RATE_TEST: wholeNumber(1, 1_000_000).default(30),
  WEBHOOK_RATE_TEST_LEAD: wholeNumber(1, 1_000_000).default(30),
  INGEST_RATE: wholeNumber(1, 10_000_000).default(60_000),
  IMPORT_MAX_BYTES: wholeNumber(1, 2_000_000_000).default(200 * 1024 * 1024),
  IMPORT_RETENTION_DAYS: wholeNumber(1, 365).default(7),
  LEAD_HOLD_HOURS: wholeNumber(1, 720).default(24),
  LEAD_DUPLICATE_DAYS: wholeNumber(0, 365).default(30),
  LEAD_RESALE_DAYS: wholeNumber(0, 365).default(90),
  ADJUSTMENT_LIMIT: wholeNumber(0, 10_000).default(500),
  PAYMENTS_SECRET_KEY: textOf(8).optional(),
  PAYMENTS_WEBHOOK_SECRET: textOf(16).optional(),
  PAYMENTS_URL: address.default('https://api.stripe.com'),
  LOG_RETENTION_DAYS: wholeNumber(7, 3650).default(180),
  LOG_BODY_RETENTION_DAYS: wholeNumber(1, 3650).default(30),
  WORKER_WATCHDOG_SECONDS: wholeNumber(10, 3600).default(30),
  HOUSEKEEPING_PACE: number(0.1, 50).default(1),
  BYPASS_ACCOUNTS: list.default([]),
  ...operatorVariables,
  ...fileVariables,
  ...authVariables,
  SAMPLE_CRM_PORT: port.default(3001),
  DEMO_MARKET: oneOf(['0', '1']).default('1'),
  METRICS_TOKEN: textOf(16).optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list
    .refine((pairs) => pairs.every((pair) => /^[\w-]+=\S+$/.test(pair)), {
      error: 'must be name=value, separated by commas',
    })
    .default([]),
  OTEL_TRACES_SAMPLER_ARG: number(0, 1).default(1),
  TRUST_PROXY: trustedProxies.default(0),
  FAILPOINTS: failpoints.default([]),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})
