import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthClient } from '@supabase/auth-js'
import express from 'express'
import { exportJWK, generateKeyPair } from 'jose'
import { loadConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import { openFileStore } from '#core/file-store/open-file-store.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { createAuthRouter } from '#server/accounts/accounts.ts'
import { openAccounts, type AuthContext } from '#server/accounts/open-accounts.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { gatherPrincipals } from '#server/identity/gather-principals.ts'
import { createSourceHints } from '#server/identity/source-hints.ts'
import { createTestDatabase } from '#tests/support/services/database.ts'
import { BRIEF_EVEN_TIME, CHEAP_PASSWORDS, OPEN_ACCOUNTS } from '#scripts/lab/open-accounts.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

/** Asks for the body of errors that newer clients read: `code` is a text. */
export const NEW_VERSION = { 'X-Supabase-Api-Version': '2024-01-01' }

export interface AuthServer {
  context: AuthContext
  /** `…/auth/v1` */
  url: string
  /** The unmodified client with its own storage, as one browser has it. */
  newClient: (flowType?: 'implicit' | 'pkce') => InstanceType<typeof AuthClient>
  /** Resolves when all messages that no answer waits for have been sent. */
  settled: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Starts the authentication service alone, on a free port and its own database.
 * @param environment `{port}` in a value is replaced by the port
 */
export async function startAuthServer(environment: Record<string, string> = {}): Promise<AuthServer> {
  const database = await createTestDatabase()
  const failures: Error[] = []
  const { db, close: closeDatabase } = openDatabase(
    { url: database.url, poolSize: 10, name: 'auth-test' },
    (error) => failures.push(error),
  )
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const app = express()
  // On a busy machine a kept connection must not be closed under the next request.
  const http = createServer({ keepAliveTimeout: 120_000 }, app)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const given = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace('{port}', String(port)),
  ])
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    PUBLIC_URL: origin,
    TRUST_PROXY: '1',
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    ...OPEN_ACCOUNTS,
    ...CHEAP_PASSWORDS,
    ...BRIEF_EVEN_TIME,
    ...(Object.fromEntries(given) as Record<string, string>),
  })
  const keyring = createKeyring(randomBytes(32).toString('base64'))
  const logger = createLogger('auth-test', 'silent')
  const accounts = openAccounts({ config, logger, keyring }, undefined)
  const context: AuthContext = {
    config,
    db,
    logger,
    identity: {
      keys: await loadSigningKeys(config),
      sources: createSourceHints(db),
      findPrincipal: gatherPrincipals(db, config.auth.inactivitySeconds),
    },
    secrets: keyring.secrets,
    accounts: accounts.part,
    files: openFileStore(config),
  }
  app.set('trust proxy', config.http.trustProxy)
  const { mountPath } = config.auth
  app.use(mountPath === '' ? '/' : mountPath, createAuthRouter(context))
  const url = `${origin}${mountPath}`
  return {
    context,
    url,
    newClient: (flowType = 'implicit') =>
      new AuthClient({ url, flowType, autoRefreshToken: false, persistSession: true, storage: memory() }),
    settled: accounts.close,
    close: async () => {
      await accounts.close()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
      await closeDatabase()
      await database.drop()
      if (failures.length > 0) throw new AggregateError(failures, 'idle connections broke during the test')
    },
  }
}

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

let count = 0

/** Returns an address that nobody in this run has had. */
export function newEmail(): string {
  count += 1
  return `buyer-${process.pid}-${count}@example.com`
}

/** Signs a new client up and returns its session. */
export async function signUpSomeone(server: AuthServer) {
  const email = newEmail()
  const client = server.newClient()
  const { data, error } = await client.signUp({ email, password: PASSWORD })
  if (error !== null || data.session === null) throw new Error('sign-up gave no session', { cause: error })
  return { client, email, session: data.session, user: data.session.user }
}

interface WireBody {
  code?: string | number
  message?: string
  access_token?: string
  refresh_token?: string
  keys?: Record<string, unknown>[]
}

/** Sends a request without the client library, for what it would never send. */
export async function call(server: AuthServer, path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.url}${path}`, init)
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as WireBody
  return { status: response.status, headers: response.headers, body }
}

export function post(server: AuthServer, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return call(server, path, {
    method: 'POST',
    body: text,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}
