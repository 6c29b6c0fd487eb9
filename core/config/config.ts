import path from 'node:path'
import type { z } from 'zod'
import { groupAuth } from './auth-variables.ts'
import { groupFiles } from './file-variables.ts'
import { findJointFaults } from './find-joint-faults.ts'
import { groupOperator, groupRetention } from './operator-variables.ts'
import { paceHousekeeping } from './housekeeping-periods.ts'
import { readSecretFiles } from './secret-files.ts'
import { environmentSchema } from './variables.ts'
import packageFile from '../../package.json' with { type: 'json' }

type Environment = z.infer<typeof environmentSchema>

/** The names of all variables, for the test that compares `.env.example` with them. */
export const ENVIRONMENT_VARIABLES = Object.keys(environmentSchema.shape)

/**
 * Thrown by {@link loadConfig} with one line per fault, each beginning with the variable's name. Values are never
 * quoted.
 */
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

/** The version of a program in `/healthz`, `leadwire_build_info` and the first line of its log. */
export interface Build {
  version: string
  revision?: string
}

/** Further variables that one process needs. */
export interface ConfigNeeds {
  /** whether it signs access tokens and so needs a key */
  signs?: boolean
  /**
   * values for required variables that the process does not use, such as the address of a database that it never
   * queries
   */
  standIns?: Readonly<Record<string, string>>
}

/**
 * Reads the environment once, at the start of a process, before anything is opened or written.
 * @throws ConfigError listing every fault at once.
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
  { signs = false, standIns = {} }: ConfigNeeds = {},
) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '')
  const read = readSecretFiles(Object.fromEntries(set))
  const given: Readonly<Record<string, string | undefined>> = { ...standIns, ...read.given }
  const parsed = environmentSchema.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const faults = new Set([
    ...read.faults,
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...findJointFaults(given),
  ])
  if (signs && given['JWT_PRIVATE_JWK'] === undefined && given['AUTH_SIGNING_KEYS'] === undefined)
    faults.add('JWT_PRIVATE_JWK: is required; `npm start` brings its own')
  // A variable whose file cannot be used is not missing as well.
  for (const name of read.unread)
    for (const fault of faults) if (fault.startsWith(`${name}: `)) faults.delete(fault)
  if (!parsed.success || faults.size > 0) throw new ConfigError([...faults])
  return group(parsed.data)
}

function group(env: Environment) {
  const publicUrl = withoutSlash(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`)
  return {
    environment: env.NODE_ENV,
    /** The present release and, if known, the revision that it was built from. */
    build: {
      version: packageFile.version,
      ...(env.BUILD_REVISION !== undefined && { revision: env.BUILD_REVISION }),
    },
    http: {
      port: env.PORT,
      host: env.HOST,
      /** the site's address: links to its screens begin with it */
      publicUrl,
      /** the API's address: the issuer of tokens, and the address of /auth/v1 for browsers, providers and mails */
      apiUrl: withoutSlash(env.API_URL ?? publicUrl),
      trustProxy: env.TRUST_PROXY,
      metricsToken: env.METRICS_TOKEN,
      /** a worker's port; 0 takes a free one */
      metricsPort: env.METRICS_PORT,
    },
    dataDir: env.DATA_DIR,
    files: groupFiles(env, env.DATA_DIR),
    database: {
      url: env.DATABASE_URL,
      /** PostgreSQL itself, if `url` leads to a transaction pooler: for whatever needs a session of its own. */
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      /** A replica, for lists, figures and exports. */
      replicaUrl: env.DATABASE_REPLICA_URL,
      /** Milliseconds by which its answers may be old. */
      replicaLagMs: env.DATABASE_REPLICA_LAG_SECONDS * 1000,
      poolSize: env.DATABASE_POOL_SIZE,
    },
    redis: {
      url: env.REDIS_URL,
      clusterNodes: env.REDIS_CLUSTER_NODES,
      sentinels: env.REDIS_SENTINELS,
      /** the name by which Sentinels know the master */
      sentinelMaster: env.REDIS_SENTINEL_MASTER,
      sentinelPassword: env.REDIS_SENTINEL_PASSWORD,
      /** certificates of a private authority, as PEM */
      tlsCa: env.REDIS_TLS_CA_FILE,
      queuePrefix: env.QUEUE_PREFIX,
      /** number of groups of clients; each has queues, and in a cluster a hash tag, of its own */
      shards: env.QUEUE_SHARDS,
    },
    seed: {
      admin: account(env.SEED_ADMIN_EMAIL, env.SEED_ADMIN_PASSWORD),
      client: account(env.SEED_CLIENT_EMAIL, env.SEED_CLIENT_PASSWORD),
    },
    auth: {
      privateJwk: env.JWT_PRIVATE_JWK,
      bypassAccounts: env.BYPASS_ACCOUNTS.map((email) => email.toLowerCase()),
      ...groupAuth(env),
    },
    /** one or several keys, separated by commas, newest first */
    secretsKey: env.SECRETS_KEY,
    mail: {
      smtpUrl: env.SMTP_URL,
      from: { name: 'Leadwire', address: env.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}` },
      /** Limit of leads by email in an hour, from all workers; undefined: none. */
      leadsPerHour: env.MAIL_LEADS_PER_HOUR,
      /** The folder in which mails are written if there is no SMTP_URL. */
      folder: path.join(env.DATA_DIR, 'mail'),
      /** Only without a mail server: with one there is nothing to show. */
      showMailbox: env.DEV_MAILBOX === '1' && env.SMTP_URL === undefined,
    },
    contact: {
      /** The address that gets notices about messages of the contact form; undefined means every administrator's. */
      address: env.CONTACT_EMAIL,
      /** Days for which messages are kept. */
      keepDays: env.CONTACT_RETENTION_DAYS,
    },
    webhooks: {
      /** Seconds before attempts 2, 3, …; a delivery has one attempt more than this has entries. */
      retryScheduleSeconds: env.WEBHOOK_RETRY_SCHEDULE,
      retryJitter: env.WEBHOOK_RETRY_JITTER,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
      allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
      /** Addresses from which requests to endpoints come, as announced; empty: nothing is announced. */
      egressAddresses: env.WEBHOOK_EGRESS_ADDRESSES,
      /** The address of this machine from which they are sent; undefined: the system chooses. */
      bindAddress: env.WEBHOOK_BIND_ADDRESS,
      /**
       * Limit of simultaneous look-ups of host names that are new or slow: three of the four threads on which Node
       * looks names up.
       */
      unsureLookUps: Math.max(1, Math.floor((env.UV_THREADPOOL_SIZE / 2) * (3 / 4))),
      concurrency: env.WEBHOOK_CONCURRENCY,
      endpointConcurrency: env.WEBHOOK_ENDPOINT_CONCURRENCY,
      maxPerClient: env.WEBHOOK_MAX_PER_CLIENT,
      /** Limits of one client's calls in a minute. */
      rates: { endpoint_test: env.WEBHOOK_RATE_TEST, test_lead: env.WEBHOOK_RATE_TEST_LEAD },
    },
    /** Limit of leads that one source may post in a minute, at all servers together. */
    ingestRate: env.INGEST_RATE,
    market: {
      /** Hours for which an unsold lead is offered again. */
      holdHours: env.LEAD_HOLD_HOURS,
      /**
       * Days after a sale in which a lead of the same person is a duplicate, and in which it is not sold to the same
       * client.
       */
      windows: { duplicateDays: env.LEAD_DUPLICATE_DAYS, resaleDays: env.LEAD_RESALE_DAYS },
    },
    imports: {
      /** limit of one file */
      maxBytes: env.IMPORT_MAX_BYTES,
      /** Days for which rows that became no lead, and abandoned imports, are kept. */
      keepDays: env.IMPORT_RETENTION_DAYS,
    },
    /** Dollars above which an adjustment of a balance waits for a second administrator; 0: always. */
    adjustmentLimit: env.ADJUSTMENT_LIMIT,
    /** Undefined without a payment provider: clients then request funds, and an administrator marks them as received. */
    payments:
      env.PAYMENTS_SECRET_KEY === undefined || env.PAYMENTS_WEBHOOK_SECRET === undefined
        ? undefined
        : {
            secretKey: env.PAYMENTS_SECRET_KEY,
            webhookSecret: env.PAYMENTS_WEBHOOK_SECRET,
            url: withoutSlash(env.PAYMENTS_URL),
          },
    watchdogSeconds: env.WORKER_WATCHDOG_SECONDS,
    housekeeping: paceHousekeeping(env.HOUSEKEEPING_PACE),
    failpoints: env.FAILPOINTS,
    logs: {
      /** Days for which attempts, and finished deliveries and events, are kept; whole weeks are dropped at a time. */
      keepDays: env.LOG_RETENTION_DAYS,
      /** Days for which headers and bodies of attempts are kept; never longer than the attempts. */
      keepBodiesDays: Math.min(env.LOG_BODY_RETENTION_DAYS, env.LOG_RETENTION_DAYS),
    },
    /** The company that runs this installation. */
    operator: groupOperator(env),
    /** Periods for which leads, decisions and the audit log are kept. */
    retention: groupRetention(env),
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

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function account(email: string | undefined, password: string | undefined) {
  return email === undefined || password === undefined ? undefined : { email: email.toLowerCase(), password }
}
